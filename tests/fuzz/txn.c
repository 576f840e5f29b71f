// SPDX-License-Identifier: Apache-2.0
/*
 * Instruction streams.  A refused file leaves nothing.  An accepted file has
 * buffers in order, each used and not too large, and its words can be read
 * again with the same result.  Most mutants of binary streams get the right
 * length and count in their header, because otherwise their operations would
 * not be read.
 */
#include <stdlib.h>
#include <string.h>

#include "model/txn.h"
#include "model/txn_op.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);
size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t max,
    unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *p, size_t n, size_t max);

static void
must(bool cond)
{
	if (!cond)
		abort();
}

static bool
walk_buffers(const struct txn *t)
{
	bool out = false;

	must(t->n_buffers <= TXN_BUFFERS && t->arguments <= TXN_BUFFERS);
	for (size_t i = 0; i < t->n_buffers; i++) {
		const struct txn_buffer *b = &t->buffers[i];

		must(b->in || b->out);
		must(b->bytes > 0 && b->bytes <= UINT64_C(4) << 30);
		must(b->argument < t->arguments);
		must(i == 0 || b[-1].argument < b->argument);
		out |= b->out;
	}
	return out;
}

/* The same words in binary form give the same stream. */
static void
read_again(const struct txn *t)
{
	struct txn again;

	must(txn_read(&again, t->words, NULL) == 0);
	must(again.copy == NULL && again.n_buffers == t->n_buffers &&
	    again.columns_used == t->columns_used);
	for (size_t i = 0; i < t->n_buffers; i++)
		must(again.buffers[i].bytes == t->buffers[i].bytes);
	txn_free(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct npu_err err = { .msg = "" };
	struct txn t = { .operations = 77 };
	bool out;

	if (txn_read(&t, (struct bytes){ p, n }, &err) < 0) {
		must(t.operations == 77 && err.msg[0] != '\0' &&
		    strchr(err.msg, '\n') == NULL);
		return 0;
	}
	out = walk_buffers(&t);
	must(t.columns_used <= 511);
	must(txn_device(&t) != NULL);
	must(txn_check_complete(&t, NULL) == (t.complete ? 0 : NPU_EFORMAT));
	if (t.complete)
		must(out && t.operations > 0 && t.columns_used > 0);
	else
		must(t.unknown <= 0xff && t.unknown_at < t.words.n / 4);
	must((txn_fits(&t, t.arguments, t.columns_used, NULL) == 0) ==
	    (t.generation != TXN_NPU1 ||
	    t.columns_used <= TXN_NPU1_COLUMNS));
	if (t.arguments > 0)
		must(txn_fits(&t, t.arguments - 1, 511, NULL) < 0);
	if (t.copy != NULL)
		read_again(&t);
	txn_free(&t);
	return 0;
}

/* ---- Mutants ------------------------------------------------------------ */

/* Counts the operations, up to and including the first that cannot be read. */
static uint32_t
count(struct bytes stream)
{
	enum txn_layout layout = stream.p[0] == 1 ? TXN_LAYOUT_1_0 :
	    TXN_LAYOUT_0_1;
	struct txn_op op;
	uint32_t n = 0;

	for (uint64_t at = 4; at < stream.n / 4; at += op.words, n++)
		if (txn_op_read(stream, layout, at, &op, NULL) < 0 ||
		    !op.known)
			return n + 1;
	return n;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t max, unsigned seed)
{
	uint32_t w[2];

	n = LLVMFuzzerMutate(p, n, max);
	if (n < 16 || p[0] > 1 || seed % 16 == 0)
		return n;
	n -= n % 4;
	w[0] = count((struct bytes){ p, n });
	w[1] = (uint32_t)n;
	memcpy(p + 8, w, sizeof(w));
	return n;
}
