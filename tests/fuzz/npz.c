// SPDX-License-Identifier: Apache-2.0
/*
 * A member's header, or its entry in the directory (bit 0 of the first byte):
 * it is refused with a message, or its values are within the limits.
 */
#include <stdlib.h>
#include <string.h>

#include "tensor/npz.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
check(const struct npz_member *m)
{
	if (memchr(m->name, '\0', sizeof(m->name)) == NULL || m->size == 0 ||
	    m->size > NPU_MAX_PAYLOAD * 2 ||
	    (!m->deflated && m->packed != m->size))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	enum npz_part part;
	struct npz_member m;
	struct npu_err err = { 0 };
	size_t fixed, tail;
	int rc;

	if (n < 1 + NPZ_ENTRY)
		return 0;
	part = *p & 1 ? NPZ_IS_ENTRY : NPZ_IS_MEMBER;
	fixed = part == NPZ_IS_ENTRY ? NPZ_ENTRY : NPZ_HEADER;
	npz_part(++p);
	npz_comment_size(NPZ_IS_END, p);
	npz_end_counts(p, n);
	n--;
	rc = npz_tail_size(part, p, &tail, &err);
	if (rc == 0 && tail <= n - fixed)
		rc = npz_decode(part, (struct bytes){ p, fixed + tail }, &m,
		    &err);
	else if (rc == 0)
		rc = npz_decode(part, (struct bytes){ p, n }, &m, &err);
	if (rc == 0)
		check(&m);
	else if (err.msg[0] == '\0')
		abort();
	return 0;
}
