// SPDX-License-Identifier: Apache-2.0
/*
 * A stream is cut into the same pictures no matter how many bytes arrive at a
 * time, and the pictures and the skipped bytes are not longer than the stream.
 */
#include <stdlib.h>
#include <string.h>

#include "image/picture_stream.h"
#include "large.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { LIMIT = 4096, PICTURES = 512 };

struct slow {
	struct bytes left;
	size_t most;
};

static int64_t
read_slow(void *arg, void *to, size_t n, struct npu_err *err)
{
	struct slow *s = arg;

	(void)err;
	n = n < s->most ? n : s->most;
	n = n < s->left.n ? n : s->left.n;
	if (n > 0)
		memcpy(to, s->left.p, n);
	s->left.p += n;
	s->left.n -= n;
	return (int64_t)n;
}

/*
 * Stores the sizes of the pictures, 0 for a picture that is too large; returns
 * how many.
 */
static size_t
cut(enum picture_stream_kind kind, struct bytes all, size_t most, size_t *size)
{
	struct slow s = { all, most };
	struct picture_stream *r;
	struct bytes b;
	size_t k, sum = 0;
	int rc;

	if (picture_stream_open(&r, kind,
	    (struct picture_source){ read_slow, &s }, LIMIT, NULL) < 0)
		abort();
	for (k = 0; k < PICTURES &&
	    (rc = picture_stream_next(r, &b, NULL)) != 0; k++) {
		if (rc != 1 && rc != NPU_EFORMAT)
			abort();
		size[k] = rc == 1 ? b.n : 0;
		if (size[k] > LIMIT || (rc == 1 && b.n < 2))
			abort();
		sum += size[k] + picture_stream_skipped(r);
	}
	if (sum > all.n)
		abort();
	picture_stream_close(r);
	return k;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	size_t one[PICTURES], other[PICTURES], k;
	enum picture_stream_kind kind;

	if (n < 2)
		return 0;
	kind = p[0] == 'a' ? PICTURE_STREAM_MJPEG : PICTURE_STREAM_PPM;
	k = cut(kind, (struct bytes){ p + 2, n - 2 }, n, one);
	if (k != cut(kind, (struct bytes){ p + 2, n - 2 }, p[1] + 1u, other) ||
	    memcmp(one, other, k * sizeof(*one)) != 0)
		abort();
	return 0;
}
