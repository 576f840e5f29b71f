// SPDX-License-Identifier: Apache-2.0
/* rounding.c - quantising, and its inverse. */
#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "rounding.h"

bool
method_parse(struct method *m, const char *name)
{
	static const struct {
		const char *name;
		struct method method;
	} methods[] = {
		{ "symmetric_restricted_range", { PER_TENSOR, false, false } },
		{ "symmetric_full_range", { PER_TENSOR, false, true } },
		{ "asymmetric", { PER_TENSOR, true, true } },
	};
	static const char *const per[] = { "per_tensor_", "per_channel_",
	    "per_block_" };

	for (int i = PER_TENSOR; i <= PER_BLOCK; i++) {
		size_t n = strlen(per[i]);

		if (strncasecmp(name, per[i], n) != 0)
			continue;
		for (size_t k = 0; k < sizeof(methods) / sizeof(*methods); k++)
			if (strcasecmp(name + n, methods[k].name) == 0) {
				*m = methods[k].method;
				m->per = i;
				return true;
			}
	}
	return false;
}

bool
extent_add(struct extent *e, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return false;
		if (x[i] < e->low)
			e->low = x[i];
		if (x[i] > e->high)
			e->high = x[i];
	}
	return true;
}

/* Returns the width of all numbers, or of all steps if the width is 0. */
static double
width_or(double width, double steps)
{
	return width < (double)FLT_EPSILON ? steps : width;
}

struct rounding
rounding_make(const struct method *m, unsigned bits, struct extent e,
    bool is_signed)
{
	double low = fmin(e.low, 0), high = fmax(e.high, 0);
	double most = fmax(-low, high), steps = ldexp(1, (int)bits) - 1;
	struct rounding r;

	if (m->asymmetric) {
		r.scale = steps / width_or(high - low, steps);
		r.low = rint(r.scale * low);
		r.high = r.low + steps;
		return r;
	}
	if (!is_signed && low >= 0) {
		r.scale = steps / width_or(most, steps);
		r.low = 0;
		r.high = steps;
		return r;
	}
	r.high = ldexp(1, (int)bits - 1) - 1;
	r.low = m->full_range ? -r.high - 1 : -r.high;
	r.scale = (r.high - r.low) / width_or(2 * most, r.high - r.low);
	return r;
}

void
rounding_apply(const struct rounding *r, float *x, size_t n)
{
	for (size_t i = 0; i < n && r->scale > 0; i++)
		x[i] = (float)(fmin(fmax(rint((double)x[i] * r->scale),
		    r->low), r->high) / r->scale);
}
