// SPDX-License-Identifier: Apache-2.0
/* embeddings.c - tables whose rows become equal when they are quantised. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
	struct onnx_numbers numbers;
	uint64_t rows, columns;
	void *map;		/* of the other file; NULL: none */
	size_t size;
};

/* ---- Opening ------------------------------------------------------------- */

static bool
is_inside(struct bytes name)
{
	return name.n > 0 && name.p[0] != '/' &&
	    memmem(name.p, name.n, "..", 2) == NULL;
}

/* Maps the file with the data, which lies beside the model. */
static bool
map_data(struct table *t, const char *model)
{
	const struct onnx_numbers *n = &t->numbers;
	const char *slash = strrchr(model, '/');
	struct stat st;
	char *path;
	int fd;

	if (!is_inside(n->file))
		return false;
	path = cmd_text("%.*s%.*s", slash != NULL ? (int)(slash - model + 1) :
	    0, model, (int)n->file.n, (const char *)n->file.p);
	fd = cmd_try_open_file(path);
	free(path);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		t->map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
		    fd, 0);
	close(fd);
	if (t->map == MAP_FAILED)
		t->map = NULL;
	t->size = (size_t)st.st_size;
	return t->map != NULL;
}

static bool
open_table(struct table *t, struct bytes tensor, const char *model)
{
	struct onnx_numbers *n = &t->numbers;

	*t = (struct table){ .tensor = tensor };
	if (onnx_numbers_begin(n, tensor, NULL) < 0 || n->ndim < 2 ||
	    n->n == 0 || !npu_dtype_is_float(n->dtype))
		return false;
	t->rows = n->dim[0] < MOST_ROWS ? n->dim[0] : MOST_ROWS;
	t->columns = n->n / n->dim[0];
	return t->columns <= MOST_COLUMNS && (!n->external ||
	    map_data(t, model));
}

static void
close_table(struct table *t)
{
	if (t->map != NULL)
		munmap(t->map, t->size);
}

/* ---- Rows ---------------------------------------------------------------- */

typedef void row_function(void *arg, const float *row, uint64_t columns);

/* Drops the pages of a mapping that have been read, so that a large table does
 * not take memory. */
static void
drop_pages(const struct lint *l, const struct table *t)
{
	if (t->map != NULL)
		madvise(t->map, t->size, MADV_DONTNEED);
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
	struct bytes all = { t->map, t->size };

	onnx_numbers_begin(&t->numbers, t->tensor, NULL);
	if (t->numbers.external && !bytes_sub(all, t->numbers.offset,
	    all.n - t->numbers.offset, &t->numbers.data))
		t->numbers.n = 0;
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
 * scale: q = rint((x - low) (2^bits - 1) / (high - low)).  A compiler that
 * rounds the zero point leaves as many or fewer.
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
    const struct onnx_constant *constant)
{
	unsigned bits = table_bits(&c->precision, gather);
	struct table t;
	size_t before, after;
	bool counted;

	if (bits == 0 || bits > 16)
		return;
	counted = open_table(&t, constant->tensor, c->l->model_path) &&
	    count_rows(c->l, &t, bits, &before, &after);
	close_table(&t);
	if (!counted || (double)after >= ENOUGH * (double)before)
		return;
	findings_add(&c->l->findings, RULE_EMBEDDING_COLLAPSE, LEVEL_WARNING, 0,
	    cmd_text("%.*s", (int)constant->name.n,
	    (const char *)constant->name.p), cmd_text("%zu of %zu rows of the "
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
			check_table(c, n, table);
	}
}
