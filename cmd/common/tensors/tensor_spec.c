// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "dimensions.h"
#include "shape.h"
#include "tensor/tensor.h"
#include "tensor_spec.h"

static _Noreturn void
cannot_convert(const struct tensor_spec *g, const struct npu_tensor *t)
{
	const char *type = npu_dtype_name(t->dtype);

	if (g->model == NULL)
		cmd_usage("--type: %s has no whole number of bytes and cannot "
		    "be converted", type);
	cmd_die("%s: %s has no whole number of bytes and cannot be converted",
	    g->model, type != NULL ? type : "its unknown type");
}

void
tensor_spec_resolve(struct tensor_spec *g, bool outputs, bool whole)
{
	const struct tensor_options *p = &g->options;
	bool by_hand = p->has_type || p->has_shape || p->has_scale ||
	    p->has_zero;
	int chosen;

	cmd_check_dims(g->model);
	if (g->model != NULL && by_hand)
		cmd_usage("--model says type, shape, scale and zero point; "
		    "leave --type, --shape, --scale and --zero out");
	if (g->model != NULL) {
		g->tensors = tensors_of_model(g->model, outputs, &g->n,
		    &chosen);
		g->all = chosen < 0;
		g->first = chosen < 0 ? 0 : (unsigned)chosen;
	} else if (p->has_type || (whole && by_hand)) {
		g->tensors = cmd_alloc(sizeof(*g->tensors));
		tensor_from_options(p, g->tensors);
		g->n = 1;
	}
	for (uint16_t i = 0; i < g->n; i++)
		if (npu_dtype_size(g->tensors[i].dtype) == 0)
			cannot_convert(g, &g->tensors[i]);
}

const struct npu_tensor *
tensor_spec_tensor(const struct tensor_spec *g, const struct stream *s)
{
	if (!g->all)
		return g->tensors;
	if (s->label.count != g->n)
		cmd_die("%s: frame %" PRIu64 " has %u tensors, but %s has "
		    "%u", s->name, s->frame, s->label.count, g->model,
		    g->n);
	return &g->tensors[s->label.index];
}

/* ---- Tensors of a stream ---------------------------------------------- */

static int
contradiction(const struct npu_tensor *t, const char *by,
    const struct npu_tensor *other, const char *advice, struct npu_err *err)
{
	char a[200], b[200];

	npu_tensor_format(t, a, sizeof(a));
	npu_tensor_format(other, b, sizeof(b));
	return npu_fail(err, NPU_EFORMAT, "the tensor is %s, but %s says "
	    "%s%s", a, by, b, advice);
}

/* True if the shapes fit; an unknown shape fits any. */
static bool
same_dims(const struct npu_tensor *a, const struct npu_tensor *b)
{
	return a->ndim == 0 || b->ndim == 0 || (a->ndim == b->ndim &&
	    memcmp(a->dim, b->dim, sizeof(a->dim)) == 0);
}

/* Checks that the options do not contradict the label. */
static int
check_by_hand(const struct npu_tensor *t, const struct tensor_spec *spec,
    struct npu_err *err)
{
	const struct tensor_options *p = &spec->options;
	struct npu_tensor g = *t;

	if (npu_dtype_is_float(t->dtype) && (p->has_scale || p->has_zero))
		return npu_fail(err, NPU_EFORMAT, "%s is never scaled; leave "
		    "--scale and --zero out", npu_dtype_name(t->dtype));
	if (p->has_type)
		g.dtype = p->dtype;
	if (p->has_scale)
		g.scale = p->scale;
	if (p->has_zero)
		g.zero_point = p->zero_point;
	if (p->has_shape) {
		g.ndim = p->ndim;
		memcpy(g.dim, p->dim, sizeof(g.dim));
	}
	if (!tensor_same_encoding(&g, t) || !(spec->ones_fit ?
	    shape_same(&g, t) : same_dims(&g, t)))
		return contradiction(t, "the command line", &g, "", err);
	return 0;
}

/* Sets the scale of .npy, which has none itself, from the model or the command
 * line. */
static void
add_scale(struct npu_tensor *t, const struct tensor_spec *spec,
    const struct npu_tensor *g)
{
	const struct tensor_options *p = &spec->options;

	if (spec->model != NULL) {
		t->scale = g->scale;
		t->zero_point = g->zero_point;
		return;
	}
	if (p->has_scale)
		t->scale = p->scale;
	if (p->has_zero)
		t->zero_point = p->zero_point;
}

/* Gives a tensor without a shape the shape of the command line. */
static int
add_shape(struct npu_tensor *t, const struct tensor_options *p,
    struct npu_err *err)
{
	if (t->ndim != 0 || !p->has_shape)
		return 0;
	t->ndim = p->ndim;
	memcpy(t->dim, p->dim, sizeof(t->dim));
	return tensor_check(t, err);
}

int
tensor_spec_complete(const struct tensor_spec *spec, const struct stream *s,
    struct npu_tensor *t, struct npu_err *err)
{
	const struct npu_tensor *g = tensor_spec_tensor(spec, s);

	if (s->kind == STREAM_NPY)
		add_scale(t, spec, g);
	if (spec->model == NULL) {
		int rc = check_by_hand(t, spec, err);

		return rc < 0 ? rc : add_shape(t, &spec->options, err);
	}
	if (!tensor_same_encoding(g, t) || t->size != g->size)
		return contradiction(t, spec->model, g, "", err);
	return 0;
}

int
tensor_spec_check_shape(const struct tensor_spec *spec, const struct stream *s,
    struct npu_err *err)
{
	const struct npu_tensor *t = &s->label.tensor;
	const struct npu_tensor *g = tensor_spec_tensor(spec, s);

	if (spec->model == NULL || shape_same(t, g))
		return 0;
	return contradiction(t, spec->model, g, shape_advice(t, g), err);
}

void
tensor_spec_free(struct tensor_spec *g)
{
	free(g->tensors);
	g->tensors = NULL;
}
