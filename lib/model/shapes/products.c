// SPDX-License-Identifier: Apache-2.0
/* Products of matrices, and recurrent layers. */
#include <math.h>

#include "model/shapes/infer.h"

/* A matrix, or many of them: rows and columns are the last two sizes. */
struct matrix {
	struct shape batch;
	double rows, columns;
	bool vector;		/* with one dimension */
};

/* Reads an input.  A vector at the left is a row, at the right a column. */
static bool
read_matrix(const struct step *s, unsigned i, bool left, struct matrix *m)
{
	const struct shape *x = step_shape(s, i);
	bool swap = node_number(&s->node, left ? "transA" : "transB", 0) != 0;
	double rows, columns;

	if (!x->ranked || x->ndim == 0)
		return false;
	m->batch = *x;
	m->vector = x->ndim == 1;
	if (m->vector) {
		m->batch.ndim = 0;
		m->rows = left ? 1 : x->dim[0];
		m->columns = left ? x->dim[0] : 1;
		return true;
	}
	m->batch.ndim -= 2;
	rows = x->dim[x->ndim - 2];
	columns = x->dim[x->ndim - 1];
	m->rows = swap ? columns : rows;
	m->columns = swap ? rows : columns;
	return true;
}

/* ---- MatMul ------------------------------------------------------------ */

void
infer_matmul(struct step *s)
{
	struct matrix a, b;
	struct shape y;

	if (!read_matrix(s, 0, true, &a) ||
	    !read_matrix(s, s->weights, false, &b))
		return;
	y = shape_broadcast(&a.batch, &b.batch);
	if (!a.vector)
		shape_add(&y, a.rows);
	if (!b.vector)
		shape_add(&y, b.columns);
	step_set_shape(s, 0, &y);
}

/* Counts the result's elements times the size that the product sums over. */
static bool
count_product(const struct step *s, double inner, uint64_t *macs)
{
	const struct shape *y = step_result(s);

	*macs = 1;
	return shape_multiply_sizes(macs, y, 0, y->ndim) &&
	    shape_multiply(macs, inner);
}

bool
count_matmul(const struct step *s, uint64_t *macs)
{
	struct matrix a, b;
	double inner = NAN;

	if (read_matrix(s, 0, true, &a))
		inner = a.columns;
	if (isnan(inner) && read_matrix(s, s->weights, false, &b))
		inner = b.rows;
	return count_product(s, inner, macs);
}

/* ---- Gemm -------------------------------------------------------------- */

void
infer_gemm(struct step *s)
{
	struct shape y = shape_of_rank(2);
	struct matrix m;

	if (read_matrix(s, 0, true, &m))
		y.dim[0] = m.rows;
	if (read_matrix(s, s->weights, false, &m))
		y.dim[1] = m.columns;
	step_set_shape(s, 0, &y);
}

/* ---- Recurrent layers -------------------------------------------------- */

/* X is (steps, batch, inputs), or with layout 1 (batch, steps, inputs).  W is
 * (directions, gates x hidden, inputs). */
void
infer_recurrent(struct step *s)
{
	const struct shape *x = step_shape(s, 0), *w = step_shape(s, 1);
	bool layout = node_number(&s->node, "layout", 0) != 0;
	double hidden = node_number(&s->node, "hidden_size", NAN);
	struct shape y = { .ranked = true }, state = { .ranked = true };
	double ways = w->ranked && w->ndim == 3 ? w->dim[0] : NAN;

	if (!x->ranked || x->ndim != 3)
		return;
	shape_add(&y, x->dim[0]);
	shape_add(&y, layout ? x->dim[1] : ways);
	shape_add(&y, layout ? ways : x->dim[1]);
	shape_add(&y, hidden);
	shape_add(&state, layout ? x->dim[0] : ways);
	shape_add(&state, layout ? ways : x->dim[1]);
	shape_add(&state, hidden);
	step_set_shape(s, 0, &y);
	step_set_shape(s, 1, &state);
	step_set_shape(s, 2, &state);
}

/* In each step, each element of a batch is multiplied with all weights: W for
 * the inputs, and R for the state. */
bool
count_recurrent(const struct step *s, uint64_t *macs)
{
	const struct shape *x = step_shape(s, 0);
	const struct shape *w = step_shape(s, 1), *r = step_shape(s, 2);
	uint64_t inputs = 1, states = 1;

	if (!x->ranked || x->ndim != 3 ||
	    !shape_multiply_sizes(&inputs, w, 0, w->ndim) ||
	    !shape_multiply_sizes(&states, r, 0, r->ndim) ||
	    __builtin_add_overflow(inputs, states, macs))
		return false;
	return shape_multiply_sizes(macs, x, 0, 2);
}
