/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two passes of a resize over rows with 4 bytes a pixel, as fast as the CPU
 * allows.  All arithmetic is in integers, whose sum does not depend on the
 * order, so every CPU computes the same bytes.
 */
#ifndef IMAGE_KERNELS_PASS_H
#define IMAGE_KERNELS_PASS_H

#include <stddef.h>
#include <stdint.h>

enum {
	PASS_ROWS = 4,		/* rows that pass_along() takes at once */
	PASS_SLACK = 16,	/* readable bytes needed past a row */
	PASS_S16_STEP = 64,
};

/*
 * The windows of n samples in a row.  The weights of the windows follow one
 * another, each window's padded with zeros to a multiple of PASS_QUAD.
 */
struct windows {
	uint32_t n;
	uint32_t *first;	/* pixels */
	uint32_t *count;	/* of weights, without padding */
	int32_t *k;
	/* Set by pass_prepare() for some CPUs (pass_weights8.h); owned, or
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

/* Call once the windows are complete.  Returns 0, or -1 if out of memory. */
int pass_prepare(struct windows *w);

/* Passes along each of the rows: computes w->n pixels to out. */
void pass_along(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    uint8_t *const out[PASS_ROWS]);

/* Does the same, but stores sums, each of which is half of 1 << TAPS_BITS too
 * large. */
void pass_along_sums(const struct windows *w,
    const uint8_t *const row[PASS_ROWS], int32_t *const out[PASS_ROWS]);

/*
 * Passes across n rows of bytes bytes each, with one weight a row.  The sums
 * start from the sums at from (NULL: 0) and are stored at to, or, if to is
 * NULL, converted to bytes at out.  bytes is a multiple of 4.  PASS_SLACK holds
 * for out; from and to need room for as many values more.
 */
void pass_across(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, const int32_t *from, int32_t *to, uint8_t *out);

/* Does the same, but stores values of 16 bits (S16_BITS), with weights from
 * taps_to_s16().  bytes is a multiple of PASS_S16_STEP. */
void pass_across_s16(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, int16_t *to);

#endif
