/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of every kind, which are drawn here, and damaged ones: for mkpic. */
#ifndef TESTS_TOOLS_PICGEN_PIC_H
#define TESTS_TOOLS_PICGEN_PIC_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

struct pic {
	const char *name;
	const char *refused;	/* lib/image's message; NULL: sound */
	void (*make)(struct buf *out, const struct pic *p);
	const void *how;	/* for make() */
	void (*edit)(struct buf *out);	/* NULL: not edited */
};

/* Each array ends with a row without a name. */
extern const struct pic jpeg_pics[], jpeg_damages[];
extern const struct pic png_pics[], png_damages[];
extern const struct pic ppm_pics[], ppm_damages[];

/* Returns a pixel of the picture: a gradient for each channel, and a disc. */
static inline uint8_t
drawn(unsigned x, unsigned y, unsigned channel)
{
	unsigned v = x * (3 + channel) + y * (7 - channel) + 40 * channel;

	return (uint8_t)((x - 9) * (x - 9) + (y - 8) * (y - 8) < 40 ?
	    255 - v / 2 % 256 : v % 256);
}

static inline uint8_t *
at(struct buf *b, size_t i)
{
	if (i >= b->n)
		abort();
	return (uint8_t *)b->p + i;
}

static inline void
add_byte(struct buf *b, unsigned v)
{
	uint8_t c = (uint8_t)v;

	buf_add(b, &c, 1);
}

static inline void
add_big(struct buf *b, uint32_t v, unsigned bytes)
{
	while (bytes-- > 0)
		add_byte(b, v >> 8 * bytes);
}

/* Inserts n bytes of p before byte i. */
static inline void
insert(struct buf *b, size_t i, const void *p, size_t n)
{
	buf_add(b, p, n);
	memmove(at(b, i) + n, at(b, i), b->n - i - n);
	memcpy(at(b, i), p, n);
}

static inline void
cut_out(struct buf *b, size_t i, size_t n)
{
	memmove(at(b, i), at(b, i) + n, b->n - i - n);
	b->n -= n;
}

/*
 * Adds EXIF data: a TIFF with one directory, which has a string, the
 * orientation as an element of this type (3, SHORT, is correct), and entries as
 * a camera writes them.
 */
void add_tiff(struct buf *b, bool big, unsigned type, unsigned orientation);

#endif
