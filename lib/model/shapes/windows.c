// SPDX-License-Identifier: Apache-2.0
/* Operators that move a window over a picture: convolutions and pools.  Sizes
 * are N, C, and then the sizes of the picture. */
#include <math.h>

#include "model/shapes/infer.h"

#define SPATIAL (SHAPE_DIMS - 2)	/* most dimensions of a picture */

enum automatic { NO_AUTOMATIC, VALID, SAME };

struct picture_window {
	unsigned n;		/* dimensions */
	struct numbers kernel, strides, dilations, pads, extra;
	enum automatic automatic;	/* what sets the pads */
};

/* ---- Windows ----------------------------------------------------------- */

/* Reads a list of n numbers, which are otherwise all absent. */
static bool
read_list(const struct step *s, const char *name, unsigned n, double absent,
    struct numbers *v)
{
	if (node_numbers(&s->node, name, v))
		return v->n == n;
	v->n = n;
	for (unsigned i = 0; i < n; i++)
		v->v[i] = absent;
	return true;
}

static bool
read_window(const struct step *s, unsigned n, struct picture_window *w)
{
	struct bytes automatic = node_text(&s->node, "auto_pad");

	w->n = n;
	w->automatic = bytes_start(automatic, "SAME") ? SAME :
	    bytes_start(automatic, "VALID") ? VALID : NO_AUTOMATIC;
	return n <= SPATIAL && read_list(s, "strides", n, 1, &w->strides) &&
	    read_list(s, "dilations", n, 1, &w->dilations) &&
	    read_list(s, "pads", 2 * n, 0, &w->pads) &&
	    read_list(s, "output_padding", n, 0, &w->extra);
}

/* Takes the kernel's sizes from the weights. */
static bool
read_convolution(const struct step *s, struct picture_window *w)
{
	const struct shape *weights = step_shape(s, s->weights);

	if (!weights->ranked || weights->ndim < 2 ||
	    !read_window(s, weights->ndim - 2, w))
		return false;
	w->kernel.n = w->n;
	for (unsigned i = 0; i < w->n; i++)
		w->kernel.v[i] = weights->dim[i + 2];
	return true;
}

/* Returns the size of the kernel with the gaps of its dilation. */
static double
reach(const struct picture_window *w, unsigned i)
{
	return w->dilations.v[i] * (w->kernel.v[i] - 1) + 1;
}

static double
pads(const struct picture_window *w, unsigned i)
{
	return w->automatic == VALID ? 0 : w->pads.v[i] +
	    w->pads.v[w->n + i];
}

/* Returns the number of places of the window.  If the number is rounded up, the
 * last window must begin before the padding at the end. */
static double
places(const struct picture_window *w, unsigned i, double size, bool up)
{
	double stride = w->strides.v[i], n;

	if (!(stride > 0))
		return NAN;
	if (w->automatic == SAME)
		return ceil(size / stride);
	n = (size + pads(w, i) - reach(w, i)) / stride;
	if (!up)
		return floor(n) + 1;
	n = ceil(n) + 1;
	if (w->automatic == NO_AUTOMATIC &&
	    (n - 1) * stride >= size + w->pads.v[i])
		n--;
	return n;
}

static void
set_picture(struct step *s, const struct picture_window *w, double channels,
    bool up)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y = shape_of_rank(w->n + 2);

	if (x->ranked && x->ndim != y.ndim)
		return;
	y.dim[0] = x->ranked ? x->dim[0] : NAN;
	y.dim[1] = channels;
	for (unsigned i = 0; i < w->n && x->ranked; i++)
		y.dim[i + 2] = places(w, i, x->dim[i + 2], up);
	step_set_shape(s, 0, &y);
}

/* ---- Convolutions ------------------------------------------------------ */

void
infer_conv(struct step *s)
{
	struct picture_window w;

	if (read_convolution(s, &w))
		set_picture(s, &w, step_shape(s, s->weights)->dim[0], false);
}

static double
transposed_size(const struct step *s, const struct picture_window *w,
    unsigned i, double size)
{
	struct numbers stated;

	if (node_numbers(&s->node, "output_shape", &stated))
		return stated.n == w->n ? stated.v[i] : NAN;
	if (w->automatic == SAME)
		return size * w->strides.v[i];
	return (size - 1) * w->strides.v[i] + w->extra.v[i] + reach(w, i) -
	    pads(w, i);
}

void
infer_conv_transpose(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y;
	struct picture_window w;

	if (!read_convolution(s, &w) || !x->ranked || x->ndim != w.n + 2)
		return;
	y = shape_of_rank(x->ndim);
	y.dim[0] = x->dim[0];
	y.dim[1] = step_shape(s, s->weights)->dim[1] *
	    node_number(&s->node, "group", 1);
	for (unsigned i = 0; i < w.n; i++)
		y.dim[i + 2] = transposed_size(s, &w, i, x->dim[i + 2]);
	step_set_shape(s, 0, &y);
}

/* Each element of a tensor takes part in a product with each weight of one of
 * the kernel's outer channels. */
static bool
count(const struct step *s, const struct shape *tensor, uint64_t *macs)
{
	const struct shape *weights = step_shape(s, s->weights);

	*macs = 1;
	return weights->ranked && weights->ndim >= 2 &&
	    shape_multiply_sizes(macs, tensor, 0, tensor->ndim) &&
	    shape_multiply_sizes(macs, weights, 1, weights->ndim);
}

bool
count_conv(const struct step *s, uint64_t *macs)
{
	return count(s, step_result(s), macs);
}

bool
count_conv_transpose(const struct step *s, uint64_t *macs)
{
	return count(s, step_shape(s, 0), macs);
}

/* ---- Pools ------------------------------------------------------------- */

void
infer_pool(struct step *s)
{
	bool up = node_number(&s->node, "ceil_mode", 0) != 0;
	const struct shape *x = step_shape(s, 0);
	struct picture_window w;

	if (!node_numbers(&s->node, "kernel_shape", &w.kernel) || !x->ranked ||
	    x->ndim < 2 || !read_window(s, w.kernel.n, &w))
		return;
	set_picture(s, &w, x->dim[1], up);
	if (step_outputs(s) > 1)
		step_set_shape(s, 1, step_result(s));
}

void
infer_global_pool(struct step *s)
{
	struct shape y = *step_shape(s, 0);

	for (unsigned i = 2; i < y.ndim; i++)
		y.dim[i] = 1;
	step_set_shape(s, 0, &y);
}

/* ---- Parts of pictures ------------------------------------------------- */

void
infer_roi_align(struct step *s)
{
	const struct shape *x = step_shape(s, 0), *boxes = step_shape(s, 1);
	struct shape y = shape_of_rank(4);

	if (boxes->ranked && boxes->ndim == 2)
		y.dim[0] = boxes->dim[0];
	if (x->ranked && x->ndim == 4)
		y.dim[1] = x->dim[1];
	y.dim[2] = node_number(&s->node, "output_height", 1);
	y.dim[3] = node_number(&s->node, "output_width", 1);
	step_set_shape(s, 0, &y);
}

/* The grid has the sizes of the output, and a last dimension of coordinates. */
void
infer_grid_sample(struct step *s)
{
	const struct shape *x = step_shape(s, 0), *grid = step_shape(s, 1);
	struct shape y = *x;

	if (!x->ranked || !grid->ranked || x->ndim != grid->ndim ||
	    x->ndim < 3)
		return;
	for (unsigned i = 2; i < y.ndim; i++)
		y.dim[i] = grid->dim[i - 1];
	step_set_shape(s, 0, &y);
}
