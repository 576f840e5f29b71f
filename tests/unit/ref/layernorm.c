// SPDX-License-Identifier: Apache-2.0
/*
 * Compares layer normalisation with its definition.  Each operation of the
 * definition is computed in double and then rounded to float32.  This gives the
 * same result as one rounding, because 53 bits are more than twice 24, plus 2.
 */
#include <math.h>
#include <string.h>

#include "ref/bf16.h"
#include "ref/exact.h"
#include "ref/layernorm.h"
#include "tap.h"

enum { MOST = 1024 };

/* ---- The definition ---------------------------------------------------- */

static double
rounded(double x)
{
	return (double)(float)x;
}

static double
root(double v)
{
	double h = rounded(0.5 * v), y;
	uint32_t bits = 0x5f3759df - (float_bits((float)v) >> 1);
	float guess;

	memcpy(&guess, &bits, sizeof(guess));
	y = (double)guess;
	for (int step = 0; step < 2; step++)
		y = rounded(y * rounded(1.5 - rounded(rounded(h * y) * y)));
	return y;
}

static void
define(const uint16_t *x, size_t n, uint16_t *out)
{
	double s = 0, q = 0, m, d, r;

	for (size_t i = 0; i < n; i++)
		s = rounded(s + (double)bf16_value(x[i]));
	m = rounded(s / (double)n);
	for (size_t i = 0; i < n; i++) {
		d = rounded((double)bf16_value(x[i]) - m);
		q = rounded(q + rounded(d * d));
	}
	r = root(rounded(rounded(q / (double)n) + (double)bf16_value(0x3728)));
	for (size_t i = 0; i < n; i++) {
		d = rounded((double)bf16_value(x[i]) - m);
		out[i] = bf16_rounded((float)(d * r));
	}
}

/* ---- Rows -------------------------------------------------------------- */

static uint32_t
next(uint32_t *state)
{
	return *state = *state * 1664525 + 1013904223;
}

/* Fills x with numbers of both signs below 2^exponent, over 8 powers of two. */
static void
fill(uint16_t *x, size_t n, int exponent, uint32_t *state)
{
	uint32_t r;

	for (size_t i = 0; i < n; i++) {
		r = next(state) >> 8;
		x[i] = (uint16_t)((r & 0x8000) |
		    (uint32_t)(exponent + 119) << 7 | (r & 0x3ff));
	}
}

static void
random_rows(void)
{
	static const size_t lengths[] = { 1, 3, 7, 100, 512, 700, 1000, MOST };
	uint16_t x[MOST], out[MOST], want[MOST];
	uint32_t state = 1;
	int bad = 0;

	for (int t = 0; t < 3200; t++) {
		size_t n = lengths[t % 8];

		fill(x, n, t / 8 % 100 - 50, &state);
		ref_layernorm(x, n, out);
		define(x, n, want);
		bad += memcmp(out, want, n * sizeof(*out)) != 0;
	}
	ok(bad == 0, "rows of 8 lengths and 100 magnitudes are as defined");
}

/* The mean may differ from the equal elements by rounding.  Each element then
 * has a distance from the mean. */
static void
equal_rows(void)
{
	uint16_t x[200], out[200], want[200];
	int bad = 0;

	for (size_t n = 1; n <= 200; n++) {
		for (size_t i = 0; i < n; i++)
			x[i] = (uint16_t)(0x3f80 + n);
		ref_layernorm(x, n, out);
		define(x, n, want);
		bad += memcmp(out, want, n * sizeof(*out)) != 0;
	}
	ok(bad == 0, "rows of 1 to 200 equal elements are as defined");
}

/* Measures the distance to the exact value in steps of bf16, for values that
 * are not small. */
static void
accuracy(void)
{
	uint16_t x[512], out[512];
	float exact[512];
	uint32_t state = 2;
	double most = 0, y, error;

	for (int t = 0; t < 200; t++) {
		fill(x, 512, t % 20 - 10, &state);
		ref_layernorm(x, 512, out);
		ref_layernorm_exact(x, 512, exact);
		for (int i = 0; i < 512; i++) {
			y = fabs((double)exact[i]);
			error = fabs((double)bf16_value(out[i]) -
			    (double)exact[i]) / exp2(floor(log2(y)) - 7);
			if (y > 1e-3 && error > most)
				most = error;
		}
	}
	ok(most > 0.49 && most < 0.502,
	    "the result is the exact value, rounded to bf16");
	if (most >= 0.502)
		diag("%.4f steps", most);
}

/* ---- Rows calculated by hand ------------------------------------------- */

static void
check(const char *name, size_t n, const uint16_t *x, const uint16_t *want)
{
	uint16_t out[8];

	ref_layernorm(x, n, out);
	if (!ok(memcmp(out, want, n * sizeof(*out)) == 0, "%s", name))
		for (size_t i = 0; i < n; i++)
			diag("%04x: %04x, not %04x", x[i], out[i], want[i]);
}
#define CHECK(name, ...) do { \
	static const uint16_t rows[][8] = { __VA_ARGS__ }; \
	check(name, sizeof(rows[0]) / sizeof(rows[0][0]), rows[0], rows[1]); \
} while (0)

static void
by_hand(void)
{
	CHECK("equal elements become 0",
	    { 0x4040, 0x4040, 0x4040, 0x4040, 0x4040, 0x4040, 0x4040, 0x4040 },
	    { 0 });
	CHECK("1 and -1 keep their value to 8 bits",
	    { 0x3f80, 0xbf80, 0x3f80, 0xbf80, 0x3f80, 0xbf80, 0x3f80, 0xbf80 },
	    { 0x3f80, 0xbf80, 0x3f80, 0xbf80, 0x3f80, 0xbf80, 0x3f80,
	    0xbf80 });
	/* In float32, 2^24 + 1 is 2^24, so the sum is 0.  The variance is 2^46,
	 * and 1 becomes 2^-23. */
	CHECK("elements are added in order",
	    { 0x4b80, 0x3f80, 0x3f80, 0xcb80, 0, 0, 0, 0 },
	    { 0x4000, 0x3400, 0x3400, 0xc000, 0, 0, 0, 0 });
	/* The sum is 2.4e39, so all distances are -infinity. */
	CHECK("a sum that exceeds float32 gives infinity",
	    { 0x7f61, 0x7f61, 0x7f61, 0x7f61, 0x7f61, 0x7f61, 0x7f61, 0x7f61 },
	    { 0xff80, 0xff80, 0xff80, 0xff80, 0xff80, 0xff80, 0xff80,
	    0xff80 });
}

static void
not_numbers(void)
{
	CHECK("a NaN makes all elements NaN with its bits",
	    { 0x3f80, 0xbf80, 0x7fc5, 0, 0, 0, 0, 0 },
	    { 0x7fc5, 0x7fc5, 0x7fc5, 0x7fc5, 0x7fc5, 0x7fc5, 0x7fc5,
	    0x7fc5 });
	CHECK("with several NaNs, each keeps its bits and becomes quiet",
	    { 0x3f80, 0xff81, 0x7f83, 0x7fff, 0, 0, 0, 0 },
	    { 0xffc1, 0xffc1, 0x7fc3, 0x7fff, 0xffc1, 0xffc1, 0xffc1,
	    0xffc1 });
	CHECK("with an infinity, all elements become the negative NaN",
	    { 0x3f80, 0x7f80, 0, 0, 0, 0, 0, 0 },
	    { 0xffc0, 0xffc0, 0xffc0, 0xffc0, 0xffc0, 0xffc0, 0xffc0,
	    0xffc0 });
	CHECK("with two infinities, all elements become the negative NaN",
	    { 0xff80, 0x7f80, 0, 0, 0, 0, 0, 0 },
	    { 0xffc0, 0xffc0, 0xffc0, 0xffc0, 0xffc0, 0xffc0, 0xffc0,
	    0xffc0 });
	/* The variance is infinite, and so is its inverse root: the results are
	 * 0 times infinity, and 3e38 times infinity. */
	CHECK("if only squares are infinite, 0 becomes NaN",
	    { 0x7f61, 0xff61, 0, 0, 0, 0, 0, 0 },
	    { 0x7f80, 0xff80, 0xffc0, 0xffc0, 0xffc0, 0xffc0, 0xffc0,
	    0xffc0 });
}

static void
rounding(void)
{
	/* 1 + 1/256, 1 + 3/256, and the next float32 above 1 + 1/256 */
	ok(bf16_rounded(1.00390625f) == 0x3f80, "a half rounds down to even");
	ok(bf16_rounded(1.01171875f) == 0x3f82, "a half rounds up to even");
	ok(bf16_rounded(1.00390637f) == 0x3f81, "more than a half rounds up");
	ok(bf16_rounded(-1.01171875f) == 0xbf82,
	    "a negative half rounds to even");
	ok(bf16_rounded(3.4028235e38f) == 0x7f80,
	    "the largest float32 rounds to infinity");
	ok(bf16_rounded(-0.0f) == 0x8000, "-0 keeps its sign");
}

static void
exact(void)
{
	static const uint16_t pair[] = { 0x3f80, 0xbf80 };
	static const uint16_t nan[] = { 0x3f80, 0xff81, 0x7f80 };
	static const uint16_t infinite[] = { 0x3f80, 0x7f80 };
	/* eps, 1.0014e-5, is 0x1.5p-17: 168 x 2^-24 */
	float want = (float)(1 / sqrt(1 + 168 * 0x1p-24)), out[3];

	ref_layernorm_exact(pair, 2, out);
	ok(out[0] == want && out[1] == -want,
	    "the exact value of 1 and -1 is 1 / sqrt(1 + eps)");
	ref_layernorm_exact(nan, 3, out);
	ok(float_bits(out[0]) == 0xffc10000 && float_bits(out[1]) ==
	    0xffc10000 && float_bits(out[2]) == 0xffc10000,
	    "the exact value of a row with a NaN has the bits of the NaN");
	ref_layernorm_exact(infinite, 2, out);
	ok(float_bits(out[0]) == 0xffc00000 && float_bits(out[1]) ==
	    0xffc00000, "the exact value of infinity is the negative NaN");
}

int
main(void)
{
	random_rows();
	equal_rows();
	accuracy();
	by_hand();
	not_numbers();
	rounding();
	exact();
	return done();
}
