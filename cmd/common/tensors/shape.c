// SPDX-License-Identifier: Apache-2.0
#include "shape.h"

/* Returns the next dimension other than 1; 1 after the last. */
static uint32_t
next_dim(const struct npu_tensor *t, uint32_t *i)
{
	while (*i < t->ndim)
		if (t->dim[(*i)++] != 1)
			return t->dim[*i - 1];
	return 1;
}

bool
shape_same(const struct npu_tensor *a, const struct npu_tensor *b)
{
	uint32_t i = 0, j = 0, dim;

	if (a->ndim == 0 || b->ndim == 0)
		return true;
	do {
		dim = next_dim(a, &i);
		if (next_dim(b, &j) != dim)
			return false;
	} while (dim != 1);
	return true;
}

/* True for two pictures of three channels, where one has rows, columns,
 * channels and the other channels, rows, columns. */
static bool
are_layouts(const struct npu_tensor *hwc, const struct npu_tensor *chw)
{
	const uint32_t *a = hwc->dim + hwc->ndim, *b = chw->dim + chw->ndim;

	return (hwc->ndim == 3 || hwc->ndim == 4) &&
	    (chw->ndim == 3 || chw->ndim == 4) && a[-1] == 3 && b[-3] == 3 &&
	    a[-3] == b[-2] && a[-2] == b[-1];
}

const char *
shape_advice(const struct npu_tensor *t, const struct npu_tensor *want)
{
	if (npu_tensor_count(t) == npu_tensor_count(want)) {
		if (are_layouts(t, want))
			return "; npu-tensor --layout=chw rearranges it";
		if (are_layouts(want, t))
			return "; npu-tensor --layout=hwc rearranges it";
	}
	return "; is it meant for another model?";
}
