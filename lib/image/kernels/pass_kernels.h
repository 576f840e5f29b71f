/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of pass.h, one for each kind of CPU. */
#ifndef IMAGE_KERNELS_PASS_KERNELS_H
#define IMAGE_KERNELS_PASS_KERNELS_H

#include "image/kernels/pass.h"
#include "image/taps.h"

enum {
	PASS_HALF = 1 << (TAPS_BITS - 1),	/* for rounding */
	/* Bits shifted out of a sum to get a value of 16 bits. */
	PASS_S16_SHIFT = S16_WEIGHT_BITS - S16_BITS,
	PASS_S16_HALF = 1 << (PASS_S16_SHIFT - 1),
};

struct pass_kernel {
	int (*prepare)(struct windows *w);	/* NULL: not needed */
	void (*along)(const struct windows *w,
	    const uint8_t *const row[PASS_ROWS],
	    uint8_t *const out[PASS_ROWS]);
	void (*along_sums)(const struct windows *w,
	    const uint8_t *const row[PASS_ROWS],
	    int32_t *const out[PASS_ROWS]);
	void (*across)(const uint8_t *const *row, const int32_t *k, size_t n,
	    size_t bytes, const int32_t *from, int32_t *to, uint8_t *out);
	void (*across_s16)(const uint8_t *const *row, const int32_t *k,
	    size_t n, size_t bytes, int16_t *to);
};

extern const struct pass_kernel pass_plain;
extern const struct pass_kernel pass_vnni;	/* x86-64 only */
extern const struct pass_kernel pass_avx2;	/* x86-64 only */
/* Before version 16, clang allows the dot products only if all code may use
 * them. */
#if defined(__aarch64__) && (!defined(__clang__) || __clang_major__ >= 16 || \
    defined(__ARM_FEATURE_DOTPROD))
#define PASS_NEON
extern const struct pass_kernel pass_neon;	/* needs dot products */
#endif

#endif
