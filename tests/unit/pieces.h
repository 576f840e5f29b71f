/* SPDX-License-Identifier: Apache-2.0 */
/* pieces.h - a picture source for tests.  arg points to a struct bytes; each
 * read removes from it the bytes that were read. */
#ifndef TESTS_UNIT_PIECES_H
#define TESTS_UNIT_PIECES_H

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"

/* Copies to p, unlike source_bytes(), whose pictures are decoded in place. */
static inline int64_t
read_piece(void *arg, void *p, size_t n, struct npu_err *err)
{
	struct bytes *b = arg;

	(void)err;
	if (n > b->n)
		n = b->n;
	memcpy(p, b->p, n);
	b->p += n;
	b->n -= n;
	return (int64_t)n;
}

/* Like read_piece(), but fails at the end of the bytes, as a broken disk
 * does. */
static inline int64_t
read_bad(void *arg, void *p, size_t n, struct npu_err *err)
{
	const struct bytes *b = arg;

	if (b->n == 0)
		return npu_fail(err, NPU_ESYSTEM, "Input/output error");
	return read_piece(arg, p, n, err);
}

#endif
