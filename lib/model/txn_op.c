// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "base/err.h"
#include "model/txn_op.h"

/* Positions of the words in an operation, counted from its first word; 0: the
 * operation does not have the word. */
struct layout {
	uint8_t head;		/* words before the part of variable length */
	uint8_t size;		/* has the bytes of the whole operation */
	uint8_t reg, value, mask, argument, plus;
	bool wide;		/* reg and argument have two words */
};

static const struct form {
	unsigned code;
	const char *name;
	bool open;		/* its length is only in word size */
	struct layout layout[TXN_LAYOUTS];
} forms[] = {
	{ TXN_WRITE, "a write", false, {
	    { .head = 6, .reg = 2, .value = 4, .size = 5, .wide = true },
	    { .head = 3, .reg = 1, .value = 2 } } },
	{ TXN_BLOCK_WRITE, "a block write", true, {
	    { .head = 4, .reg = 2, .size = 3, .value = 4 },
	    { .head = 3, .reg = 1, .size = 2, .value = 3 } } },
	{ TXN_MASK_WRITE, "a masked write", false, {
	    { .head = 7, .reg = 2, .value = 4, .mask = 5, .size = 6,
	    .wide = true },
	    { .head = 4, .reg = 1, .value = 2, .mask = 3 } } },
	{ TXN_PREEMPT, "a preemption point", false, {
	    { .head = 1 }, { .head = 1 } } },
	{ TXN_LOAD_PDI, "loading a PDI", false, {
	    { .head = 4 }, { .head = 4 } } },
	{ TXN_WAIT, "a wait", false, {
	    { .head = 4, .size = 1 }, { .head = 4, .size = 1 } } },
	{ TXN_PATCH, "a patch", false, {
	    { .head = 12, .size = 1, .reg = 6, .argument = 8, .plus = 10,
	    .wide = true },
	    { .head = 6, .size = 1, .reg = 2, .argument = 3, .plus = 4 } } },
	{ TXN_READ_REGISTERS, "reading registers", true, {
	    { .head = 2, .size = 1 }, { .head = 2, .size = 1 } } },
	{ TXN_TIMER, "a timer", true, {
	    { .head = 2, .size = 1 }, { .head = 2, .size = 1 } } },
	{ TXN_MERGED_WAIT, "a merged wait", true, {
	    { .head = 2, .size = 1 }, { .head = 2, .size = 1 } } },
};

int
txn_op_prefix(const struct txn_op *op, int rc, struct npu_err *err)
{
	npu_prefix(err, rc, "operation %s%x at word %" PRIu64,
	    op->code > 9 ? "0x" : "", op->code, op->at);
	return rc;
}

static const struct form *
find_form(unsigned code)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (forms[i].code == code)
			return &forms[i];
	return NULL;
}

/* Returns word i of the operation, or 0 if the operation is shorter. */
static uint32_t
word(struct bytes op, unsigned i)
{
	uint32_t v = 0;

	bytes_u32(op, 4ull * i, &v);
	return v;
}

static uint64_t
word_pair(struct bytes op, unsigned i)
{
	return word(op, i) | (uint64_t)word(op, i + 1) << 32;
}

/* ---- Length ------------------------------------------------------------ */

static int
cut(uint64_t needed, uint64_t left, struct npu_err *err)
{
	return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " bytes are needed, but "
	    "the stream ends after %" PRIu64, needed, left);
}

/* Sets *all to the bytes of the operation with which rest begins. */
static int
find_end(const struct form *f, const struct layout *l, struct bytes rest,
    struct bytes *all, struct npu_err *err)
{
	uint32_t head = 4u * l->head, size = head;
	struct bytes start;

	if (!bytes_sub(rest, 0, head, &start))
		return cut(head, rest.n, err);
	if (l->size != 0)
		size = word(start, l->size);
	if (f->open && size < head)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " bytes, but %s "
		    "has at least %" PRIu32, size, f->name, head);
	if (!f->open && size != head)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " bytes, but %s "
		    "has %" PRIu32, size, f->name, head);
	if (size % 4 != 0)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " bytes are not "
		    "whole words of 4", size);
	if (!bytes_sub(rest, 0, size, all))
		return cut(size, rest.n, err);
	return 0;
}

/* ---- Contents ---------------------------------------------------------- */

static int
read_register(const struct layout *l, struct bytes all, struct txn_op *op,
    struct npu_err *err)
{
	uint64_t reg = l->wide ? word_pair(all, l->reg) : word(all, l->reg);

	if (reg > UINT32_MAX || op->data.n > UINT32_MAX - reg)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes at register 0x%"
		    PRIx64 ", but addresses of registers have 32 bits",
		    op->data.n, reg);
	if (reg % 4 != 0)
		return npu_fail(err, NPU_EFORMAT, "register 0x%" PRIx64 " is "
		    "not at a multiple of 4 bytes", reg);
	op->reg = (uint32_t)reg;
	return 0;
}

static void
read_patch(const struct layout *l, struct bytes all, struct txn_op *op)
{
	op->argument = l->wide ? word_pair(all, l->argument) :
	    word(all, l->argument) & 0xff;
	op->plus = word_pair(all, l->plus);
}

/* Reads the columns that a wait names: the first, and their number. */
static void
read_wait(struct bytes all, struct txn_op *op)
{
	unsigned first = word(all, 2) >> 16 & 0xff;
	unsigned count = word(all, 3) >> 16 & 0xff;

	op->columns = first + (count > 0 ? count : 1);
}

int
txn_op_read(struct bytes stream, enum txn_layout layout, uint64_t at,
    struct txn_op *op, struct npu_err *err)
{
	struct bytes rest = { NULL, 0 }, all = { NULL, 0 };
	const struct layout *l;
	const struct form *f;
	int rc;

	bytes_sub(stream, 4 * at, stream.n - 4 * at, &rest);
	*op = (struct txn_op){ .code = word(rest, 0) & 0xff, .at = at,
	    .mask = UINT32_MAX };
	if ((f = find_form(op->code)) == NULL)
		return 0;
	op->known = true;
	l = &f->layout[layout];
	if ((rc = find_end(f, l, rest, &all, err)) < 0)
		return txn_op_prefix(op, rc, err);
	op->words = all.n / 4;
	if (l->value != 0)
		bytes_sub(all, 4ull * l->value, f->open ?
		    all.n - 4ull * l->value : 4, &op->data);
	if (l->mask != 0)
		op->mask = word(all, l->mask);
	if (l->reg != 0 &&
	    (rc = read_register(l, all, op, err)) < 0)
		return txn_op_prefix(op, rc, err);
	if (op->code == TXN_PATCH)
		read_patch(l, all, op);
	if (op->code == TXN_WAIT)
		read_wait(all, op);
	return 0;
}
