// SPDX-License-Identifier: Apache-2.0
/*
 * A secret is never printed where it is a separate word, for any text around
 * it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/redact.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

#define SECRET " zebra "

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct redact known = { 0 };
	struct buf in = { 0 }, out = { 0 };

	redact_add(&known, "zebra", "(user)");
	buf_add(&in, p, n);
	buf_puts(&in, SECRET);
	buf_add(&in, p, n);
	redact_text(&known, in.p, in.n, &out);
	buf_add(&out, "", 1);
	if (!out.failed && memmem(out.p, out.n, SECRET, strlen(SECRET)) !=
	    NULL)
		abort();
	buf_free(&in);
	buf_free(&out);
	redact_free(&known);
	return 0;
}
