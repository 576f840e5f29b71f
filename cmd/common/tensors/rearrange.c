// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "rearrange.h"

/* The axes of one picture: their lengths, and the distance in elements between
 * neighbours, before and after. */
struct picture_axes {
	size_t n[3], from[3], to[3];	/* in the order channels, rows,
					   columns */
};

static void
set_steps(size_t step[3], const size_t n[3], bool chw)
{
	step[0] = chw ? n[1] * n[2] : 1;
	step[1] = chw ? n[2] : n[2] * n[0];
	step[2] = chw ? 1 : n[0];
}

/* Checks whether the three dimensions are channels, rows, columns, or end with
 * the channels. */
static int
read_layout(const struct rearrangement *r, const uint32_t dim[3], bool *chw,
    struct npu_err *err)
{
	bool first = dim[0] == 3, last = dim[2] == 3;

	*chw = r->layout == LAYOUT_KEPT ? first : r->layout == LAYOUT_HWC;
	if (r->layout == LAYOUT_KEPT && first == last)
		return npu_fail(err, NPU_EUSAGE, "which dimension of "
		    "[%u,%u,%u] are the channels is not clear", dim[0],
		    dim[1], dim[2]);
	if (r->layout != LAYOUT_KEPT && (*chw ? last : first) &&
	    !(*chw ? first : last))
		return npu_fail(err, NPU_EUSAGE, "[%u,%u,%u] is in that order "
		    "already", dim[0], dim[1], dim[2]);
	if (r->swap && dim[*chw ? 0 : 2] != 3)
		return npu_fail(err, NPU_EUSAGE, "[%u,%u,%u] has %u channel%s; "
		    "three can be swapped", dim[0], dim[1], dim[2],
		    dim[*chw ? 0 : 2], dim[*chw ? 0 : 2] == 1 ? "" : "s");
	return 0;
}

static void
copy_picture(const struct picture_axes *a, bool swap, size_t size,
    const uint8_t *from, uint8_t *to)
{
	for (size_t c = 0; c < a->n[0]; c++) {
		size_t at = swap ? a->n[0] - 1 - c : c;

		for (size_t y = 0; y < a->n[1]; y++)
			for (size_t x = 0; x < a->n[2]; x++)
				memcpy(to + size * (c * a->to[0] +
				    y * a->to[1] + x * a->to[2]), from +
				    size * (at * a->from[0] + y * a->from[1] +
				    x * a->from[2]), size);
	}
}

int
rearrange(const struct rearrangement *r, struct npu_tensor *t,
    const void *from, void *to, struct npu_err *err)
{
	size_t size = npu_dtype_size(t->dtype), picture;
	uint32_t *dim = t->dim + t->ndim - 3;
	struct picture_axes a;
	bool chw, become;
	int rc;

	if (t->ndim != 3 && t->ndim != 4)
		return npu_fail(err, NPU_EUSAGE, "has %u dimension%s; a "
		    "picture has three, or four of which the first counts "
		    "pictures", t->ndim, t->ndim == 1 ? "" : "s");
	if (size == 0)
		return npu_fail(err, NPU_EUSAGE, "elements of its type are not "
		    "whole bytes");
	if ((rc = read_layout(r, dim, &chw, err)) < 0)
		return rc;
	become = r->layout == LAYOUT_KEPT ? chw : r->layout == LAYOUT_CHW;
	a.n[0] = dim[chw ? 0 : 2];
	a.n[1] = dim[chw ? 1 : 0];
	a.n[2] = dim[chw ? 2 : 1];
	set_steps(a.from, a.n, chw);
	set_steps(a.to, a.n, become);
	picture = size * a.n[0] * a.n[1] * a.n[2];
	for (size_t at = 0; at < t->size; at += picture)
		copy_picture(&a, r->swap, size, (const uint8_t *)from + at,
		    (uint8_t *)to + at);
	dim[become ? 0 : 2] = (uint32_t)a.n[0];
	dim[become ? 1 : 0] = (uint32_t)a.n[1];
	dim[become ? 2 : 1] = (uint32_t)a.n[2];
	return 0;
}
