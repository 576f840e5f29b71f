/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of cosine.h.  COSINE_TARGET has the attributes of the functions,
 * and a register holds COSINE_WIDTH numbers, 2 or 4.  Products are exact, so a
 * fused multiply-add rounds like two operations.
 */
#include <string.h>

#include "tensor/cosine.h"

#define LANES COSINE_LANES
#define WIDTH COSINE_WIDTH
#define BODY COSINE_TARGET static inline __attribute__((always_inline))
#define FLOATS float __attribute__((vector_size(4 * WIDTH)))
#define DOUBLES double __attribute__((vector_size(8 * WIDTH)))

enum { PARTS = LANES / WIDTH };

/* LANES sums. */
struct cosine_sums {
	DOUBLES part[PARTS];
};

/* Clears the sums one by one, because a string instruction takes as long as 100
 * products. */
BODY void
clear(struct cosine_sums *s)
{
	for (int k = 0; k < PARTS; k++)
		s->part[k] = (DOUBLES){ 0 };
}

/* Adds sums that are 8 apart, then 4, 2 and 1. */
BODY double
total(const struct cosine_sums *s)
{
	const DOUBLES *p = s->part;
#if COSINE_WIDTH == 4
	DOUBLES t = (p[0] + p[2]) + (p[1] + p[3]);

	return (t[0] + t[2]) + (t[1] + t[3]);
#else
	DOUBLES t = ((p[0] + p[4]) + (p[2] + p[6])) +
	    ((p[1] + p[5]) + (p[3] + p[7]));

	return t[0] + t[1];
#endif
}

/* Converts a register of x to binary64; x may be at any multiple of 4 bytes.  A
 * kernel defines this macro itself if the compiler does not find a single
 * instruction. */
#ifndef COSINE_WIDENED
#define COSINE_WIDENED(x) __extension__ ({ \
	FLOATS f_; \
	memcpy(&f_, (x), sizeof(f_)); \
	__builtin_convertvector(f_, DOUBLES); })
#endif

BODY void
add_products(const float *x, const double *q, struct cosine_sums *dot)
{
	DOUBLES y;

	for (int k = 0; k < PARTS; k++) {
		memcpy(&y, q + WIDTH * k, sizeof(y));
		dot->part[k] += COSINE_WIDENED(x + WIDTH * k) * y;
	}
}

BODY void
add_squares(const float *x, struct cosine_sums *square)
{
	for (int k = 0; k < PARTS; k++) {
		DOUBLES y = COSINE_WIDENED(x + WIDTH * k);

		square->part[k] += y * y;
	}
}

/* Copies the last n % LANES numbers and fills up with zeros. */
BODY void
tail(const float *x, size_t n, float last[LANES])
{
	memset(last, 0, LANES * sizeof(*last));
	memcpy(last, x + n / LANES * LANES, n % LANES * sizeof(*last));
}

/* Computes the sums of the first query and of the squares. */
BODY void
query_and_square(const float *x, size_t n, const double *q, double *dot,
    double *square)
{
	struct cosine_sums d, s;
	float last[LANES];
	size_t i;

	clear(&d);
	clear(&s);
	for (i = 0; n - i >= LANES; i += LANES) {
		add_products(x + i, q + i, &d);
		add_squares(x + i, &s);
	}
	if (i < n) {
		tail(x, n, last);
		add_products(last, q + i, &d);
		add_squares(last, &s);
	}
	*dot = total(&d);
	*square = total(&s);
}

/* Computes the sums of two more queries. */
BODY void
two_queries(const float *x, size_t n, const double *q, const double *r,
    double *dot)
{
	struct cosine_sums d, e;
	float last[LANES];
	size_t i;

	clear(&d);
	clear(&e);
	for (i = 0; n - i >= LANES; i += LANES) {
		add_products(x + i, q + i, &d);
		add_products(x + i, r + i, &e);
	}
	if (i < n) {
		tail(x, n, last);
		add_products(last, q + i, &d);
		add_products(last, r + i, &e);
	}
	dot[0] = total(&d);
	dot[1] = total(&e);
}

COSINE_TARGET static void
dots(const float *x, size_t n, const double *q, size_t queries, double *dot,
    double *square)
{
	const size_t row = cosine_padded(n);
	double two[2];
	size_t k;

	query_and_square(x, n, q, &dot[0], square);
	for (k = 1; queries - k >= 2; k += 2)
		two_queries(x, n, q + k * row, q + (k + 1) * row, &dot[k]);
	if (k < queries) {
		two_queries(x, n, q + k * row, q + k * row, two);
		dot[k] = two[0];
	}
}
