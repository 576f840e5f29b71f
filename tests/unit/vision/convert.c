// SPDX-License-Identifier: Apache-2.0
/* Tests that pixels are converted as the tables define, in every kernel that
 * this CPU supports, for every type, number of pixels, order and layout. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "vision/convert_kernels.h"

enum { MOST = 200 };		/* pixels */

static const struct { uint32_t dtype; float scale; int32_t zero; } types[] = {
	{ NPU_U8, 255, 0 },		/* the pixel's value */
	{ NPU_U8, 255.08f, 0 },		/* the pixel's value after rounding */
	{ NPU_U8, 127.5f, 0 },		/* halves round to even */
	{ NPU_S8, 64.75f, 12 },		/* as in CLIP: clipped at both ends */
	{ NPU_S8, 300, -5 },
	{ NPU_U16, 65535, 0 },
	{ NPU_S16, 12000, 7 },
	{ NPU_F16, 1, 0 },
	{ NPU_BF16, 1, 0 },
	{ NPU_F32, 1, 0 },
	{ NPU_S32, 1e6f, 0 },
};

static uint8_t pixels[MOST * 4], out[MOST * 3 * CONVERT_MOST + 1];

/* Opens c for types[i].  Values are normalised as in CLIP, or go from 0 to
 * 1. */
static void
open_type(struct convert *c, size_t i, bool clip, bool bgr, bool hwc)
{
	static const float mean[] = { 0.48145466f, 0.4578275f, 0.40821073f },
	    std[] = { 0.26862954f, 0.26130258f, 0.27577711f };
	const struct npu_tensor t = { .dtype = types[i].dtype,
	    .scale = types[i].scale, .zero_point = types[i].zero };
	size_t size = npu_dtype_size(t.dtype);

	memset(c, 0, sizeof(*c));
	c->step = hwc ? 3 * size : size;
	c->plane = hwc ? size : MOST * size;
	for (int k = 0; k < 3; k++) {
		int from = bgr ? 2 - k : k;

		c->channel[k] = (uint8_t)from;
		for (int v = 0; v < 256; v++)
			c->x[k][v] = clip ? ((float)v / 255 - mean[from]) /
			    std[from] : (float)v / 255;
	}
	if (convert_open(c, &t, NULL) < 0)
		abort();
}

/* Returns true if n pixels become what npu_quantise() gives, and no other byte
 * changes. */
static bool
is_right(const struct convert *c, const struct npu_tensor *t, size_t n)
{
	uint8_t want[CONVERT_MOST];

	memset(out, 0xaa, sizeof(out));
	convert_pixels(c, pixels, n, out);
	for (int k = 0; k < 3; k++) {
		for (size_t i = 0; i < n; i++) {
			npu_quantise(t, &c->x[k][pixels[4 * i +
			    c->channel[k]]], 1, want, false, NULL, NULL);
			if (memcmp(want, out + k * c->plane + i * c->step,
			    c->size) != 0)
				return false;
		}
	}
	return c->step != c->size || out[n * c->step] == 0xaa;
}

static bool
all_numbers(const struct convert *c, size_t i)
{
	const struct npu_tensor t = { .dtype = types[i].dtype,
	    .scale = types[i].scale, .zero_point = types[i].zero };

	for (size_t n = 0; n < MOST; n += n < 130 ? 1 : 23)
		if (!is_right(c, &t, n))
			return false;
	return true;
}

/* Tests a kernel.  NULL: convert_try() chooses the kernel. */
static void
test(const struct convert_kernel *kernel, const char *name)
{
	struct convert c;

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		bool good = true;
		int quick = 0;

		for (int how = 0; how < 8; how++) {
			open_type(&c, i, how & 1, how & 2, how & 4);
			if (!convert_try(&c, kernel))
				continue;
			quick++;
			good &= all_numbers(&c, i);
		}
		ok(good, "%s %g: kernel %s is right in each case; it takes %d "
		    "of 8", npu_dtype_name(types[i].dtype),
		    (double)types[i].scale, name, quick);
	}
}

/* Tests that converting one pixel n times gives the same as converting n
 * pixels. */
static void
fill(void)
{
	static const uint8_t pixel[] = { 10, 200, 30 };
	static uint8_t want[sizeof(out)];
	struct convert c;

	for (size_t i = 0; i < 2 * sizeof(types) / sizeof(*types); i++) {
		open_type(&c, i / 2, false, true, i % 2);
		for (int k = 0; k < 5; k++)
			memcpy(pixels + 4 * k, pixel, 3);
		memset(want, 0xaa, sizeof(want));
		convert_pixels(&c, pixels, 5, want);
		memset(out, 0xaa, sizeof(out));
		convert_fill(&c, pixel, 5, out);
		ok(memcmp(out, want, sizeof(out)) == 0,
		    "%s filled with one pixel is right in %s",
		    npu_dtype_name(c.dtype), i % 2 ? "HWC" : "CHW");
	}
}

static void
refusals(void)
{
	static const struct {
		struct npu_tensor t;
		const char *says;
	} row[] = {
		{ { .dtype = NPU_F64, .scale = 1 }, "16 or 32 bits, not f64" },
		{ { .dtype = 999, .scale = 1 }, "not of an unknown type" },
		{ { .dtype = NPU_U8, .scale = 0 }, "scale" },
	};
	struct convert c = { .step = 1 };
	struct npu_err err;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		ok(convert_open(&c, &row[i].t, &err) == NPU_EUSAGE &&
		    strstr(err.msg, row[i].says) != NULL, "a tensor of another "
		    "type or without a scale is refused: %s", err.msg);
}

int
main(void)
{
	uint32_t r = 1;

	for (size_t i = 0; i < sizeof(pixels); i++) {
		r = r * 1664525 + 1013904223;	/* ranqd1 */
		pixels[i] = (uint8_t)(r >> 24);
	}
	fill();
	refusals();
	test(NULL, "of the CPU");
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512vbmi"))
		test(&convert_vbmi, "VBMI");
	/* Every CPU with AVX2 has F16C. */
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		test(&convert_avx2, "AVX2");
#elif defined(__aarch64__)
	test(&convert_neon, "NEON");
#endif
	return done();
}
