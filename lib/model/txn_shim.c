// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "base/err.h"
#include "base/num.h"
#include "model/txn_shim.h"
#include "model/txn_sizes.h"

/*
 * The address of a register has the column in bits 25 to 31, the row in bits 20
 * to 24, and the offset within the tile in the lower bits.  Shim tiles are in
 * row 0.
 */
enum {
	DESCRIPTORS = 0x1d000,	/* TXN_DESCRIPTORS of 8 words */
	DESCRIPTOR_BYTES = 32,
	ADDRESS = 1,		/* the word of a descriptor that is patched: the
				 * address extends to bit 15 of the next word */
	ADDRESS_HIGH = 0xffff,
	USE_NEXT = 1 << 26,	/* in the last word; the number of the next
				 * descriptor is in the bits above */
	LONGEST_CHAIN = 16,
};

#define LARGEST (UINT64_C(4) << 30)	/* bytes of a buffer */

/* Transfers in the first two queues write memory (S2MM), in the others they
 * read memory (MM2S). */
static const uint32_t s2mm_queues[] = { 0x1d204, 0x1d20c };
static const uint32_t mm2s_queues[] = { 0x1d214, 0x1d21c };

static unsigned
column_of(uint32_t reg)
{
	return reg >> 25;
}

static void
touch_column(struct txn_shim *s, unsigned column)
{
	if (s->columns <= column)
		s->columns = column + 1;
}

/* Returns the descriptor that has the register, and stores the register's word
 * in it.  Returns NULL for other registers. */
static struct txn_descriptor *
find_descriptor(struct txn_shim *s, uint32_t reg, unsigned *word)
{
	uint32_t at = (reg & 0x1ffffff) - DESCRIPTORS;

	if (at >= TXN_DESCRIPTORS * DESCRIPTOR_BYTES)
		return NULL;
	*word = at % DESCRIPTOR_BYTES / 4;
	return &s->descriptors[column_of(reg)][at / DESCRIPTOR_BYTES];
}

/* ---- Queues ------------------------------------------------------------ */

static bool
is_set(const struct txn_descriptor *d)
{
	for (size_t i = 0; i < 8; i++)
		if (d->known[i] != UINT32_MAX)
			return false;
	return true;
}

/* Adds a transfer in runs runs to its buffer. */
static int
transfer(struct txn_shim *s, const struct txn_descriptor *d, unsigned runs,
    bool out, struct npu_err *err)
{
	struct txn_buffer *b = &s->buffers[d->argument];
	uint64_t words;

	if (d->word[0] == 0)
		return npu_fail(err, NPU_EFORMAT, "a transfer of no bytes");
	words = txn_greatest_word(d->word, runs) + 1;
	if (d->plus > LARGEST || words > (LARGEST - d->plus) / 4)
		return npu_fail(err, NPU_EFORMAT, "buffer %u would be larger "
		    "than 4 GiB: %" PRIu64 " word%s from byte %" PRIu64,
		    d->argument, words, num_plural(words), d->plus);
	if (b->bytes < d->plus + 4 * words)
		b->bytes = d->plus + 4 * words;
	b->argument = d->argument;
	b->in |= !out;
	b->out |= out;
	return s->move == NULL ? 0 : s->move(s->move_arg, d, runs, out, err);
}

/* Starts the transfer of descriptor i. */
static int
begin(struct txn_shim *s, unsigned column, unsigned i, unsigned runs, bool out,
    struct npu_err *err)
{
	const struct txn_descriptor *d = &s->descriptors[column][i];
	int rc;

	if (!is_set(d))
		return npu_fail(err, NPU_EFORMAT, "column %u queues "
		    "descriptor %u, which is not set", column, i);
	if (!d->patched)
		return npu_fail(err, NPU_EFORMAT, "column %u queues "
		    "descriptor %u, which is not patched with a buffer's "
		    "address", column, i);
	if ((rc = transfer(s, d, runs, out, err)) < 0)
		return npu_prefix(err, rc, "column %u queues descriptor %u",
		    column, i);
	return 0;
}

/* Handles a write to a queue, which starts the transfers of a chain of
 * descriptors. */
static int
queue(struct txn_shim *s, unsigned column, uint32_t value, bool out,
    struct npu_err *err)
{
	unsigned first = value & 0xf, runs = (value >> 16 & 0xff) + 1;
	unsigned n = 0, i = first;
	uint32_t last;
	int rc;

	do {
		if (n++ == LONGEST_CHAIN)
			return npu_fail(err, NPU_EFORMAT, "column %u queues "
			    "descriptor %u: a chain of more than %d", column,
			    first, LONGEST_CHAIN);
		if ((rc = begin(s, column, i, runs, out, err)) < 0)
			return rc;
		last = s->descriptors[column][i].word[7];
		i = last >> 27 & 0xf;
	} while ((last & USE_NEXT) != 0);
	if (out) {
		s->written = true;
		s->waited = false;
	}
	return 0;
}

static bool
is_queue(const uint32_t queues[2], uint32_t reg)
{
	return (reg & 0x1ffffff) == queues[0] || (reg & 0x1ffffff) == queues[1];
}

/* ---- Registers --------------------------------------------------------- */

static void
set_word(struct txn_descriptor *d, unsigned i, uint32_t value, uint32_t mask)
{
	d->word[i] = (d->word[i] & ~mask) | (value & mask);
	d->known[i] |= mask;
	/* This overwrites the patched address. */
	if ((i == ADDRESS && mask != 0) ||
	    (i == ADDRESS + 1 && (mask & ADDRESS_HIGH) != 0))
		d->patched = false;
}

static int
write_register(struct txn_shim *s, const struct txn_op *op, uint32_t reg,
    uint32_t value, struct npu_err *err)
{
	struct txn_descriptor *d;
	unsigned i;

	if ((d = find_descriptor(s, reg, &i)) != NULL) {
		set_word(d, i, value, op->mask);
		if (i == ADDRESS && op->code == TXN_BLOCK_WRITE)
			d->covered = true;
	} else if (is_queue(s2mm_queues, reg)) {
		return queue(s, column_of(reg), value & op->mask, true, err);
	} else if (is_queue(mm2s_queues, reg)) {
		return queue(s, column_of(reg), value & op->mask, false, err);
	}
	return 0;
}

static int
write_registers(struct txn_shim *s, const struct txn_op *op,
    struct npu_err *err)
{
	uint32_t value = 0, reg = op->reg;
	int rc;

	for (size_t at = 0; bytes_u32(op->data, at, &value); at += 4) {
		reg = op->reg + (uint32_t)at;
		if ((rc = write_register(s, op, reg, value, err)) < 0)
			return rc;
	}
	touch_column(s, column_of(reg));
	return 0;
}

static int
patch(struct txn_shim *s, const struct txn_op *op, struct npu_err *err)
{
	struct txn_descriptor *d;
	unsigned i;

	d = find_descriptor(s, op->reg, &i);
	if (d == NULL || i != ADDRESS)
		return npu_fail(err, NPU_EFORMAT, "a patch of 0x%" PRIx32
		    ", which is not the address of a descriptor", op->reg);
	if (!d->covered)
		return npu_fail(err, NPU_EFORMAT, "a patch of 0x%" PRIx32
		    " before a block write to it", op->reg);
	if (op->argument >= TXN_BUFFERS)
		return npu_fail(err, NPU_EFORMAT, "buffer %" PRIu64 ", but a "
		    "kernel has at most %d", op->argument, TXN_BUFFERS);
	d->patched = true;
	d->argument = (unsigned)op->argument;
	d->plus = op->plus;
	if (s->arguments <= d->argument)
		s->arguments = d->argument + 1;
	touch_column(s, column_of(op->reg));
	return 0;
}

int
txn_shim_apply(struct txn_shim *s, const struct txn_op *op,
    struct npu_err *err)
{
	int rc = 0;

	switch (op->code) {
	case TXN_WRITE:
	case TXN_BLOCK_WRITE:
	case TXN_MASK_WRITE:
		rc = write_registers(s, op, err);
		break;
	case TXN_PATCH:
		rc = patch(s, op, err);
		break;
	case TXN_WAIT:
		touch_column(s, op->columns - 1);
		s->waited = true;
		break;
	case TXN_MERGED_WAIT:
		s->waited = true;
		break;
	}
	return rc < 0 ? txn_op_prefix(op, rc, err) : 0;
}
