// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/num.h"
#include "model/txn.h"
#include "model/txn_file.h"
#include "model/txn_op.h"
#include "model/txn_shim.h"

enum { HEADER_WORDS = 4 };

static enum txn_layout
layout(const struct txn *t)
{
	return t->major == 1 ? TXN_LAYOUT_1_0 : TXN_LAYOUT_0_1;
}

/* ---- The header -------------------------------------------------------- */

static int
check_header(const struct txn *t, uint32_t bytes, struct npu_err *err)
{
	if (!(t->major == 0 && t->minor == 1) &&
	    !(t->major == 1 && t->minor == 0))
		return npu_fail(err, NPU_EFORMAT, "version %u.%u, but "
		    "instruction streams are of version 0.1 or 1.0", t->major,
		    t->minor);
	if (txn_device(t) == NULL)
		return npu_fail(err, NPU_EFORMAT, "generation %u, but %d "
		    "(npu1) and %d (npu4 and newer) are known", t->generation,
		    TXN_NPU1, TXN_NPU4);
	if (t->words.n % 4 != 0)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes are not whole "
		    "words of 4; the header says %" PRIu32 " bytes",
		    t->words.n, bytes);
	if (bytes != t->words.n)
		return npu_fail(err, NPU_EFORMAT, "the header says %" PRIu32
		    " bytes, the file has %zu%s", bytes, t->words.n,
		    t->copy != NULL ? " in words of its text" : "");
	return 0;
}

static int
read_header(struct txn *t, struct npu_err *err)
{
	uint32_t w[HEADER_WORDS];

	if (!bytes_get(t->words, 0, w, sizeof(w)))
		return npu_fail(err, NPU_EFORMAT, "%zu bytes, but the header "
		    "of an instruction stream has %zu", t->words.n, sizeof(w));
	t->major = w[0] & 0xff;
	t->minor = w[0] >> 8 & 0xff;
	t->generation = w[0] >> 16 & 0xff;
	t->rows = w[0] >> 24;
	t->columns = w[1] & 0xff;
	t->memory_rows = w[1] >> 8 & 0xff;
	t->operations = w[2];
	return check_header(t, w[3], err);
}

/* ---- Operations -------------------------------------------------------- */

/* Sets *op to the operation at word at.  Returns 1, or 0 at the end and for an
 * unknown operation. */
static int
next_op(const struct txn *t, uint64_t at, struct txn_op *op,
    struct npu_err *err)
{
	int rc;

	*op = (struct txn_op){ .known = true };
	if (at >= t->words.n / 4)
		return 0;
	if ((rc = txn_op_read(t->words, layout(t), at, op, err)) < 0)
		return rc;
	return op->known;
}

static int
check_count(const struct txn *t, uint64_t n, struct npu_err *err)
{
	if (t->complete ? n != t->operations : n >= t->operations)
		return npu_fail(err, NPU_EFORMAT, "%s%" PRIu64 " operation%s, "
		    "the header says %" PRIu32, t->complete ? "" :
		    "more than ", n, num_plural(n), t->operations);
	if (t->operations == 0)
		return npu_fail(err, NPU_EFORMAT, "no operation: the device "
		    "would report success and do nothing");
	return 0;
}

/* Checks the form of all operations before any is executed: if an operation is
 * malformed, all words after it would be misread. */
static int
check_operations(struct txn *t, struct npu_err *err)
{
	uint64_t n = 0, at = HEADER_WORDS;
	struct txn_op op;
	int rc;

	for (; (rc = next_op(t, at, &op, err)) > 0; at += op.words)
		n++;
	if (rc < 0)
		return rc;
	t->complete = op.known;
	if (!t->complete) {
		t->unknown = op.code;
		t->unknown_at = at;
	}
	return check_count(t, n, err);
}

int
txn_execute(const struct txn *t, struct txn_shim *s, struct npu_err *err)
{
	uint64_t at = HEADER_WORDS;
	struct txn_op op;
	int rc;

	for (; (rc = next_op(t, at, &op, err)) > 0; at += op.words)
		if ((rc = txn_shim_apply(s, &op, err)) < 0)
			return rc;
	if (rc < 0 || !t->complete)
		return rc;
	if (!s->written)
		return npu_fail(err, NPU_EFORMAT, "nothing is written: no "
		    "transfer to a buffer is queued");
	if (!s->waited)
		return npu_fail(err, NPU_EFORMAT, "nothing waits for the "
		    "output: no wait follows the last transfer to a buffer");
	return 0;
}

static int
find_buffers(struct txn *t, struct npu_err *err)
{
	struct txn_shim *s;
	int rc;

	if ((s = calloc(1, sizeof(*s))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((rc = txn_execute(t, s, err)) == 0) {
		t->columns_used = s->columns;
		t->arguments = s->arguments;
		for (size_t i = 0; i < TXN_BUFFERS; i++)
			if (s->buffers[i].bytes > 0)
				t->buffers[t->n_buffers++] = s->buffers[i];
	}
	free(s);
	return rc;
}

/* ---- Public functions -------------------------------------------------- */

int
txn_read(struct txn *out, struct bytes file, struct npu_err *err)
{
	struct txn t = { .complete = false };
	int rc;

	if ((rc = txn_file_words(file, &t.words, &t.copy, err)) < 0)
		return rc;
	if ((rc = read_header(&t, err)) < 0 ||
	    (rc = check_operations(&t, err)) < 0 ||
	    (rc = find_buffers(&t, err)) < 0) {
		txn_free(&t);
		return rc;
	}
	*out = t;
	return 0;
}

void
txn_free(struct txn *t)
{
	if (t == NULL)
		return;
	free(t->copy);
	*t = (struct txn){ .complete = false };
}

int
txn_check_complete(const struct txn *t, struct npu_err *err)
{
	if (t->complete)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "operation %s%x at word %" PRIu64
	    " is not known: the buffers after it cannot be read from the "
	    "stream", t->unknown > 9 ? "0x" : "", t->unknown, t->unknown_at);
}

int
txn_fits(const struct txn *t, unsigned buffers_of_kernel,
    unsigned columns_of_partition, struct npu_err *err)
{
	if (t->arguments > buffers_of_kernel)
		return npu_fail(err, NPU_EUSAGE, "the stream uses buffer %u of "
		    "a kernel with %u; it belongs to another build",
		    t->arguments - 1, buffers_of_kernel);
	if (t->columns_used > columns_of_partition)
		return npu_fail(err, NPU_EUSAGE, "the stream uses column %u of "
		    "a partition with %u; it belongs to another build",
		    t->columns_used - 1, columns_of_partition);
	if (t->generation == TXN_NPU1 &&
	    columns_of_partition > TXN_NPU1_COLUMNS)
		return npu_fail(err, NPU_EUSAGE, "the stream is for npu1, "
		    "which has %d columns, and the partition needs %u; build "
		    "both for one device", TXN_NPU1_COLUMNS,
		    columns_of_partition);
	return 0;
}

const char *
txn_device(const struct txn *t)
{
	switch (t->generation) {
	case TXN_NPU1: return "npu1";
	case TXN_NPU4: return "npu4 and newer";
	}
	return NULL;
}
