// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "model/shapes/shape.h"

#define LARGEST 9007199254740992.0	/* 2^53 */

double
shape_size(double v)
{
	return v >= 0 && v <= LARGEST && v == floor(v) ? v : NAN;
}

struct shape
shape_of_rank(double ndim)
{
	struct shape s = { 0 };

	if (!(ndim >= 0 && ndim <= SHAPE_DIMS))
		return s;
	s.ranked = true;
	s.ndim = (unsigned)ndim;
	for (unsigned i = 0; i < s.ndim; i++)
		s.dim[i] = NAN;
	return s;
}

void
shape_add(struct shape *s, double size)
{
	if (s->ndim == SHAPE_DIMS)
		s->ranked = false;
	else
		s->dim[s->ndim++] = shape_size(size);
}

bool
shape_axis(double axis, unsigned ndim, unsigned *found)
{
	if (axis < 0)
		axis += ndim;
	if (!(axis >= 0 && axis < ndim))
		return false;
	*found = (unsigned)axis;
	return true;
}

double
shape_product(const struct shape *s, unsigned first, unsigned end)
{
	double n = 1;

	for (unsigned i = first; i < end; i++)
		n *= s->dim[i];
	return n;
}

bool
shape_multiply(uint64_t *n, double size)
{
	size = shape_size(size);
	return !isnan(size) && !__builtin_mul_overflow(*n, (uint64_t)size, n);
}

bool
shape_multiply_sizes(uint64_t *n, const struct shape *s, unsigned first,
    unsigned end)
{
	if (!s->ranked)
		return false;
	for (unsigned i = first; i < end; i++)
		if (!shape_multiply(n, s->dim[i]))
			return false;
	return true;
}

/* A size of 1 is repeated.  An unknown size can be 1 or the other's size, but
 * with another size above 1 the result can only be that size. */
static double
broadcast_size(double a, double b)
{
	if (a == 1)
		return b;
	if (b == 1 || a == b)
		return a;
	return isnan(a) ? b : isnan(b) ? a : NAN;
}

struct shape
shape_broadcast(const struct shape *a, const struct shape *b)
{
	unsigned n = a->ndim > b->ndim ? a->ndim : b->ndim;
	struct shape s = shape_of_rank(n);

	if (!a->ranked || !b->ranked)
		return (struct shape){ 0 };
	for (unsigned i = 0; i < n; i++)
		s.dim[n - 1 - i] = broadcast_size(
		    i < a->ndim ? a->dim[a->ndim - 1 - i] : 1,
		    i < b->ndim ? b->dim[b->ndim - 1 - i] : 1);
	return s;
}

void
shape_complete(struct shape *a, const struct shape *b)
{
	if (!a->ranked)
		*a = *b;
	if (!b->ranked || a->ndim != b->ndim)
		return;
	for (unsigned i = 0; i < a->ndim; i++)
		if (isnan(a->dim[i]))
			a->dim[i] = b->dim[i];
}
