/* SPDX-License-Identifier: Apache-2.0 */
/* A sink for tests, which keeps the bytes that are written. */
#ifndef TESTS_UNIT_SINK_BUF_H
#define TESTS_UNIT_SINK_BUF_H

#include "base/buf.h"
#include "base/err.h"
#include "image/sink.h"

static int
sink_buf_write(void *arg, const void *p, size_t n, struct npu_err *err)
{
	struct buf *b = arg;

	buf_add(b, p, n);
	if (b->failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return 0;
}

/* Returns a sink that appends to *b. */
static inline struct sink
sink_buf(struct buf *b)
{
	return (struct sink){ sink_buf_write, b };
}

#endif
