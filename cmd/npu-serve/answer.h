/* SPDX-License-Identifier: Apache-2.0 */
/* How the answer of a route ends. */
#ifndef NPU_SERVE_ANSWER_H
#define NPU_SERVE_ANSWER_H

#include "base/json.h"
#include "request.h"

/* The document j, with status 200, which takes its memory.  0; HTTP_FAILED if
 * rc is negative. */
unsigned answer_json(struct request *r, const struct json *j, int rc);
/* A text of a content type, NULL: JSON.  0. */
unsigned answer_text(struct request *r, const char *type, const char *text);
/* An error as an object of one member. */
void answer_error(struct request *r, const char *key, const char *why);

#endif
