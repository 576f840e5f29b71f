// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "model/names.h"
#include "model/shapes/fixed_sizes.h"
#include "model/shapes/inference.h"

/* The size of all dimensions with one name. */
struct named_size {
	struct bytes name;
	uint32_t size;
};

struct fixing {
	struct onnx_model *m;
	const struct chosen_sizes *chosen;
	bool *used;		/* for each chosen size */
	struct buf named;	/* of struct named_size */
	struct npu_err *err;
};

/* ---- Choices ----------------------------------------------------------- */

static bool
is_name(struct bytes b, const char *text, size_t n)
{
	return b.n == n && (n == 0 || memcmp(b.p, text, n) == 0);
}

/* Returns whether text is "INPUT:AXIS" of this port and axis. */
static bool
is_place(const char *text, const struct onnx_port *port, uint32_t axis)
{
	const char *colon = strrchr(text, ':');
	int64_t n;

	return colon != NULL &&
	    is_name(port->name, text, (size_t)(colon - text)) &&
	    num_int(colon + 1, 0, ONNX_MOST_DIMS, &n, NULL) == 0 && n == axis;
}

/* Returns the size that was chosen for a dimension, or 0.  A choice that names
 * the dimension comes before one that names its place; the last choice of
 * either kind counts. */
static uint32_t
chosen_size(struct fixing *f, const struct onnx_port *port, uint32_t axis)
{
	const struct npu_dim *dim = f->chosen->dim;
	struct bytes name = port->dim_name[axis];
	uint32_t by_name = 0, by_place = 0;

	for (size_t i = 0; i < f->chosen->n; i++) {
		if (name.n > 0 &&
		    is_name(name, dim[i].name, strlen(dim[i].name)))
			by_name = dim[i].size;
		else if (is_place(dim[i].name, port, axis))
			by_place = dim[i].size;
		else
			continue;
		f->used[i] = true;
	}
	return by_name != 0 ? by_name : by_place;
}

static void
name_size(struct fixing *f, struct bytes name, uint32_t size)
{
	const struct named_size one = { name, size };

	if (name.n > 0)
		buf_add(&f->named, &one, sizeof(one));
}

static uint32_t
named_size(const struct fixing *f, struct bytes name)
{
	const struct named_size *one = (const void *)f->named.p;
	size_t n = f->named.n / sizeof(*one);

	for (size_t i = 0; i < n && name.n > 0; i++)
		if (bytes_compare(one[i].name, name) == 0)
			return one[i].size;
	return 0;
}

/* ---- Ports ------------------------------------------------------------- */

static void
choose(struct fixing *f, struct onnx_port *p)
{
	uint32_t size;

	for (uint32_t i = 0; i < p->ndim; i++) {
		if (p->dim[i] >= 0 || (size = chosen_size(f, p, i)) == 0)
			continue;
		p->dim[i] = size;
		name_size(f, p->dim_name[i], size);
	}
}

static void
take_named(const struct fixing *f, struct onnx_port *p)
{
	uint32_t size;

	for (uint32_t i = 0; i < p->ndim; i++)
		if (p->dim[i] < 0 &&
		    (size = named_size(f, p->dim_name[i])) != 0)
			p->dim[i] = size;
}

/* Sets the first dimension of an input to 1 if nothing gives it a size. */
static void
take_one(struct fixing *f, struct onnx_port *p)
{
	take_named(f, p);
	if (p->ndim == 0 || p->dim[0] >= 0)
		return;
	p->dim[0] = 1;
	name_size(f, p->dim_name[0], 1);
}

/* Returns the first open axis, or ndim. */
static uint32_t
open_axis(const struct onnx_port *p)
{
	uint32_t i = 0;

	while (i < p->ndim && p->dim[i] >= 0)
		i++;
	return i;
}

static bool
is_open(const struct onnx_port *p)
{
	return !p->shaped || open_axis(p) < p->ndim;
}

/* Refuses a port, with the option that would fix the size, "%s %s". */
static int
refuse_open(const struct fixing *f, const struct onnx_port *p,
    const char *port, const char *reason)
{
	char name[100], dim[100];
	uint32_t axis = open_axis(p);

	names_copy(name, sizeof(name), p->name);
	if (axis == p->ndim)
		return npu_fail(f->err, NPU_EUSAGE, "%s '%s' has no shape in "
		    "the file; onnx.shape_inference gives it one", port, name);
	names_copy(dim, sizeof(dim), p->dim_name[axis]);
	if (dim[0] == '\0')
		snprintf(dim, sizeof(dim), "%.90s:%u", name, axis);
	return npu_fail(f->err, NPU_EUSAGE, "%s '%s': the size of dimension "
	    "%u %s %s %s=SIZE", port, name, axis, reason, f->chosen->option,
	    dim);
}

/* ---- Outputs ----------------------------------------------------------- */

static void
set_input_shapes(const struct fixing *f, const struct values *v)
{
	for (size_t i = 0; i < f->m->ports.n_in; i++) {
		const struct onnx_port *p = &f->m->ports.in[i];
		struct graph_value *value = values_find(v, p->name);

		if (value == NULL || p->ndim > SHAPE_DIMS)
			continue;
		value->shape = shape_of_rank(p->ndim);
		for (uint32_t k = 0; k < p->ndim; k++)
			value->shape.dim[k] = (double)p->dim[k];
	}
}

/* Completes an output's shape with the shape that was inferred. */
static void
take_inferred(struct onnx_port *p, const struct values *v)
{
	const struct graph_value *value = values_find(v, p->name);

	if (value == NULL || !value->shape.ranked ||
	    (p->shaped && p->ndim != value->shape.ndim))
		return;
	for (uint32_t i = 0; i < value->shape.ndim; i++) {
		double size = value->shape.dim[i];

		if (!p->shaped)
			p->dim[i] = -1;
		if (p->dim[i] < 0 && !isnan(size) && size <= UINT32_MAX)
			p->dim[i] = (int64_t)size;
	}
	p->ndim = value->shape.ndim;
	p->shaped = true;
}

static int
infer_outputs(struct fixing *f, struct bytes onnx)
{
	struct onnx_ports *p = &f->m->ports;
	struct values v;
	int rc = values_read(&v, onnx, f->err);

	if (rc < 0)
		return rc;
	set_input_shapes(f, &v);
	rc = inference_run(&v, onnx, NULL, NULL, f->err);
	for (size_t i = 0; rc == 0 && i < p->n_out; i++)
		take_inferred(&p->out[i], &v);
	values_free(&v);
	return rc;
}

/* ---- All --------------------------------------------------------------- */

static int
refuse_unused(const struct fixing *f)
{
	for (size_t i = 0; i < f->chosen->n; i++)
		if (!f->used[i])
			return npu_fail(f->err, NPU_EUSAGE, "%s %.100s: no "
			    "dimension of the model has this name and an open "
			    "size; npu-info lists its inputs and outputs",
			    f->chosen->option, f->chosen->dim[i].name);
	return 0;
}

static int
fix_inputs(struct fixing *f)
{
	struct onnx_ports *p = &f->m->ports;
	int rc;

	for (size_t i = 0; i < p->n_in; i++)
		choose(f, &p->in[i]);
	for (size_t i = 0; i < p->n_out; i++)
		choose(f, &p->out[i]);
	for (size_t i = 0; i < p->n_in; i++)
		take_one(f, &p->in[i]);
	if (f->named.failed)
		return npu_fail(f->err, NPU_ESYSTEM, "out of memory");
	if ((rc = refuse_unused(f)) < 0)
		return rc;
	for (size_t i = 0; i < p->n_in; i++) {
		take_named(f, &p->in[i]);
		if (is_open(&p->in[i]))
			return refuse_open(f, &p->in[i], "input",
			    "is not fixed; fix it with");
	}
	return 0;
}

static int
fix_outputs(struct fixing *f, struct bytes onnx)
{
	struct onnx_ports *p = &f->m->ports;
	bool open = false;
	int rc;

	for (size_t i = 0; i < p->n_out; i++) {
		take_named(f, &p->out[i]);
		open |= is_open(&p->out[i]);
	}
	if (open && (rc = infer_outputs(f, onnx)) < 0)
		return rc;
	for (size_t i = 0; i < p->n_out; i++)
		if (is_open(&p->out[i]))
			return refuse_open(f, &p->out[i], "output",
			    "is not known before the model runs; if it is "
			    "always the same, set it with");
	return 0;
}

int
fixed_sizes(struct onnx_model *m, struct bytes onnx,
    const struct chosen_sizes *chosen, struct npu_err *err)
{
	struct fixing f = { .m = m, .chosen = chosen, .err = err };
	int rc;

	if ((f.used = calloc(chosen->n + 1, sizeof(*f.used))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((rc = fix_inputs(&f)) == 0)
		rc = fix_outputs(&f, onnx);
	free(f.used);
	buf_free(&f.named);
	return rc;
}
