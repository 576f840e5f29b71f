// SPDX-License-Identifier: Apache-2.0
/*
 * convert_kernels.h for NEON: a table of 256 bytes fills sixteen registers, in
 * which 16 values at a time are looked up.  With a table for each byte of an
 * element, all types are handled in the same way.
 */
#if defined(__aarch64__)
#include <arm_neon.h>

#include "vision/convert_kernels.h"

#define INLINE static inline __attribute__((always_inline))

enum { AT_ONCE = 16 };

/* Looks up values.  Each quarter of the table leaves values outside its 64
 * unchanged. */
INLINE uint8x16_t
look_up(const uint8_t table[256], uint8x16_t v)
{
	uint8x16_t r = vqtbl4q_u8(vld1q_u8_x4(table), v);

	for (int i = 1; i < 4; i++)
		r = vqtbx4q_u8(r, vld1q_u8_x4(table + 64 * i), vsubq_u8(v,
		    vdupq_n_u8((uint8_t)(64 * i))));
	return r;
}

/* size is a constant; this gives a loop for each size. */
INLINE void
elements(const uint8_t table[][256], size_t size, uint8x16_t values,
    uint8_t *out)
{
	uint8x16x2_t two;
	uint8x16x4_t four;

	if (size == 1) {
		vst1q_u8(out, look_up(table[0], values));
	} else if (size == 2) {
		for (int i = 0; i < 2; i++)
			two.val[i] = look_up(table[i], values);
		vst2q_u8(out, two);
	} else {
		for (int i = 0; i < 4; i++)
			four.val[i] = look_up(table[i], values);
		vst4q_u8(out, four);
	}
}

/* Converts one channel at a time, which lets its table stay in registers. */
INLINE void
plane(const struct convert *restrict c, int k, int channel, size_t size,
    const uint8_t *restrict pixels, size_t n, uint8_t *restrict out)
{
	for (size_t i = 0; i < n; i += AT_ONCE) {
		if (n - i < AT_ONCE)
			i = n - AT_ONCE;	/* converts some again */
		elements(c->byte[k], size, vld4q_u8(pixels + 4 *
		    i).val[channel], out + i * size);
	}
}

INLINE void
planes_of(const struct convert *c, size_t size, const uint8_t *pixels,
    size_t n, uint8_t *out)
{
	int red = c->channel[0] == 2 ? 2 : 0, blue = 2 - red;

	plane(c, red, 0, size, pixels, n, out + (size_t)red * c->plane);
	plane(c, 1, 1, size, pixels, n, out + c->plane);
	plane(c, blue, 2, size, pixels, n, out + (size_t)blue * c->plane);
}

static void
copies(const struct convert *c, const uint8_t *pixels, size_t n, uint8_t *out)
{
	uint8x16x4_t v;

	for (size_t i = 0; i < n; i += AT_ONCE) {
		if (n - i < AT_ONCE)
			i = n - AT_ONCE;
		v = vld4q_u8(pixels + 4 * i);
		vst1q_u8(out + i, c->channel[0] == 2 ? v.val[2] : v.val[0]);
		vst1q_u8(out + c->plane + i, v.val[1]);
		vst1q_u8(out + 2 * c->plane + i, c->channel[0] == 2 ?
		    v.val[0] : v.val[2]);
	}
}

static void
planes(const struct convert *c, const uint8_t *pixels, size_t n, uint8_t *out)
{
	switch (c->copies ? 0 : c->size) {
	case 0: copies(c, pixels, n, out); break;
	case 1: planes_of(c, 1, pixels, n, out); break;
	case 2: planes_of(c, 2, pixels, n, out); break;
	case 4: planes_of(c, 4, pixels, n, out); break;
	}
}

static bool
knows(uint32_t dtype)
{
	(void)dtype;
	return true;
}

const struct convert_kernel convert_neon = { knows, planes };
#else
typedef int no_neon;	/* ISO C needs a declaration */
#endif
