// SPDX-License-Identifier: Apache-2.0
/*
 * Streams of tensors.  The first byte sets how many tensors a raw frame has,
 * and how many bytes of a payload are read at a time.  The bytes are the same
 * either way, and not more than the input has.
 */
#include <stdlib.h>

#include "tensors/stream.h"
#include "dies.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "stream" };

/* The result: tensors, their bytes, the last status and its message. */
struct seen {
	unsigned tensors;
	uint64_t bytes, sum;
	int rc;
	struct npu_err err;
};

static const struct npu_tensor raw[3] = {
	{ .dtype = NPU_U8, .size = 3, .scale = 1 },
	{ .dtype = NPU_F32, .size = 8, .scale = 1 },
	{ .dtype = NPU_S8, .size = 1, .scale = 1 },
};
static const struct npu_tensor flat = { .dtype = NPU_U8, .scale = 1 };

static void
add(struct seen *s, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->sum = s->sum * 31 + p[i];
	s->bytes += n;
}

static int
in_pieces(struct stream *st, size_t most, struct seen *s)
{
	uint8_t piece[300];
	int64_t n;

	while ((n = stream_read(st, piece, most, &s->err)) > 0) {
		if ((size_t)n > most)
			abort();
		add(s, piece, (size_t)n);
	}
	return (int)n;
}

static int
in_one(struct stream *st, struct seen *s)
{
	struct buf b = { 0 };
	int rc = stream_read_all(st, &b, &s->err);

	if (rc == 0)
		add(s, (uint8_t *)b.p, b.n);
	buf_free(&b);
	return rc;
}

static struct seen
read_all(const char *path, unsigned mode, size_t most)
{
	struct seen s = { 0 };
	struct stream st;

	if (stream_try_open(&st, path, &s.err) < 0)
		abort();
	if (mode % 4 == 3)
		stream_frames(&st, &flat, 1);
	else
		stream_frames(&st, raw, (uint16_t)(1 + mode % 4));
	while ((s.rc = stream_next(&st, &s.err)) > 0) {
		if (npu_dtype_name(st.label.tensor.dtype) == NULL &&
		    st.kind == STREAM_NPY)
			abort();
		s.tensors++;
		if ((s.rc = most > 0 ? in_pieces(&st, most, &s) :
		    in_one(&st, &s)) < 0)
			break;
	}
	if (s.rc < 0 && s.err.msg[0] == '\0')
		abort();
	stream_close(&st);
	return s;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct seen a, b;
	const char *path;

	if (n < 1)
		return 0;
	path = dies_file(p + 1, n - 1);
	a = read_all(path, p[0], 1 + p[0]);
	b = read_all(path, p[0], 0);
	if (a.rc != b.rc || a.tensors != b.tensors || a.bytes > n ||
	    strcmp(a.err.msg, b.err.msg) != 0 ||
	    (a.rc == 0 && (a.sum != b.sum || a.bytes != b.bytes)))
		abort();
	return 0;
}
