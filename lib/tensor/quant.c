// SPDX-License-Identifier: Apache-2.0
/*
 * The only place that implements the sign and position of scale and zero point
 * (noe-abi 2.2), bit-identical to numpy:
 *
 *	x = (q.astype(float32) + float32(zero_point)) / float32(scale)
 *	q = clip(rint(float64(x) * float64(scale) - zero_point))
 *
 * The loops are written for the vectoriser (-O3, see the Makefile).  Exact
 * division keeps up with memory in wide vectors (32 GB/s where memcpy moved
 * 33), but not in narrow ones.  Therefore each loop is compiled for several
 * kinds of x86.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/cpu.h"
#include "base/err.h"
#include "tensor/half.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- To float --------------------------------------------------------- */

/* Uses memcpy because q need not be aligned.  memcpy adds no instruction. */
#define DEQUANTISE(type) \
	for (size_t i = 0; i < n; i++) { \
		type v; \
		memcpy(&v, q + i * sizeof(v), sizeof(v)); \
		x[i] = ((float)v + zero) / scale; \
	} \
	break

INLINE void
dequantise(uint32_t dtype, const uint8_t *restrict q, size_t n, float zero,
    float scale, float *restrict x)
{
	switch (dtype) {
	case NPU_BOOL:
	case NPU_U4:
	case NPU_U8: DEQUANTISE(uint8_t);
	case NPU_S4:
	case NPU_S8: DEQUANTISE(int8_t);
	case NPU_U12:
	case NPU_U16: DEQUANTISE(uint16_t);
	case NPU_S12:
	case NPU_S16: DEQUANTISE(int16_t);
	case NPU_U32: DEQUANTISE(uint32_t);
	case NPU_S32: DEQUANTISE(int32_t);
	case NPU_U64: DEQUANTISE(uint64_t);
	case NPU_S64: DEQUANTISE(int64_t);
	}
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw,avx512dq"))) static void
dequantise_avx512(uint32_t dtype, const uint8_t *q, size_t n, float zero,
    float scale, float *x)
{
	dequantise(dtype, q, n, zero, scale, x);
}

__attribute__((target("avx2"))) static void
dequantise_avx2(uint32_t dtype, const uint8_t *q, size_t n, float zero,
    float scale, float *x)
{
	dequantise(dtype, q, n, zero, scale, x);
}
#endif

static void
dequantise_integers(uint32_t dtype, const uint8_t *q, size_t n, float zero,
    float scale, float *x)
{
#if defined(__x86_64__)
	if (cpu_has_avx512bw() && cpu_has_avx512dq()) {
		dequantise_avx512(dtype, q, n, zero, scale, x);
		return;
	}
	if (cpu_has_avx2()) {
		dequantise_avx2(dtype, q, n, zero, scale, x);
		return;
	}
#endif
	dequantise(dtype, q, n, zero, scale, x);
}

static void
widen_floats(uint32_t dtype, const uint8_t *q, size_t n, float *x)
{
	uint16_t b;
	double d;

	switch (dtype) {
	case NPU_F16:
		half_to_floats(q, n, x);
		break;
	case NPU_BF16:
		for (size_t i = 0; i < n; i++) {
			memcpy(&b, q + 2 * i, sizeof(b));
			x[i] = bf16_to_float(b);
		}
		break;
	case NPU_F64:
		for (size_t i = 0; i < n; i++) {
			memcpy(&d, q + 8 * i, sizeof(d));
			x[i] = (float)d;
		}
		break;
	case NPU_F32:
		if (n > 0)
			memmove(x, q, 4 * n);
		break;
	}
}

/* ---- The range of a type ---------------------------------------------- */

/* The limits as doubles.  For 64-bit types the upper limit is the largest
 * double in the range: the first value beyond the range, less a step. */
struct range {
	double least, most;
};

static bool
range_of(uint32_t dtype, struct range *r)
{
	static const struct { uint32_t dtype; struct range r; } ranges[] = {
		{ NPU_BOOL, { 0, 1 } },
		{ NPU_U4, { 0, 15 } },
		{ NPU_S4, { -8, 7 } },
		{ NPU_U8, { 0, UINT8_MAX } },
		{ NPU_S8, { INT8_MIN, INT8_MAX } },
		{ NPU_U12, { 0, 4095 } },
		{ NPU_S12, { -2048, 2047 } },
		{ NPU_U16, { 0, UINT16_MAX } },
		{ NPU_S16, { INT16_MIN, INT16_MAX } },
		{ NPU_U32, { 0, UINT32_MAX } },
		{ NPU_S32, { INT32_MIN, INT32_MAX } },
		{ NPU_U64, { 0, 0x1p64 - 0x1p11 } },
		{ NPU_S64, { -0x1p63, 0x1p63 - 0x1p10 } },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		if (ranges[i].dtype == dtype) {
			*r = ranges[i].r;
			return true;
		}
	}
	return false;
}

/* Checks elements of bool and of types with 4 and 12 bits, which are stored in
 * more bits than they may use. */
static int
check_stored(uint32_t dtype, const uint8_t *q, size_t n, struct npu_err *err)
{
	struct range r;
	int16_t wide;
	double v;

	if (dtype != NPU_BOOL && (dtype < NPU_U4 || dtype > NPU_S12))
		return 0;
	range_of(dtype, &r);
	for (size_t i = 0; i < n; i++) {
		if (npu_dtype_size(dtype) == 2) {
			memcpy(&wide, q + 2 * i, sizeof(wide));
			v = dtype == NPU_U12 ? (uint16_t)wide : wide;
		} else {
			v = dtype == NPU_S4 ? (int8_t)q[i] : q[i];
		}
		if (v < r.least || v > r.most)
			return npu_fail(err, NPU_EUSAGE, "element %zu is %g, "
			    "but %s goes from %g to %g", i, v,
			    npu_dtype_name(dtype), r.least, r.most);
	}
	return 0;
}

/* Checks *t for both directions of conversion. */
static int
check_tensor(const struct npu_tensor *t, struct npu_err *err)
{
	const char *name;
	int rc;

	if ((rc = npu_need(t, "the tensor", err)) < 0)
		return rc;
	name = npu_dtype_name(t->dtype);
	if (npu_dtype_size(t->dtype) == 0 && name != NULL)
		return npu_fail(err, NPU_EUSAGE, "%s has no whole number of "
		    "bytes; it cannot be converted", name);
	if (npu_dtype_size(t->dtype) == 0)
		return npu_fail(err, NPU_EUSAGE, "type 0x%" PRIx32 " is not "
		    "known; it cannot be converted", t->dtype);
	if (!npu_dtype_is_float(t->dtype) &&
	    (!isfinite(t->scale) || t->scale <= 0))
		return npu_fail(err, NPU_EUSAGE, "scale is %g, but must be a "
		    "number above 0", (double)t->scale);
	return 0;
}

static void
to_floats(const struct npu_tensor *t, const uint8_t *q, size_t n, float *x)
{
	if (npu_dtype_is_float(t->dtype))
		widen_floats(t->dtype, q, n, x);
	else
		dequantise_integers(t->dtype, q, n, (float)t->zero_point,
		    t->scale, x);
}

#if defined(__x86_64__)
enum {
	PIECE = 1024,			/* floats; fits in the first-level
					 * cache */
	LARGE = 4 << 20,		/* floats; exceeds a core's share of
					 * cache */
};

/* Divides by multiplication and correction (Markstein), which is three times as
 * fast.  This does not always round correctly, so all 256 bytes are tried
 * first. */
#define BY_RECIPROCAL(type) \
	for (size_t i = 0; i < n; i++) { \
		float f = (float)(type)q[i] + zero, y = f * r; \
		x[i] = __builtin_fmaf(__builtin_fmaf(-y, scale, f), r, y); \
	}

__attribute__((target("avx512f,avx512bw,avx512dq,fma"))) static void
by_reciprocal(uint32_t dtype, const uint8_t *restrict q, size_t n, float zero,
    float scale, float *restrict x)
{
	float r = 1 / scale;

	if (dtype == NPU_S8) {
		BY_RECIPROCAL(int8_t)
	} else {
		BY_RECIPROCAL(uint8_t)
	}
}

__attribute__((target("avx512f,avx512bw,avx512dq"))) static bool
reciprocal_proved(uint32_t dtype, float zero, float scale)
{
	float x[256], y[256];
	uint8_t q[256];

	for (unsigned i = 0; i < 256; i++)
		q[i] = (uint8_t)i;
	dequantise(dtype, q, 256, zero, scale, x);
	by_reciprocal(dtype, q, 256, zero, scale, y);
	/* memcmp() because the bits must be equal, even for -0. */
	/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-*) */
	return memcmp(x, y, sizeof(x)) == 0;
}

/* Copies y to x past the caches: otherwise each cache line of x is read before
 * it is written. */
__attribute__((target("avx2"))) static void
stream_out(float *x, const float *y, size_t n)
{
	size_t i = 0;

	/* y was written by intrinsics, which the analyser does not know. */
	/* NOLINTBEGIN(clang-analyzer-core.uninitialized.Assign) */
	for (; i < n && (uintptr_t)(x + i) % 32 != 0; i++)
		x[i] = y[i];
	/* NOLINTEND(clang-analyzer-core.uninitialized.Assign) */
	for (; n - i >= 8; i += 8)
		_mm256_stream_ps(x + i, _mm256_loadu_ps(y + i));
	for (; i < n; i++)
		x[i] = y[i];
}

/* Converts and writes past the caches, as memcpy() does for large sizes.
 * Without this, the speed is 0.8 of memcpy()'s. */
static void
to_many_floats(const struct npu_tensor *t, const uint8_t *q, size_t n,
    float *x)
{
	size_t each = npu_dtype_size(t->dtype), k;
	float y[PIECE] __attribute__((aligned(64)));
	float zero = (float)t->zero_point;
	bool quick = (t->dtype == NPU_S8 || t->dtype == NPU_U8) &&
	    cpu_has_avx512bw() && cpu_has_avx512dq() &&
	    reciprocal_proved(t->dtype, zero, t->scale);

	for (size_t i = 0; i < n; i += k) {
		k = n - i < PIECE ? n - i : PIECE;
		if (quick)
			by_reciprocal(t->dtype, q + i, k, zero, t->scale, y);
		else
			to_floats(t, q + i * each, k, y);
		stream_out(x + i, y, k);
	}
	_mm_sfence();
}
#endif

int
npu_dequantise(const struct npu_tensor *t, const void *q, size_t n,
    float *x, struct npu_err *err)
{
	int rc;

	if ((rc = check_tensor(t, err)) < 0 ||
	    (n > 0 && (rc = npu_need(q, "npu_dequantise(): q", err)) < 0) ||
	    (n > 0 && (rc = npu_need(x, "npu_dequantise(): x", err)) < 0) ||
	    (rc = check_stored(t->dtype, q, n, err)) < 0)
		return rc;
#if defined(__x86_64__)
	if (n >= LARGE && (uintptr_t)x % 4 == 0 && cpu_has_avx2()) {
		to_many_floats(t, q, n, x);
		return 0;
	}
#endif
	to_floats(t, q, n, x);
	return 0;
}

/* ---- From float ------------------------------------------------------- */

/* For integers up to 32 bits: all values are exact as doubles.  via: a signed
 * type that can hold all values, to which CPUs convert in one step. */
#define QUANTISE(type, via) \
	for (size_t i = 0; i < n; i++) { \
		float f = isnan(x[i]) ? 0 : x[i]; \
		double v = rint((double)f * scale - zero); \
		double c = v < r.least ? r.least : v; \
		type s; \
		c = c > r.most ? r.most : c; \
		clipped += c != v; \
		s = (type)(via)c; \
		memcpy(q + i * sizeof(s), &s, sizeof(s)); \
	} \
	break

/* For 64 bits: not all limits of the range are exact as doubles. */
#define QUANTISE64(type, lowest, highest) \
	for (size_t i = 0; i < n; i++) { \
		float f = isnan(x[i]) ? 0 : x[i]; \
		double v = rint((double)f * scale - zero); \
		type s = v < r.least ? (lowest) : v > r.most ? (highest) : \
		    (type)v; \
		clipped += v < r.least || v > r.most; \
		memcpy(q + i * sizeof(s), &s, sizeof(s)); \
	} \
	break

/* Returns the number of clipped values.  NaN becomes 0. */
INLINE uint64_t
quantise(uint32_t dtype, struct range r, const float *restrict x, size_t n,
    double zero, double scale, uint8_t *restrict q)
{
	uint64_t clipped = 0;

	switch (dtype) {
	case NPU_BOOL:
	case NPU_U4:
	case NPU_U8: QUANTISE(uint8_t, int32_t);
	case NPU_S4:
	case NPU_S8: QUANTISE(int8_t, int32_t);
	case NPU_U12:
	case NPU_U16: QUANTISE(uint16_t, int32_t);
	case NPU_S12:
	case NPU_S16: QUANTISE(int16_t, int32_t);
	case NPU_U32: QUANTISE(uint32_t, int64_t);
	case NPU_S32: QUANTISE(int32_t, int32_t);
	case NPU_U64: QUANTISE64(uint64_t, 0, UINT64_MAX);
	case NPU_S64: QUANTISE64(int64_t, INT64_MIN, INT64_MAX);
	}
	return clipped;
}

#if defined(__x86_64__)
/* With SSE4.1, which AVX2 includes, rint() is an instruction instead of a
 * call. */
__attribute__((target("avx2"))) static uint64_t
quantise_avx2(uint32_t dtype, struct range r, const float *x, size_t n,
    double zero, double scale, uint8_t *q)
{
	return quantise(dtype, r, x, n, zero, scale, q);
}
#endif

static uint64_t
quantise_integers(uint32_t dtype, const float *x, size_t n, double zero,
    double scale, uint8_t *q)
{
	struct range r = { 0 };

	range_of(dtype, &r);
#if defined(__x86_64__)
	if (cpu_has_avx2())
		return quantise_avx2(dtype, r, x, n, zero, scale, q);
#endif
	return quantise(dtype, r, x, n, zero, scale, q);
}

/* Clips a finite x beyond the type's largest number to that number. */
static uint16_t
clip_half(uint16_t h, uint16_t infinity, float x, uint64_t *clipped)
{
	if ((h & 0x7fff) != infinity || !isfinite(x))
		return h;
	++*clipped;
	return (uint16_t)(h - 1);
}

static uint64_t
narrow_floats(uint32_t dtype, const float *x, size_t n, uint8_t *q)
{
	uint64_t clipped = 0;
	uint16_t h;
	double d;

	if (dtype == NPU_F16)
		half_from_floats(x, n, q);
	for (size_t i = 0; i < n; i++) {
		float f = isnan(x[i]) ? 0 : x[i];

		switch (dtype) {
		case NPU_F16:
			memcpy(&h, q + 2 * i, 2);
			h = isnan(x[i]) ? 0 :
			    clip_half(h, 0x7c00, f, &clipped);
			memcpy(q + 2 * i, &h, 2);
			break;
		case NPU_BF16:
			h = clip_half(bf16_from_float(f), 0x7f80, f, &clipped);
			memcpy(q + 2 * i, &h, 2);
			break;
		case NPU_F32:
			memcpy(q + 4 * i, &f, 4);
			break;
		case NPU_F64:
			d = f;
			memcpy(q + 8 * i, &d, 8);
			break;
		}
	}
	return clipped;
}

/* Returns the number of NaN in x.  *first: the index of the first NaN. */
static uint64_t
count_nan(const float *x, size_t n, size_t *first)
{
	uint64_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += isnan(x[i]) != 0;
	if (count == 0)
		return 0;
	for (*first = 0; !isnan(x[*first]); ++*first)
		;
	return count;
}

int
npu_quantise(const struct npu_tensor *t, const float *x, size_t n,
    void *q, bool zero_nan, struct npu_quant_stats *st, struct npu_err *err)
{
	uint64_t nan, clipped;
	size_t first = 0;
	int rc;

	if ((rc = check_tensor(t, err)) < 0 ||
	    (n > 0 && (rc = npu_need(x, "npu_quantise(): x", err)) < 0) ||
	    (n > 0 && (rc = npu_need(q, "npu_quantise(): q", err)) < 0))
		return rc;
	nan = count_nan(x, n, &first);
	if (nan > 0 && !zero_nan)
		return npu_fail(err, NPU_EUSAGE, "element %zu is not a number "
		    "(NaN)", first);
	if (npu_dtype_is_float(t->dtype))
		clipped = narrow_floats(t->dtype, x, n, q);
	else
		clipped = quantise_integers(t->dtype, x, n, t->zero_point,
		    (double)t->scale, q);
	if (st != NULL) {
		st->clipped += clipped;
		st->nan += nan;
	}
	return 0;
}
