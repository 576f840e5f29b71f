/* SPDX-License-Identifier: Apache-2.0 */
/* Who may ask: those who know the token, and pages of an origin. */
#ifndef NPU_SERVE_ACCESS_H
#define NPU_SERVE_ACCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

struct MHD_Connection;

struct access {
	char *token;		/* owned; NULL: anybody */
};

/* Reads the token, the first line of a file; dies. */
void access_read_token(struct access *a, const char *path);
/* Whether these bytes are the token, in a time that does not tell how much of
 * them is right; without a token all are. */
bool access_is_token(const struct access *a, struct bytes given);
/* Whether the head of a request has the token: Authorization: Bearer, or
 * x-api-key. */
bool access_allowed(const struct access *a, struct MHD_Connection *http);
void access_free(struct access *a);

/* Whether it is "*" or an origin as browsers send it: SCHEME://HOST[:PORT]. */
bool access_is_origin(const char *text);

#endif
