// SPDX-License-Identifier: Apache-2.0
#include "image/decoder.h"

static int64_t
read_bytes(void *arg, void *p, size_t n, struct npu_err *err)
{
	struct bytes *b = arg;

	(void)err;
	if (n > b->n)
		n = b->n;
	if (n > 0)
		memcpy(p, b->p, n);
	b->p += n;
	b->n -= n;
	return (int64_t)n;
}

struct source
source_bytes(struct bytes *b)
{
	return (struct source){ read_bytes, b };
}

int
input_fill(struct input *in, struct npu_err *err)
{
	int64_t got;

	if (in->at < in->n || in->ended)
		return (int)(in->n - in->at);
	got = in->source.read(in->source.arg, in->buf, sizeof(in->buf), err);
	if (got < 0)
		return (int)got;
	in->ended = got == 0;
	in->at = 0;
	in->n = (size_t)got;
	return (int)got;
}

int64_t
input_read(struct input *in, void *p, size_t n, struct npu_err *err)
{
	uint8_t *to = p;
	size_t done = 0, k;
	int rc;

	while (done < n) {
		if ((rc = input_fill(in, err)) < 0)
			return rc;
		if (rc == 0)
			break;
		k = in->n - in->at;
		if (k > n - done)
			k = n - done;
		memcpy(to + done, in->buf + in->at, k);
		in->at += k;
		done += k;
	}
	return (int64_t)done;
}
