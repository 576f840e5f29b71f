// SPDX-License-Identifier: Apache-2.0
/* embeddings.c - tables whose rows become equal when they are quantised. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cix-lint/model/other_files.h"
#include "cix-lint/model/port_text.h"
#include "cmd.h"
#include "model/onnx_numbers.h"
#include "model/shapes/node.h"
#include "weights.h"

enum {
	MOST_ROWS = 1 << 20,	/* later rows are not looked at */
	MOST_COLUMNS = 1 << 16,
	CHUNK = 1 << 16,	/* elements that are read at a time */
};
#define ENOUGH 0.99		/* of the rows must stay different */

/* A table, whose data is in the model or in another file. */
struct table {
	struct bytes tensor;
	struct bytes data;	/* of the other file; n is 0: none */
	struct onnx_numbers numbers;
	uint64_t rows, columns;
};

/* ---- Opening ------------------------------------------------------------- */

static bool
open_table(struct table *t, struct bytes tensor, struct other_files *files)
{
	struct onnx_numbers *n = &t->numbers;

	*t = (struct table){ .tensor = tensor };
	if (onnx_numbers_begin(n, tensor, NULL) < 0 || n->ndim < 2 ||
	    n->n == 0 || !npu_dtype_is_float(n->dtype))
		return false;
	t->rows = n->dim[0] < MOST_ROWS ? n->dim[0] : MOST_ROWS;
	t->columns = n->n / n->dim[0];
	return t->columns <= MOST_COLUMNS && (!n->external ||
	    other_files_data(files, n, &t->data, NULL) == 0);
}

/* ---- Rows ---------------------------------------------------------------- */

typedef void row_function(void *arg, const float *row, uint64_t columns);

/* Drops the pages of a mapping that have been read: a large table does not take
 * memory. */
static void
drop_pages(const struct lint *l, const struct table *t)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = (uintptr_t)t->data.p & ~(page - 1);

	if (t->data.n > 0)
		madvise((void *)begin, t->data.n +
		    ((uintptr_t)t->data.p - begin), MADV_DONTNEED);
	else if (l->bytes.map != NULL)
		madvise(l->bytes.map, l->bytes.file.n, MADV_DONTNEED);
}

/* Calls fn for each row.  Returns false if the data is not there. */
static bool
each_row(const struct lint *l, struct table *t, row_function *fn, void *arg)
{
	size_t rows = CHUNK / (size_t)t->columns + 1, n;
	float *chunk = cmd_alloc(rows * t->columns * sizeof(*chunk));
	uint64_t left = t->rows;

	onnx_numbers_begin(&t->numbers, t->tensor, NULL);
	if (t->numbers.external)
		t->numbers.data = t->data;
	while (left > 0) {
		if (rows > left)
			rows = (size_t)left;
		n = onnx_numbers_read(&t->numbers, chunk, rows * t->columns);
		for (size_t i = 0; i < n / t->columns; i++)
			fn(arg, chunk + i * t->columns, t->columns);
		drop_pages(l, t);
		if (n < rows * t->columns)
			break;
		left -= rows;
	}
	free(chunk);
	return left == 0;
}

struct extremes {
	float low, high;
	bool finite;
};

static void
extend(void *arg, const float *row, uint64_t columns)
{
	struct extremes *e = arg;

	for (uint64_t i = 0; i < columns; i++) {
		e->low = fminf(e->low, row[i]);
		e->high = fmaxf(e->high, row[i]);
		e->finite &= isfinite(row[i]) != 0;
	}
}

/* Sums of rows, which differ for different rows with near certainty. */
struct sums {
	uint64_t *exact, *quantised;
	size_t n;
	double low, scale;	/* steps per unit */
};

/* Adds a number to a row's sum, as FNV-1a adds bytes. */
static uint64_t
add_to_sum(uint64_t sum, uint64_t v)
{
	sum = (sum ^ v) * UINT64_C(0x100000001b3);
	return sum ^ sum >> 29;
}

static void
sum_row(void *arg, const float *row, uint64_t columns)
{
	uint64_t exact = UINT64_C(0xcbf29ce484222325), quantised = exact;
	struct sums *s = arg;

	for (uint64_t i = 0; i < columns; i++) {
		float v = row[i] + 0.0f;	/* -0 is 0 */
		uint32_t bits;

		memcpy(&bits, &v, sizeof(bits));
		exact = add_to_sum(exact, bits);
		quantised = add_to_sum(quantised,
		    (uint64_t)rint((v - s->low) * s->scale));
	}
	s->exact[s->n] = exact;
	s->quantised[s->n++] = quantised;
}

static int
by_sum(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

static size_t
count_different(uint64_t *sum, size_t n)
{
	size_t different = 1;

	qsort(sum, n, sizeof(*sum), by_sum);
	for (size_t i = 1; i < n; i++)
		different += sum[i] != sum[i - 1];
	return different;
}

/* ---- The check ----------------------------------------------------------- */

/*
 * Counts the rows that differ before and after the table is quantised with one
 * scale: q = rint((x - low) (2^bits - 1) / (high - low)).  The zero point is
 * not rounded, and low and high are exact: compilers that round it, or include
 * 0 in the range, leave other rows.
 */
static bool
count_rows(const struct lint *l, struct table *t, unsigned bits, size_t *before,
    size_t *after)
{
	struct extremes e = { INFINITY, -INFINITY, true };
	struct sums s = { 0 };
	bool read = each_row(l, t, extend, &e) && e.finite && e.high > e.low;

	if (!read)
		return false;
	s.exact = cmd_alloc((size_t)t->rows * sizeof(*s.exact));
	s.quantised = cmd_alloc((size_t)t->rows * sizeof(*s.quantised));
	s.low = e.low;
	s.scale = (exp2(bits) - 1) / ((double)e.high - e.low);
	read = each_row(l, t, sum_row, &s);
	if (read) {
		*before = count_different(s.exact, s.n);
		*after = count_different(s.quantised, s.n);
	}
	free(s.exact);
	free(s.quantised);
	return read;
}

/* The bits of the table: the configuration may give them as the node's weights
 * or as its result. */
static unsigned
table_bits(const struct precision *p, const struct onnx_node *n)
{
	unsigned weights = precision_weight_bits(p, n);
	unsigned activations = precision_activation_bits(p, n);

	return weights > activations ? weights : activations;
}

static void
check_table(struct weights_check *c, const struct onnx_node *gather,
    const struct onnx_constant *constant, struct other_files *files)
{
	unsigned bits = table_bits(&c->precision, gather);
	struct table t;
	size_t before, after;
	bool counted;

	if (bits == 0 || bits > 16)
		return;
	counted = open_table(&t, constant->tensor, files) &&
	    count_rows(c->l, &t, bits, &before, &after);
	if (!counted || (double)after >= ENOUGH * (double)before)
		return;
	findings_add(&c->l->findings, RULE_EMBEDDING_COLLAPSE, LEVEL_WARNING, 0,
	    shown_name(constant->name), cmd_text("%zu of %zu rows of the "
	    "table stay different with %u bits and one scale: a few large "
	    "numbers take the range", after, before, bits),
	    cmd_copy("clip the large numbers in the model, or give the layer "
	    "16 bits or float: trigger_float_op = disable & "
	    "<[Gather]:float16_preferred>"));
}

/* Each table is checked once, for the first node that takes it. */
void
check_embeddings(struct weights_check *c)
{
	struct other_files files = { .model = c->l->model_path };
	const struct onnx_graph *g = &c->graph;

	for (size_t i = 0; i < g->n; i++) {
		const struct onnx_node *n = &g->node[i];
		const struct node attributes = { .message = n->message };
		const struct onnx_constant *table;
		const struct onnx_place *first;
		size_t takers;

		if (!onnx_node_is(n, "Gather") || n->n_in < 2 ||
		    node_number(&attributes, "axis", 0) != 0)
			continue;
		table = onnx_graph_constant(g, n->in[0]);
		first = onnx_graph_takers(g, n->in[0], &takers);
		if (table != NULL && takers > 0 && first->node == i)
			check_table(c, n, table, &files);
	}
	other_files_close(&files);
}
