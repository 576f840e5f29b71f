// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

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

struct picture_source
source_bytes(struct bytes *b)
{
	return (struct picture_source){ read_bytes, b };
}

int
input_open(struct input *in, struct picture_source source, struct npu_err *err)
{
	struct bytes *b = source.arg;

	in->source = source;
	if (source.read == read_bytes) {	/* no copy needed */
		in->p = b->p;
		in->n = b->n;
		b->p += b->n;
		b->n = 0;
		in->ended = true;
		return 0;
	}
	if ((in->own = malloc(INPUT_SIZE)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	in->p = in->own;
	return 0;
}

void
input_close(struct input *in)
{
	free(in->own);
}

int
input_fill(struct input *in, size_t least, struct npu_err *err)
{
	int64_t got;

	if (in->at == in->n && !in->ended)
		in->at = in->n = 0;
	while (in->n - in->at < least && !in->ended) {
		got = in->source.read(in->source.arg, in->own + in->n,
		    INPUT_SIZE - in->n, err);
		if (got < 0)
			return (int)got;
		in->ended = got == 0;
		in->n += (size_t)got;
	}
	return 0;
}

int64_t
input_read(struct input *in, void *p, size_t n, struct npu_err *err)
{
	uint8_t *to = p;
	size_t done = 0, k;
	int rc;

	while (done < n) {
		if ((rc = input_fill(in, 1, err)) < 0)
			return rc;
		k = in->n - in->at;
		if (k == 0)
			break;
		if (k > n - done)
			k = n - done;
		memcpy(to + done, in->p + in->at, k);
		in->at += k;
		done += k;
	}
	return (int64_t)done;
}
