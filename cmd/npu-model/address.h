/* SPDX-License-Identifier: Apache-2.0 */
/* Where a URL leads, and whether a request may go there. */
#ifndef NPU_MODEL_ADDRESS_H
#define NPU_MODEL_ADDRESS_H

#include <stdbool.h>

#include "npu.h"

/* The parts of a URL; texts are from libcurl, "" if missing. */
struct address {
	char *url;		/* without credentials */
	char *scheme, *host, *port;
	char *user, *password;	/* NULL: none */
};

/* Takes a URL apart.  Fails with NPU_EUSAGE for one that must not be asked: not
 * https, and not http to a loopback address.  Free with address_free(), also
 * after a failure. */
int address_parse(struct address *a, const char *url, struct npu_err *err);
void address_free(struct address *a);

/* True if both are the same scheme, host and port. */
bool address_is_same_host(const struct address *a, const struct address *b);

#endif
