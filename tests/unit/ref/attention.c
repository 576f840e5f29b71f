// SPDX-License-Identifier: Apache-2.0
/* Compares attention with its definitions.  They are computed in 64 bits, and
 * with exp() of the C library. */
#include <math.h>
#include <string.h>

#include "ref/attention.h"
#include "ref/exact.h"
#include "tap.h"

/* ---- The definitions --------------------------------------------------- */

static int64_t
clip(int64_t x, int64_t least, int64_t most)
{
	return x < least ? least : x > most ? most : x;
}

/* Returns x / 2^bits, rounded down. */
static int64_t
shifted(int64_t x, int bits)
{
	return (int64_t)floor(ldexp((double)x, -bits));
}

/* ours: the kernel attention; k and l: the shifts of the guide's kernels;
 * attention-int8 has k 0. */
struct definition {
	const char *name;
	void (*compute)(const int8_t *qkv, int8_t *out);
	bool ours;
	int k, l;
};

static const struct definition definitions[] = {
	{ "attention", ref_attention, true, 0, 0 },
	{ "attention-guide", ref_attention_guide, false, 3, 0 },
	{ "attention-lut8", ref_attention_lut8, false, 3, 8 },
	{ "attention-shift4", ref_attention_shift4, false, 4, 8 },
	{ "attention-int8", ref_attention_int8, false, 0, 0 },
};

/* Returns the weight of a score before normalisation.  x <= 0 is the score
 * minus the greatest score of the row. */
static int64_t
weight(const struct definition *d, int64_t x)
{
	int64_t e;

	if (d->ours)
		return x <= -117 ? 0 : (int64_t)floor(exp((double)x / 8) *
		    1048576 + 0.5);
	if (d->k == 0) {
		x = x < -64 ? -64 : x;
		e = 64 + x + x * x / 128;
		return e < 0 ? 0 : e;
	}
	e = (int64_t)(exp((double)clip(shifted(x, d->l), -127, 0)) * 1048576);
	return e < 1 ? 1 : e;
}

/* Returns the weight e as a fraction of the total, in 15 or 7 bits. */
static int64_t
normalised(const struct definition *d, int64_t e, int64_t total)
{
	int bits = d->ours ? 5 : d->k == 0 ? 0 : 10;
	int64_t most = d->ours ? 32767 : 127;

	return clip(shifted(e, bits) * most / shifted(total, bits), 0, most);
}

static int64_t
finished(const struct definition *d, int64_t a)
{
	if (d->ours)
		return clip(shifted(a + 16384, 15), -128, 127);
	if (d->k != 0)
		a += a >= 0 ? 64 : -64;
	return clip(shifted(a, 7), -128, 127);
}

static void
define_row(const struct definition *d, const int8_t *q, const int8_t *k,
    int64_t w[64])
{
	int64_t most = INT64_MIN, total = 0;

	for (int j = 0; j < 64; j++) {
		w[j] = 0;
		for (int i = 0; i < 64; i++)
			w[j] += q[i] * k[64 * j + i];
		if (!d->ours)
			w[j] = shifted(w[j], d->k == 0 ? 3 : d->k);
		if (!d->ours && d->k == 0)
			w[j] = clip(w[j], -128, 127);
		most = w[j] > most ? w[j] : most;
	}
	for (int j = 0; j < 64; j++)
		total += w[j] = weight(d, w[j] - most);
	for (int j = 0; j < 64; j++)
		w[j] = normalised(d, w[j], total);
}

static void
define(const struct definition *d, const int8_t *qkv, int8_t *out)
{
	const int8_t *v = qkv + 2 * REF_MATRIX;
	int64_t w[64], a;

	for (int row = 0; row < 64; row++) {
		define_row(d, qkv + 64 * row, qkv + REF_MATRIX, w);
		for (int i = 0; i < 64; i++) {
			a = 0;
			for (int j = 0; j < 64; j++)
				a += w[j] * v[64 * j + i];
			out[64 * row + i] = (int8_t)finished(d, a);
		}
	}
}

/* ---- Matrices ---------------------------------------------------------- */

/* Fills Q, K and V with numbers from -amplitude to amplitude; 128 becomes
 * 127. */
static void
fill(int8_t *qkv, int amplitude, uint32_t *state)
{
	for (int i = 0; i < 3 * REF_MATRIX; i++) {
		*state = *state * 1664525 + 1013904223;
		qkv[i] = (int8_t)clip((int64_t)(*state >> 8) %
		    (2 * amplitude + 1) - amplitude, -128, 127);
	}
}

static void
as_defined(const struct definition *d)
{
	static const int amplitudes[] = { 0, 1, 2, 3, 5, 9, 20, 64, 128 };
	int8_t qkv[3 * REF_MATRIX], out[REF_MATRIX], want[REF_MATRIX];
	uint32_t state = 3;
	int bad = 0;

	for (int t = 0; t < 9; t++) {
		fill(qkv, amplitudes[t], &state);
		d->compute(qkv, out);
		define(d, qkv, want);
		bad += memcmp(out, want, sizeof(out)) != 0;
	}
	ok(bad == 0, "%s: for matrices of 9 amplitudes, the result is as "
	    "defined", d->name);
}

static void
accuracy(void)
{
	int8_t qkv[3 * REF_MATRIX], out[REF_MATRIX];
	float exact[REF_MATRIX];
	uint32_t state = 4;
	double most = 0, error;

	for (int t = 0; t < 60; t++) {
		fill(qkv, 1 + t * 2, &state);
		ref_attention(qkv, out);
		ref_attention_exact(qkv, exact);
		for (int i = 0; i < REF_MATRIX; i++) {
			error = fabs((double)out[i] - (double)exact[i]);
			most = error > most ? error : most;
		}
	}
	ok(most > 0.49 && most < 0.51,
	    "attention gives the exact result, rounded to s8");
	if (most >= 0.51)
		diag("%.4f", most);
}

/* ---- Worked by hand ----------------------------------------------------- */

/* With Q = 0 all weights are equal: 511 of 32768 in attention, and 1 of 128 in
 * the other kernels. */
static void
equal_weights(void)
{
	static const struct { int8_t v, want[5]; } rows[] = {
		{ 127, { 127, 64, 64, 64, 63 } },
		{ 2, { 2, 1, 1, 1, 1 } },
		{ 1, { 1, 1, 1, 1, 0 } },
		{ 0, { 0, 0, 0, 0, 0 } },
		{ -1, { -1, -1, -1, -1, -1 } },
		{ -2, { -2, -2, -2, -2, -1 } },
		{ -128, { -128, -65, -65, -65, -64 } },
	};
	int8_t qkv[3 * REF_MATRIX] = { 0 }, out[REF_MATRIX];

	for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
		memset(qkv + 2 * REF_MATRIX, rows[r].v, REF_MATRIX);
		for (int d = 0; d < 5; d++) {
			definitions[d].compute(qkv, out);
			ok(out[0] == rows[r].want[d] && out[REF_MATRIX - 1] ==
			    rows[r].want[d], "%s: equal scores and V of %d "
			    "give %d", definitions[d].name, rows[r].v,
			    rows[r].want[d]);
		}
	}
}

/* 511 x 32 + 16384 is less than 2^15; 512 x 32 + 16384 is not. */
static void
half_weights(void)
{
	int8_t qkv[3 * REF_MATRIX] = { 0 }, out[REF_MATRIX];

	memset(qkv + 2 * REF_MATRIX, 1, REF_MATRIX / 2);
	ref_attention(qkv, out);
	ok(out[0] == 0 && out[63] == 0,
	    "attention: equal scores and V of 0 and 1 give 0");
}

/* Tests the largest score, 2^20, and the least, -1040384. */
static void
extremes(void)
{
	int8_t qkv[3 * REF_MATRIX], out[REF_MATRIX], *v = qkv + 2 * REF_MATRIX;
	float exact[REF_MATRIX];

	memset(qkv, -128, REF_MATRIX);
	memset(qkv + REF_MATRIX, 127, REF_MATRIX);
	memset(qkv + REF_MATRIX + 5 * 64, -128, 64);
	memset(v, 77, REF_MATRIX);
	memset(v + 5 * 64, -128, 32);
	memset(v + 5 * 64 + 32, 127, 32);
	ref_attention(qkv, out);
	ok(out[0] == -128 && out[63] == 127,
	    "attention: the row of V with the largest score is the result");
	ref_attention_exact(qkv, exact);
	ok(exact[0] == -128 && exact[63] == 127,
	    "attention-exact: the result is the same, and nothing overflows");
}

int
main(void)
{
	for (int d = 0; d < 5; d++)
		as_defined(&definitions[d]);
	accuracy();
	equal_weights();
	half_weights();
	extremes();
	return done();
}
