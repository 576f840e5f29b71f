/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What quantising does to a number:
 *
 *	x becomes clip(rint(scale x), low, high) / scale
 *
 * This is Compass's q = clip(rint(scale x - zero)), x = (q + zero) / scale,
 * with the whole number zero added to the limits of q.
 */
#ifndef CIX_LINT_PREDICT_ROUNDING_H
#define CIX_LINT_PREDICT_ROUNDING_H

#include <stdbool.h>
#include <stddef.h>

#define ROUNDING_MOST_BITS 16

/* A value of quantize_method_for_activation or quantize_method_for_weight. */
struct method {
	enum { PER_TENSOR, PER_CHANNEL, PER_BLOCK } per;
	bool asymmetric;
	bool full_range;	/* of a symmetric method */
};

struct rounding {
	double scale;		/* steps per unit; 0: x stays as it is */
	double low, high;	/* steps */
};

struct extent {
	float low, high;
};

/* Reads a method's name, in any case.  Returns false for others. */
bool method_parse(struct method *m, const char *name);

/* Adds the numbers to the extent.  Returns false if one is not finite. */
bool extent_add(struct extent *e, const float *x, size_t n);

/* Returns the rounding for numbers of an extent, which becomes wider if it does
 * not contain 0.  With is_signed, a symmetric method has negative steps even if
 * the extent has no negative numbers.  bits is 1 to ROUNDING_MOST_BITS. */
struct rounding rounding_make(const struct method *m, unsigned bits,
    struct extent e, bool is_signed);

void rounding_apply(const struct rounding *r, float *x, size_t n);

#endif
