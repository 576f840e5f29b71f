// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <math.h>

#include "model/shapes/step.h"

/* ---- The node ---------------------------------------------------------- */

/* Looks the names up. */
static void
find_values(const struct step *s, const struct buf *names, struct buf *values)
{
	const struct bytes *name = (const void *)names->p;
	struct graph_value *v;

	buf_clear(values);
	for (size_t i = 0; i < names->n / sizeof(*name); i++) {
		v = name[i].n > 0 ? values_find(s->values, name[i]) : NULL;
		buf_add(values, &v, sizeof(v));
	}
}

bool
step_begin(struct step *s, struct bytes node)
{
	if (!node_read(&s->node, node))
		return false;
	find_values(s, &s->node.inputs, &s->in);
	find_values(s, &s->node.outputs, &s->out);
	return !step_out_of_memory(s);
}

bool
step_out_of_memory(const struct step *s)
{
	return s->node.inputs.failed || s->node.outputs.failed ||
	    s->in.failed || s->out.failed || s->values->numbers.failed;
}

void
step_free(struct step *s)
{
	node_free(&s->node);
	buf_free(&s->in);
	buf_free(&s->out);
}

/* ---- Inputs ------------------------------------------------------------ */

static unsigned
count(const struct buf *values)
{
	size_t n = values->n / sizeof(struct graph_value *);

	return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

static struct graph_value *
value(const struct buf *values, unsigned i)
{
	struct graph_value *const *v = (const void *)values->p;

	return i < count(values) ? v[i] : NULL;
}

unsigned
step_inputs(const struct step *s)
{
	return count(&s->in);
}

unsigned
step_outputs(const struct step *s)
{
	return count(&s->out);
}

bool
step_has(const struct step *s, unsigned i)
{
	const struct bytes *name = (const void *)s->node.inputs.p;

	return i < count(&s->in) && name[i].n > 0;
}

static const struct shape *
shape(const struct buf *values, unsigned i)
{
	static const struct shape unknown = { 0 };
	const struct graph_value *v = value(values, i);

	return v != NULL ? &v->shape : &unknown;
}

const struct shape *
step_shape(const struct step *s, unsigned i)
{
	return shape(&s->in, i);
}

const struct shape *
step_result(const struct step *s)
{
	return shape(&s->out, 0);
}

bool
step_numbers(const struct step *s, unsigned i, struct numbers *v)
{
	const struct graph_value *in = value(&s->in, i);
	uint64_t n = 1;

	if (in == NULL)
		return false;
	if (values_get_numbers(s->values, in, v))
		return true;
	if (!shape_multiply_sizes(&n, &in->shape, 0, in->shape.ndim) ||
	    n > NUMBERS_MOST)
		return false;
	*v = (struct numbers){ .n = (unsigned)n };
	for (unsigned k = 0; k < v->n; k++)
		v->v[k] = NAN;
	return true;
}

bool
step_list(const struct step *s, const char *name, unsigned i,
    struct numbers *v)
{
	return node_numbers(&s->node, name, v) || step_numbers(s, i, v);
}

double
step_number(const struct step *s, const char *name, unsigned i, double absent)
{
	struct numbers v;

	if (!step_has(s, i))
		return node_number(&s->node, name, absent);
	return step_numbers(s, i, &v) && v.n == 1 ? v.v[0] : NAN;
}

/* ---- Outputs ----------------------------------------------------------- */

void
step_set_shape(struct step *s, unsigned i, const struct shape *shape)
{
	struct graph_value *v = value(&s->out, i);
	struct shape known = *shape;

	if (v == NULL)
		return;
	for (unsigned k = 0; k < known.ndim; k++)
		known.dim[k] = shape_size(known.dim[k]);
	shape_complete(&known, &v->shape);
	v->shape = known;
}

void
step_set_numbers(struct step *s, unsigned i, const struct numbers *v)
{
	struct graph_value *out = value(&s->out, i);
	bool known = v->n == 0;
	uint64_t n = 1;

	if (out == NULL || !shape_multiply_sizes(&n, &out->shape, 0,
	    out->shape.ndim) || n != v->n)
		return;
	for (unsigned k = 0; k < v->n; k++)
		known |= !isnan(v->v[k]);
	if (known)
		values_set_numbers(s->values, out, v);
}
