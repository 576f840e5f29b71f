// SPDX-License-Identifier: Apache-2.0
/* Compares the formula with numpy (tests/data/quant.txt), and tests its
 * refusals and half floats. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "npu.h"
#include "tap.h"
#include "tensor/half.h"
#include "tensor/tensor.h"

#define MOST 512		/* bytes of one column of the table */

struct row {
	char kind;
	struct npu_tensor t;
	size_t n;		/* elements */
	uint8_t in[MOST], want[MOST];
	size_t in_bytes, want_bytes;
	uint64_t clipped;
};

static size_t
unhex(const char *s, uint8_t *out)
{
	size_t n = 0;
	unsigned v;

	while (n < MOST && sscanf(s + 2 * n, "%2x", &v) == 1)
		out[n++] = (uint8_t)v;
	return n;
}

static bool
parse(const char *line, struct row *r)
{
	char type[8], scale[16], in[2 * MOST + 1], want[2 * MOST + 1];
	uint8_t bits[MOST];
	unsigned clipped;

	memset(r, 0, sizeof(*r));
	if (sscanf(line, "%c %7s %15s %d %1024s %1024s %u", &r->kind, type,
	    scale, &r->t.zero_point, in, want, &clipped) != 7)
		return false;
	r->t.dtype = (uint32_t)npu_dtype_by_name(type);
	unhex(scale, bits);
	memcpy(&r->t.scale, bits, 4);
	r->in_bytes = unhex(in, r->in);
	r->want_bytes = unhex(want, r->want);
	r->n = r->in_bytes / (r->kind == 'd' ?
	    npu_dtype_size(r->t.dtype) : 4);
	r->clipped = clipped;
	return true;
}

static void
compare_row(const struct row *r, unsigned number)
{
	/* The data begin at an odd address: neither direction may rely on
	 * aligned data. */
	uint8_t stored[MOST + 1], *q = stored + 1;
	struct npu_quant_stats st = { 0 };
	float x[MOST / 4];
	struct npu_err err = { 0 };
	const void *got;
	int rc;

	if (r->kind == 'd') {
		memcpy(q, r->in, r->in_bytes);
		rc = npu_dequantise(&r->t, q, r->n, x, &err);
		got = x;
	} else {
		memcpy(x, r->in, r->in_bytes);
		rc = npu_quantise(&r->t, x, r->n, q, false, &st, &err);
		got = q;
	}
	ok(rc == 0 && memcmp(got, r->want, r->want_bytes) == 0 &&
	    st.clipped == r->clipped,
	    "line %u (%c, %s): the result is the same as numpy's", number,
	    r->kind, npu_dtype_name(r->t.dtype));
	if (rc != 0)
		diag("%s", err.msg);
	for (size_t i = 0; i < r->want_bytes; i++)
		if (((const uint8_t *)got)[i] != r->want[i]) {
			diag("byte %zu is %02x, not %02x", i,
			    ((const uint8_t *)got)[i], r->want[i]);
			break;
		}
}

static void
compare_with_numpy(void)
{
	FILE *f = fopen("tests/data/quant.txt", "r");
	char line[4 * MOST + 100];
	unsigned number = 0, rows = 0;
	struct row r;

	if (!ok(f != NULL, "tests/data/quant.txt can be opened"))
		return;
	while (fgets(line, sizeof(line), f) != NULL) {
		number++;
		if (line[0] == '#')
			continue;
		if (!ok(parse(line, &r), "line %u can be parsed", number))
			break;
		compare_row(&r, number);
		rows++;
	}
	ok(rows == 136, "136 rows were compared");
	fclose(f);
}

/* Worked out by hand: the embedding of the CLIP text model (noe-abi 2.2). */
static void
by_hand(void)
{
	struct npu_tensor t = { .dtype = NPU_S8, .scale = 20,
	    .zero_point = 60 };
	const int8_t q[] = { 0, 127, -128 };
	float x[3];
	int8_t back[3];

	npu_dequantise(&t, q, 3, x, NULL);
	ok(x[0] == 3.0f && x[1] == 9.35f && x[2] == -3.4f,
	    "the zero point is added, then the sum is divided by the scale");
	npu_quantise(&t, x, 3, back, false, NULL, NULL);
	ok(memcmp(q, back, 3) == 0,
	    "quantising gives the stored integers again");
}

static void
refusals(void)
{
	struct npu_tensor t = { .dtype = NPU_S8, .scale = 1 };
	float x[3] = { 1, 2, NAN };
	struct npu_quant_stats st = { 0 };
	uint8_t q[8] = { 7, 7, 7 };
	struct npu_err err;

	ok(npu_quantise(&t, x, 3, q, false, NULL, &err) == NPU_EUSAGE &&
	    strcmp(err.msg, "element 2 is not a number (NaN)") == 0,
	    "NaN is refused with its index");
	ok(q[0] == 7, "if NaN is refused, nothing is written");
	ok(npu_quantise(&t, x, 3, q, true, &st, &err) == 0 && q[2] == 0 &&
	    st.nan == 1 && st.clipped == 0,
	    "NaN becomes 0 and is counted if this is allowed");
	t.scale = 0;
	ok(npu_dequantise(&t, q, 1, x, &err) == NPU_EUSAGE,
	    "a scale of 0 is refused");
	t.scale = INFINITY;
	ok(npu_dequantise(&t, q, 1, x, &err) == NPU_EUSAGE,
	    "an infinite scale is refused");
	t = (struct npu_tensor){ .dtype = NPU_S4C, .scale = 1 };
	ok(npu_dequantise(&t, q, 1, x, &err) == NPU_EUSAGE,
	    "a compact type is refused");
	t.dtype = 0x99;
	ok(npu_dequantise(&t, q, 1, x, &err) == NPU_EUSAGE,
	    "an unknown type is refused");
}

/* Tests enough elements for stores that bypass the caches, at an address that
 * is not aligned. */
static void
many(uint32_t dtype, float scale)
{
	enum { N = (4 << 20) + 4097 };
	struct npu_tensor t = { .dtype = dtype, .scale = scale,
	    .zero_point = -5 };
	int16_t *q = malloc(N * sizeof(*q));
	float *x = malloc((N + 1) * sizeof(*x)), v;
	size_t wrong = 0;

	for (size_t i = 0; i < N; i++)
		q[i] = (int16_t)(i * 40503);
	npu_dequantise(&t, q, N, x + 1, NULL);
	for (size_t i = 0; i < N; i++) {
		v = dtype == NPU_S16 ? q[i] : dtype == NPU_S8 ?
		    ((int8_t *)q)[i] : ((uint8_t *)q)[i];
		wrong += x[i + 1] != (v - 5.0f) / scale;
	}
	ok(wrong == 0, "%s: a very long run is converted like a short one",
	    npu_dtype_name(dtype));
	free(q);
	free(x);
}

/* Returns true if the value v is read.  The type may be stored in more bits
 * than it uses. */
static bool
stored_ok(uint32_t dtype, int v)
{
	struct npu_tensor t = { .dtype = dtype, .scale = 1 };
	float x;

	return npu_dequantise(&t, &v, 1, &x, NULL) == 0 && x == (float)v;
}

static void
ranges(void)
{
	static const struct { uint32_t dtype; int least, most; } r[] = {
		{ NPU_BOOL, 0, 1 }, { NPU_U4, 0, 15 }, { NPU_S4, -8, 7 },
		{ NPU_U12, 0, 4095 }, { NPU_S12, -2048, 2047 },
	};

	for (size_t i = 0; i < sizeof(r) / sizeof(*r); i++) {
		ok(stored_ok(r[i].dtype, r[i].least) &&
		    stored_ok(r[i].dtype, r[i].most),
		    "%s: the least and the greatest value are read",
		    npu_dtype_name(r[i].dtype));
		ok(!stored_ok(r[i].dtype, r[i].least - 1) &&
		    !stored_ok(r[i].dtype, r[i].most + 1),
		    "%s: values below and above the range are refused",
		    npu_dtype_name(r[i].dtype));
	}
}

static void
clipped_floats(void)
{
	struct npu_tensor t = { .dtype = NPU_F16 };
	const float x[] = { 65519.0f, 65520.0f, -1e9f, INFINITY };
	struct npu_quant_stats st = { 0 };
	uint16_t q[4];

	npu_quantise(&t, x, 4, q, false, &st, NULL);
	ok(q[0] == 0x7bff && q[1] == 0x7bff && q[2] == 0xfbff &&
	    q[3] == 0x7c00 && st.clipped == 2,
	    "f16 clips finite values and keeps infinity");
	t.dtype = NPU_BF16;
	st.clipped = 0;
	npu_quantise(&t, (const float[]){ 3.4028235e38f, 1, 1.00390625f,
	    1.01171875f }, 4, q, false, &st, NULL);
	/* 1 + 2^-8 and 1 + 3 x 2^-8 are halfway, and round to even. */
	ok(q[0] == 0x7f7f && q[1] == 0x3f80 && q[2] == 0x3f80 &&
	    q[3] == 0x3f82 && st.clipped == 1,
	    "bf16 clips finite values and rounds a half to even");
}

static float
of_bits(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Tests rounding to bf16, the upper half of a float.  The value of the lower
 * half decides: above its middle, up; in the middle, to even. */
static void
rounded_bf16(void)
{
	static const uint16_t low[] = { 0, 1, 0x7fff, 0x8000, 0x8001, 0xffff };
	unsigned wrong = 0;

	for (uint32_t high = 0; high < 0xff80; high++) {
		if ((high & 0x7fff) >= 0x7f80)	/* infinity, NaN */
			continue;
		for (size_t i = 0; i < sizeof(low) / sizeof(*low); i++)
			wrong += bf16_from_float(of_bits(high << 16 |
			    low[i])) != high + (low[i] > 0x8000 ||
			    (low[i] == 0x8000 && high % 2 == 1));
	}
	ok(wrong == 0, "bf16 rounds to nearest, in the middle and next to it");
}

static bool
same(float a, float b)
{
	return memcmp(&a, &b, sizeof(a)) == 0;
}

/* Tests all 65536 half floats: that vector instructions and scalar code agree,
 * and that conversion to float and back does not change them. */
static void
all_halves(void)
{
	static uint16_t h[65536], back[65536];
	static float x[65536];
	unsigned apart = 0, changed = 0, widened = 0;

	for (unsigned i = 0; i < 65536; i++)
		h[i] = (uint16_t)i;
	half_to_floats(h, 65536, x);
	half_from_floats(x, 65536, back);
	for (unsigned i = 0; i < 65536; i++) {
		bool nan = (i & 0x7fff) > 0x7c00;

		apart += !same(x[i], half_to_float(h[i])) ||
		    back[i] != half_from_float(x[i]);
		changed += back[i] != (nan ? (i | 0x200) : i);
		widened += !same(bf16_to_float(h[i]), bf16_to_float(
		    bf16_from_float(bf16_to_float(h[i]))));
	}
	ok(apart == 0,
	    "instructions and scalar code agree on every half float");
	ok(changed == 0,
	    "every half float is the same after conversion to float and back");
	ok(widened == 0,
	    "every bf16 is the same after conversion to float and back");
}

/* Tests each midpoint between two half floats, which rounds to even, and the
 * floats below and above it. */
static void
all_midpoints(void)
{
	unsigned wrong = 0, apart = 0;
	float x[8];
	uint16_t h[8];

	for (unsigned i = 0; i < 0x7bff; i++) {
		float a = half_to_float((uint16_t)i);
		float b = half_to_float((uint16_t)(i + 1));
		float m = (a + b) / 2;		/* exact in binary32 */

		for (unsigned k = 0; k < 8; k++)
			x[k] = k % 4 == 0 ? m : nextafterf(m, k % 4 == 1 ? a :
			    b);
		half_from_floats(x, 8, h);
		wrong += half_from_float(m) != (i % 2 == 0 ? i : i + 1);
		wrong += half_from_float(x[1]) != i;
		wrong += half_from_float(x[2]) != i + 1;
		for (unsigned k = 0; k < 8; k++)
			apart += h[k] != half_from_float(x[k]);
	}
	ok(wrong == 0, "floats round to the nearest half float, ties to even");
	ok(apart == 0,
	    "instructions and scalar code round to the same half float");
}

static void
normalise(void)
{
	float x[] = { 3, 0, -4, 0, 0, 0, 0, 0, 0, 12 }, z[2] = { 0, -0.0f };
	float bad[2] = { 1, INFINITY }, huge[2] = { 3e38f, 0 };
	struct npu_err err;

	/* |x| = 13 */
	ok(npu_l2_normalise(x, 10, &err) == 0 && x[0] == (float)(3 / 13.0) &&
	    x[2] == (float)(-4 / 13.0) && x[9] == (float)(12 / 13.0),
	    "a vector is divided by its length");
	ok(npu_l2_normalise(z, 2, &err) == NPU_EUSAGE &&
	    strstr(err.msg, "zero") != NULL, "a zero vector is refused");
	ok(npu_l2_normalise(bad, 2, &err) == NPU_EUSAGE && bad[0] == 1,
	    "a vector with infinity is refused and not changed");
	ok(npu_l2_normalise(huge, 2, &err) == 0 && huge[0] == 1,
	    "the sum of squares does not overflow");
}

/* Tests that NaN becomes 0 in every type, and is counted. */
static void
zero_nans(void)
{
	static const uint32_t types[] = { NPU_BOOL, NPU_U8, NPU_S8, NPU_U16,
	    NPU_S16, NPU_U32, NPU_S32, NPU_U64, NPU_S64, NPU_F16, NPU_BF16,
	    NPU_F32, NPU_F64 };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		struct npu_tensor t = { .dtype = types[i], .scale = 1 };
		struct npu_quant_stats st = { 0 };
		uint8_t q[24];
		float x[3] = { NAN, 1, NAN }, back[3];

		memset(q, 0xff, sizeof(q));
		ok(npu_quantise(&t, x, 3, q, true, &st, NULL) == 0 &&
		    npu_dequantise(&t, q, 3, back, NULL) == 0 &&
		    back[0] == 0 && back[1] == 1 && back[2] == 0 &&
		    st.nan == 2 && st.clipped == 0,
		    "%s: NaN becomes 0 if this is allowed",
		    npu_dtype_name(types[i]));
		ok(npu_quantise(&t, x, 3, q, false, NULL, NULL) ==
		    NPU_EUSAGE, "NaN is refused if this is not allowed");
	}
}

/* Tests the text of a tensor's formula, as in npu-tensor(5). */
static void
texts(uint32_t dtype, float scale, int32_t zero, const char *there,
    const char *back)
{
	struct npu_tensor t = { .dtype = dtype, .scale = scale,
	    .zero_point = zero };
	char text[100];

	tensor_formula(&t, text, sizeof(text));
	ok(strcmp(text, there) == 0,
	    "%s: the formula to dequantise is %s", npu_dtype_name(dtype), text);
	tensor_formula_back(&t, text, sizeof(text));
	ok(strcmp(text, back) == 0, "the formula to quantise is %s", text);
}

static void
formulas(void)
{
	texts(NPU_F32, 1, 0, "x = q", "q = x");
	texts(NPU_S8, 1, 0, "x = q", "q = clip(rint(x))");
	/* A scale of 0 means "not quantised". */
	texts(NPU_S8, 0, 0, "x = q", "q = clip(rint(x))");
	texts(NPU_S8, 20, 60, "x = (q + 60) / 20",
	    "q = clip(rint(x * 20 - 60))");
	texts(NPU_U8, .5f, -128, "x = (q - 128) / 0.5",
	    "q = clip(rint(x * 0.5 + 128))");
}

int
main(void)
{
	zero_nans();
	formulas();
	compare_with_numpy();
	by_hand();
	refusals();
	ranges();
	many(NPU_S16, 3.7f);
	many(NPU_S8, 64.75f);
	many(NPU_U8, 27.673828f);
	/* 1 / scale is infinite, so only the division gives the right
	 * result. */
	many(NPU_S8, 1e-39f);
	clipped_floats();
	rounded_bf16();
	all_halves();
	all_midpoints();
	normalise();
	return done();
}
