// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "base/cpu.h"
#include "tensor/half.h"

static float
as_float(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static uint32_t
as_bits(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

/* binary16: sign 1, exponent 5 (bias 15), fraction 10; binary32: 1, 8, 23. */
float
half_to_float(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16;
	uint32_t exponent = h >> 10 & 0x1f, fraction = h & 0x3ff;

	if (exponent == 0x1f)
		return as_float(sign | 0x7f800000 | fraction << 13 |
		    (fraction != 0 ? 0x400000 : 0));
	if (exponent != 0)
		return as_float(sign | (exponent + 112) << 23 | fraction << 13);
	/* Zero or subnormal: fraction x 2^-24, exact in binary32. */
	return as_float(sign | as_bits((float)fraction * 0x1p-24f));
}

/* Returns v >> shift, rounded to nearest, half to even. */
static uint32_t
shift_even(uint32_t v, unsigned shift)
{
	uint32_t half = (uint32_t)1 << (shift - 1);

	return (v + half - 1 + (v >> shift & 1)) >> shift;
}

uint16_t
half_from_float(float x)
{
	uint32_t bits = as_bits(x), sign = bits >> 16 & 0x8000;
	uint32_t magnitude = bits & 0x7fffffff, exponent = magnitude >> 23;

	if (magnitude > 0x7f800000)	/* NaN: made quiet, with the top of its
					 * payload */
		return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
	if (magnitude >= 0x477ff000)	/* 65520 and above round to infinity */
		return (uint16_t)(sign | 0x7c00);
	if (exponent >= 113)	/* 2^-14 and above: normal; a carry is fine */
		return (uint16_t)(sign | shift_even(magnitude - 0x38000000,
		    13));
	if (exponent < 102)		/* below half the smallest subnormal */
		return (uint16_t)sign;
	magnitude = (magnitude & 0x7fffff) | 0x800000;
	return (uint16_t)(sign | shift_even(magnitude, 126 - exponent));
}

float
bf16_to_float(uint16_t b)
{
	uint32_t bits = (uint32_t)b << 16;

	if ((bits & 0x7fffffff) > 0x7f800000)
		bits |= 0x400000;
	return as_float(bits);
}

uint16_t
bf16_from_float(float x)
{
	uint32_t bits = as_bits(x);

	if ((bits & 0x7fffffff) > 0x7f800000)
		return (uint16_t)(bits >> 16 | 0x40);
	return (uint16_t)shift_even(bits, 16);
}

/* Each converts a multiple of its vector width, starting with the first number,
 * and returns how many numbers it has converted. */
#if defined(__x86_64__)

__attribute__((target("avx512f"))) static size_t
to_floats_wide(const uint8_t *h, size_t n, float *x)
{
	size_t i;

	for (i = 0; n - i >= 16; i += 16)
		_mm512_storeu_ps(x + i, _mm512_cvtph_ps(
		    _mm256_loadu_si256((const void *)(h + 2 * i))));
	return i;
}

__attribute__((target("avx,f16c"))) static size_t
to_floats(const uint8_t *h, size_t n, float *x)
{
	size_t i;

	for (i = 0; n - i >= 8; i += 8)
		_mm256_storeu_ps(x + i, _mm256_cvtph_ps(
		    _mm_loadu_si128((const void *)(h + 2 * i))));
	return i;
}

__attribute__((target("avx,f16c"))) static size_t
from_floats(const float *x, size_t n, uint8_t *h)
{
	size_t i;

	for (i = 0; n - i >= 8; i += 8)
		_mm_storeu_si128((void *)(h + 2 * i), _mm256_cvtps_ph(
		    _mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
	return i;
}

static size_t
to_floats_fast(const uint8_t *h, size_t n, float *x)
{
	if (cpu_has_avx512f())
		return to_floats_wide(h, n, x);
	/* gcc 12 does not accept "f16c" here; every CPU with AVX2 has it. */
	if (cpu_has_avx2())
		return to_floats(h, n, x);
	return 0;
}

static size_t
from_floats_fast(const float *x, size_t n, uint8_t *h)
{
	return cpu_has_avx2() ? from_floats(x, n, h) : 0;
}

#elif defined(__aarch64__)

static size_t
to_floats_fast(const uint8_t *h, size_t n, float *x)
{
	size_t i;

	for (i = 0; n - i >= 4; i += 4)
		vst1q_f32(x + i, vcvt_f32_f16(vreinterpret_f16_u8(
		    vld1_u8(h + 2 * i))));
	return i;
}

static size_t
from_floats_fast(const float *x, size_t n, uint8_t *h)
{
	size_t i;

	for (i = 0; n - i >= 4; i += 4)
		vst1_u8(h + 2 * i, vreinterpret_u8_f16(vcvt_f16_f32(
		    vld1q_f32(x + i))));
	return i;
}

#else

static size_t
to_floats_fast(const uint8_t *h, size_t n, float *x)
{
	(void)h, (void)n, (void)x;
	return 0;
}

static size_t
from_floats_fast(const float *x, size_t n, uint8_t *h)
{
	(void)h, (void)n, (void)x;
	return 0;
}

#endif

void
half_to_floats(const void *h, size_t n, float *x)
{
	const uint8_t *p = h;
	uint16_t v;

	for (size_t i = to_floats_fast(p, n, x); i < n; i++) {
		memcpy(&v, p + 2 * i, sizeof(v));
		x[i] = half_to_float(v);
	}
}

void
half_from_floats(const float *x, size_t n, void *h)
{
	uint8_t *p = h;
	uint16_t v;

	for (size_t i = from_floats_fast(x, n, p); i < n; i++) {
		v = half_from_float(x[i]);
		memcpy(p + 2 * i, &v, sizeof(v));
	}
}
