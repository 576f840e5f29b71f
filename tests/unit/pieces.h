/* SPDX-License-Identifier: Apache-2.0 */
/* pieces.h - the source of pictures in tests: arg is a struct bytes, from
 * which read bytes are removed. */
#ifndef TESTS_UNIT_PIECES_H
#define TESTS_UNIT_PIECES_H

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"

/* Not source_bytes(), which needs no buffer. */
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

/* Fails at the end, as a disk does. */
static inline int64_t
read_bad(void *arg, void *p, size_t n, struct npu_err *err)
{
	const struct bytes *b = arg;

	if (b->n == 0)
		return npu_fail(err, NPU_ESYSTEM, "Input/output error");
	return read_piece(arg, p, n, err);
}

#endif
