// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "emu/xdna/stream.h"
#include "model/txn.h"
#include "model/txn_shim.h"

enum {
	MOST_WORDS = 1 << 28,	/* that a command moves one way */
	MOST_TRANSFERS = 1 << 16,
};

static int
add(void *arg, const struct txn_descriptor *d, unsigned runs, bool out,
    struct npu_err *err)
{
	struct xemu_stream *s = arg;
	uint64_t *words = out ? &s->out : &s->in;
	struct xemu_transfer *t;

	*words += (uint64_t)d->word[0] * runs;
	if (*words > MOST_WORDS || s->n == MOST_TRANSFERS)
		return npu_fail(err, NPU_EFORMAT, "a command that moves more "
		    "than %d words or %d times is not emulated", MOST_WORDS,
		    MOST_TRANSFERS);
	if ((t = realloc(s->transfer, (s->n + 1) * sizeof(*t))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	s->transfer = t;
	t[s->n] = (struct xemu_transfer){ .argument = d->argument,
	    .runs = runs, .plus = d->plus, .out = out };
	memcpy(t[s->n++].word, d->word, sizeof(d->word));
	return 0;
}

static int
list_transfers(struct xemu_stream *s, const struct txn *t,
    struct npu_err *err)
{
	struct txn_shim *shim = calloc(1, sizeof(*shim));
	int rc;

	if (shim == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	shim->move = add;
	shim->move_arg = s;
	rc = txn_execute(t, shim, err);
	free(shim);
	return rc;
}

static int
read_new(struct xemu_stream *s, struct bytes stream, struct npu_err *err)
{
	struct txn t;
	int rc;

	if ((rc = txn_read(&t, stream, err)) < 0)
		return rc;
	s->generation = t.generation;
	s->columns = t.columns_used;
	if ((rc = txn_check_complete(&t, err)) == 0)
		rc = list_transfers(s, &t, err);
	txn_free(&t);
	return rc;
}

int
xemu_stream_read(struct xemu_stream *s, struct bytes stream,
    struct npu_err *err)
{
	int rc;

	if (s->bytes != NULL && s->size == stream.n &&
	    memcmp(s->bytes, stream.p, stream.n) == 0)
		return 0;
	xemu_stream_free(s);
	/* One more byte, as a stream may be empty. */
	if ((s->bytes = malloc(stream.n + 1)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	memcpy(s->bytes, stream.p, stream.n);
	s->size = stream.n;
	if ((rc = read_new(s, stream, err)) < 0)
		xemu_stream_free(s);
	return rc;
}

void
xemu_stream_free(struct xemu_stream *s)
{
	free(s->transfer);
	free(s->bytes);
	memset(s, 0, sizeof(*s));
}
