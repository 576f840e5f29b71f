// SPDX-License-Identifier: Apache-2.0
/* Every shift of a negative number is arithmetic: it rounds down, as gcc and
 * clang define it. */
#include "ref/attention.h"

/* floor(exp(-i / 8) 2^20 + 1/2), where i is the difference of two scores; 1/8 =
 * 1/sqrt(64) is the scale of scores.  From EXP_END on the weight is 0. */
enum { EXP_END = 117 };
static const int32_t exp_eighths[EXP_END + 1] = {
	1048576, 925365, 816632, 720675, 635993, 561262, 495312, 437112, 385750,
	340423, 300422, 265122, 233969, 206477, 182215, 160804, 141909, 125235,
	110519, 97533, 86072, 75959, 67033, 59157, 52206, 46071, 40658, 35880,
	31664, 27944, 24660, 21763, 19205, 16949, 14957, 13200, 11649, 10280,
	9072, 8006, 7065, 6235, 5502, 4856, 4285, 3782, 3337, 2945, 2599, 2294,
	2024, 1786, 1576, 1391, 1228, 1083, 956, 844, 745, 657, 580, 512, 452,
	399, 352, 310, 274, 242, 213, 188, 166, 147, 129, 114, 101, 89, 78, 69,
	61, 54, 48, 42, 37, 33, 29, 25, 22, 20, 18, 15, 14, 12, 11, 9, 8, 7, 6,
	6, 5, 4, 4, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0,
};

/* The guide's table: exp(-i) 2^20, rounded down, at least 1. */
enum { GUIDE_TABLE = 14 };
static const int32_t exp_whole[GUIDE_TABLE] = {
	1048576, 385749, 141909, 52205, 19205, 7065, 2599, 956, 351, 129, 47,
	17, 6, 2,
};

static int32_t
smaller(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static int32_t
larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static int32_t
clip_s8(int32_t x)
{
	return larger(-128, smaller(x, 127));
}

static int32_t
largest(const int32_t s[REF_SIDE])
{
	int32_t m = s[0];

	for (int j = 1; j < REF_SIDE; j++)
		m = larger(m, s[j]);
	return m;
}

static int32_t
sum(const int32_t s[REF_SIDE])
{
	int32_t total = 0;

	for (int j = 0; j < REF_SIDE; j++)
		total += s[j];
	return total;
}

/* ---- What all kernels do ---------------------------------------------- */

/* Multiplies a row of Q by each row of K. */
static void
multiply_keys(const int8_t *q, const int8_t *k, int32_t s[REF_SIDE])
{
	for (int j = 0; j < REF_SIDE; j++) {
		s[j] = 0;
		for (int i = 0; i < REF_SIDE; i++)
			s[j] += q[i] * k[j * REF_SIDE + i];
	}
}

/* Returns the sum of column i of V, weighted by w. */
static int32_t
multiply_values(const int32_t w[REF_SIDE], const int8_t *v, int i)
{
	int32_t total = 0;

	for (int j = 0; j < REF_SIDE; j++)
		total += w[j] * v[j * REF_SIDE + i];
	return total;
}

/* Computes attention.  weigh() turns a row of scores into weights in place, and
 * finish() scales a weighted sum of values to s8. */
static void
attend(const int8_t *qkv, int8_t *out, void (*weigh)(int32_t s[REF_SIDE]),
    int8_t (*finish)(int32_t total))
{
	const int8_t *k = qkv + REF_MATRIX, *v = k + REF_MATRIX;
	int32_t s[REF_SIDE];

	for (int row = 0; row < REF_SIDE; row++) {
		multiply_keys(qkv + row * REF_SIDE, k, s);
		weigh(s);
		for (int i = 0; i < REF_SIDE; i++)
			out[row * REF_SIDE + i] =
			    finish(multiply_values(s, v, i));
	}
}

/* ---- attention -------------------------------------------------------- */

static void
weigh_15_bits(int32_t s[REF_SIDE])
{
	int32_t most = largest(s), total;

	for (int j = 0; j < REF_SIDE; j++)
		s[j] = exp_eighths[smaller(most - s[j], EXP_END)];
	total = sum(s) >> 5;
	for (int j = 0; j < REF_SIDE; j++)
		s[j] = (s[j] >> 5) * 32767 / total;
}

static int8_t
finish_15_bits(int32_t total)
{
	return (int8_t)clip_s8((total + 16384) >> 15);
}

void
ref_attention(const int8_t *qkv, int8_t *out)
{
	attend(qkv, out, weigh_15_bits, finish_15_bits);
}

/* ---- The guide's ------------------------------------------------------ */

static void
weigh_7_bits(int32_t s[REF_SIDE], int shift, int again)
{
	int32_t most = largest(s) >> shift, x, total;

	for (int j = 0; j < REF_SIDE; j++) {
		x = larger(((s[j] >> shift) - most) >> again, -127);
		s[j] = -x < GUIDE_TABLE ? exp_whole[-x] : 1;
	}
	total = larger(sum(s) >> 10, 1);
	for (int j = 0; j < REF_SIDE; j++)
		s[j] = smaller((s[j] >> 10) * 127 / total, 127);
}

static void
weigh_guide(int32_t s[REF_SIDE])
{
	weigh_7_bits(s, 3, 0);
}

static void
weigh_lut8(int32_t s[REF_SIDE])
{
	weigh_7_bits(s, 3, 8);
}

static void
weigh_shift4(int32_t s[REF_SIDE])
{
	weigh_7_bits(s, 4, 8);
}

static int8_t
finish_7_bits(int32_t total)
{
	total += total >= 0 ? 64 : -64;
	return (int8_t)clip_s8(total >> 7);
}

void
ref_attention_guide(const int8_t *qkv, int8_t *out)
{
	attend(qkv, out, weigh_guide, finish_7_bits);
}

void
ref_attention_lut8(const int8_t *qkv, int8_t *out)
{
	attend(qkv, out, weigh_lut8, finish_7_bits);
}

void
ref_attention_shift4(const int8_t *qkv, int8_t *out)
{
	attend(qkv, out, weigh_shift4, finish_7_bits);
}

/* ---- Its first, with scores of 8 bits --------------------------------- */

/* Computes weights with a parabola for exp(x): 64 + x + x^2 / 128. */
static void
weigh_int8(int32_t s[REF_SIDE])
{
	int32_t most, x, total;

	for (int j = 0; j < REF_SIDE; j++)
		s[j] = clip_s8(s[j] >> 3);
	most = largest(s);
	for (int j = 0; j < REF_SIDE; j++) {
		x = larger(s[j] - most, -64);
		s[j] = larger(64 + x + x * x / 128, 0);
	}
	total = sum(s);
	for (int j = 0; j < REF_SIDE; j++)
		s[j] = smaller(s[j] * 127 / total, 127);
}

static int8_t
finish_int8(int32_t total)
{
	return (int8_t)clip_s8(total >> 7);
}

void
ref_attention_int8(const int8_t *qkv, int8_t *out)
{
	attend(qkv, out, weigh_int8, finish_int8);
}
