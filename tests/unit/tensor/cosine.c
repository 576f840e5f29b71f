// SPDX-License-Identifier: Apache-2.0
/* Tests that every kernel adds products in the order of vec-nearest(1), bit for
 * bit, at any width, alignment and number of queries. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tensor/cosine.h"
#include "tensor/cosine_kernels.h"

enum { MOST = 600, QUERIES = 9 };

struct kernel {
	const char *name;
	void (*dots)(const float *x, size_t n, const double *q,
	    size_t queries, double *dot, double *square);
};

static uint32_t state = 1;

/* Returns a number of any magnitude, or sometimes 0. */
static float
any(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	if (state % 16 == 0)
		return 0;
	return ldexpf((float)(int32_t)state, (int)(state % 60) - 60);
}

/* Adds in the order of the manual page, one operation after the other. */
static double
by_the_page(const float *x, const float *y, size_t n)
{
	volatile double s[16] = { 0 };

	for (size_t i = 0; i < n; i++)
		s[i % 16] += (double)x[i] * (double)y[i];
	for (int apart = 8; apart > 0; apart /= 2)
		for (int k = 0; k < apart; k++)
			s[k] += s[k + apart];
	return s[0];
}

/* Compares one width, at place floats after an aligned address. */
static bool
agrees(const struct kernel *kernel, size_t n, size_t queries, size_t place)
{
	static float x[MOST + 16], y[QUERIES][MOST];
	static double q[QUERIES * (MOST + 16)];
	const size_t row = cosine_padded(n);
	double dot[QUERIES], square;
	bool same = true;

	for (size_t i = 0; i < n; i++)
		x[place + i] = any();
	for (size_t k = 0; k < queries; k++) {
		for (size_t i = 0; i < n; i++)
			y[k][i] = any();
		same = cosine_query(y[k], n, q + k * row) ==
		    by_the_page(y[k], y[k], n) && same;
	}
	kernel->dots(x + place, n, q, queries, dot, &square);
	for (size_t k = 0; k < queries; k++)
		same = dot[k] == by_the_page(x + place, y[k], n) && same;
	return same && square == by_the_page(x + place, x + place, n);
}

static void
kernels(void)
{
	static const struct kernel all[] = {
		{ "plain", cosine_dots_plain },
		{ "the best of this CPU", cosine_dots },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const struct kernel *w = &all[i];
		bool same = true;

		for (size_t n = 1; n < 70; n++)
			for (size_t queries = 1; queries <= QUERIES; queries++)
				same = agrees(w, n, queries, n % 16) && same;
		ok(same, "%s: widths 1 to 69 agree with the page", w->name);
		same = agrees(w, 512, 1, 0) && agrees(w, 512, QUERIES, 3) &&
		    agrees(w, MOST, 4, 1);
		ok(same,
		    "%s: widths 512 and %d agree with the page", w->name, MOST);
	}
}

static void
odd(void)
{
	float x[20] = { 0 };
	double q[32], dot, square;

	x[18] = 1;
	cosine_query(x, 20, q);
	x[19] = NAN;
	cosine_dots(x, 20, q, 1, &dot, &square);
	ok(isnan(square), "with a NaN, the sum of squares is NaN");
	x[19] = -INFINITY;
	cosine_dots(x, 20, q, 1, &dot, &square);
	ok(isinf(square), "with an infinity, the sum of squares is infinite");
	x[19] = 1e-45f;
	x[18] = 0;
	cosine_dots(x, 20, q, 1, &dot, &square);
	ok(square > 0 && dot == 0, "the least float has a square above 0");
	ok(cosine(square, square, square) == 1,
	    "a vector of the least float has cosine 1 with itself");
	x[19] = 3e38f;
	cosine_dots(x, 20, q, 1, &dot, &square);
	ok(isfinite(square) && cosine(square, square, square) == 1,
	    "a vector of a very large float has cosine 1 with itself");
	ok(cosine(1 + 1e-15, 1, 1) == 1 && cosine(-1 - 1e-15, 1, 1) == -1,
	    "a cosine is never above 1 or below -1");
	ok(!signbit(cosine(-0.0, 1, 1)), "a cosine is never -0");
}

int
main(void)
{
	kernels();
	odd();
	return done();
}
