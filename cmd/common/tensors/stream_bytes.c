// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "progress.h"
#include "stream_bytes.h"

int
stream_cannot_read(struct npu_err *err)
{
	return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
}

static size_t
smaller(uint64_t a, size_t b)
{
	return a < b ? (size_t)a : b;
}

int64_t
stream_read_bytes(struct stream *s, void *p, size_t n, struct npu_err *err)
{
	size_t ahead = n < s->n_ahead ? n : s->n_ahead;
	int64_t got;

	memcpy(p, s->ahead, ahead);
	s->n_ahead -= ahead;
	memmove(s->ahead, s->ahead + ahead, s->n_ahead);
	got = cmd_try_read(s->fd, (char *)p + ahead, n - ahead);
	if (got < 0)
		return stream_cannot_read(err);
	got += (int64_t)ahead;
	if (s->total < sizeof(s->head))
		memcpy(s->head + s->total, p, smaller((uint64_t)got,
		    sizeof(s->head) - s->total));
	s->total += (uint64_t)got;
	progress_bytes((size_t)got);
	return got;
}

int
stream_stopped(struct npu_err *err)
{
	return npu_fail(err, NPU_ESTOPPED, "stopped by a signal");
}

int
stream_all_or_none(struct stream *s, void *p, size_t n, const char *what,
    struct npu_err *err)
{
	int64_t got = stream_read_bytes(s, p, n, err);

	if (got < 0)
		return (int)got;
	if ((size_t)got == n)
		return 1;
	if (cmd_stop != 0)
		return stream_stopped(err);
	if (got == 0)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ": the %s ends "
	    "after %" PRId64 " of %zu bytes", s->frame, what, got, n);
}
