/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two passes of a resize over rows of 4 bytes a pixel, as fast as the CPU
 * allows.  All arithmetic is in integers, and sums are the same in any order,
 * so every CPU makes the same bytes.
 */
#ifndef IMAGE_KERNELS_PASS_H
#define IMAGE_KERNELS_PASS_H

#include <stddef.h>
#include <stdint.h>

enum {
	PASS_ROWS = 4,		/* that pass_along() takes at a time */
	PASS_SLACK = 16,	/* bytes that must be readable past a row */
	PASS_S16_STEP = 64,
};

/*
 * The windows of n samples in a row.  Their weights stand one window after the
 * other, with zeros up to the next multiple of PASS_QUAD.
 */
struct windows {
	uint32_t n;
	uint32_t *first;	/* pixels */
	uint32_t *count;	/* of weights, without those zeros */
	int32_t *k;
	/* Made by pass_prepare() for some CPUs (pass_weights8.h); owned, or
	 * NULL. */
	int8_t *split;
	int32_t *bias;
};

enum { PASS_QUAD = 4 };

static inline size_t
pass_padded(uint32_t count)
{
	return ((size_t)count + PASS_QUAD - 1) / PASS_QUAD * PASS_QUAD;
}

/* Call once the windows are complete.  0, or -1 without memory. */
int pass_prepare(struct windows *w);

/* Along each of the rows: w->n pixels to out. */
void pass_along(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    uint8_t *const out[PASS_ROWS]);

/* The same as sums, with half of 1 << TAPS_BITS too much in each. */
void pass_along_sums(const struct windows *w,
    const uint8_t *const row[PASS_ROWS], int32_t *const out[PASS_ROWS]);

/*
 * Across n rows of bytes bytes each, with a weight for each row.  The sums
 * start from those at from (NULL: 0) and go to to, or, if that is NULL, become
 * bytes at out.  bytes is a multiple of 4; PASS_SLACK holds for out, and from
 * and to have room for as much more.
 */
void pass_across(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, const int32_t *from, int32_t *to, uint8_t *out);

/* The same to values of 16 bits (S16_BITS), with weights of taps_to_s16();
 * bytes is a multiple of PASS_S16_STEP. */
void pass_across_s16(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, int16_t *to);

#endif
