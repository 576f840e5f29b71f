/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of values, and small constants.
 *
 * Sizes and numbers are doubles.  Sums and products of a hostile file's numbers
 * cannot overflow, and NAN, which means unknown, stays unknown in calculations.
 * Doubles represent sizes up to 2^53 exactly.
 */
#ifndef MODEL_SHAPES_SHAPE_H
#define MODEL_SHAPES_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#define SHAPE_DIMS 8		/* more dimensions: the rank is unknown */
#define NUMBERS_MOST 16		/* pads have two for each dimension */

struct shape {
	bool ranked;		/* the number of dimensions is known */
	unsigned ndim;
	double dim[SHAPE_DIMS];	/* whole and not negative, or NAN */
};

/* The elements of a small tensor, or the list in an attribute. */
struct numbers {
	bool real;		/* of a floating-point type */
	unsigned n;
	double v[NUMBERS_MOST];	/* NAN: unknown */
};

/* Returns v, or NAN if v cannot be a size. */
double shape_size(double v);

/* Returns a shape of ndim unknown sizes; without a rank if ndim is too large.
 */
struct shape shape_of_rank(double ndim);

/* Adds a size; beyond SHAPE_DIMS, the shape loses its rank. */
void shape_add(struct shape *s, double size);

/* Stores the axis, which may count from the end, as in Python.  Returns false
 * if axis is not an axis of ndim dimensions. */
bool shape_axis(double axis, unsigned ndim, unsigned *found);

/* Returns the product of the sizes from first up to end. */
double shape_product(const struct shape *s, unsigned first, unsigned end);

/* Multiplies *n by a size.  Returns false if the size is unknown, or if the
 * product has more than 64 bits. */
bool shape_multiply(uint64_t *n, double size);
/* The same, with all sizes from first up to end. */
bool shape_multiply_sizes(uint64_t *n, const struct shape *s, unsigned first,
    unsigned end);

/* Returns the shape of an elementwise operator's result, as numpy does. */
struct shape shape_broadcast(const struct shape *a, const struct shape *b);

/* Completes a with the sizes of b, where a does not know them. */
void shape_complete(struct shape *a, const struct shape *b);

#endif
