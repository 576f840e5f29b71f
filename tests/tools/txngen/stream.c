// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "stream.h"

uint32_t
stream_descriptor(unsigned column, unsigned i)
{
	return (uint32_t)column << 25 | (0x1d000 + 0x20 * i);
}

uint32_t
stream_queue(unsigned column, uint32_t queue)
{
	return (uint32_t)column << 25 | queue;
}

void
stream_words(struct stream *s, const uint32_t *w, size_t n)
{
	buf_add(s->b, w, n * sizeof(*w));
}

#define ADD(s, ...) \
	stream_words(s, (const uint32_t[]){ __VA_ARGS__ }, \
	    sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

void
stream_write(struct stream *s, uint32_t reg, uint32_t value)
{
	if (s->old)
		ADD(s, 0, reg, value);
	else
		ADD(s, 0, 0, reg, 0, value, 24);
	s->operations++;
}

void
stream_mask(struct stream *s, uint32_t reg, uint32_t value, uint32_t mask)
{
	if (s->old)
		ADD(s, 3, reg, value, mask);
	else
		ADD(s, 3, 0, reg, 0, value, mask, 28);
	s->operations++;
}

void
stream_block(struct stream *s, uint32_t reg, const uint32_t *w, uint32_t n)
{
	if (s->old)
		ADD(s, 1, reg, 12 + 4 * n);
	else
		ADD(s, 1, 0, reg, 16 + 4 * n);
	stream_words(s, w, n);
	s->operations++;
}

void
stream_patch(struct stream *s, uint32_t reg, uint32_t argument, uint64_t plus)
{
	uint32_t low = (uint32_t)plus, high = (uint32_t)(plus >> 32);

	if (s->old)
		ADD(s, 0x81, 24, reg, argument, low, high);
	else
		ADD(s, 0x81, 48, 0, 0, 0, 0, reg, 0, argument, 0, low, high);
	s->operations++;
}

void
stream_wait(struct stream *s, unsigned column, unsigned columns)
{
	ADD(s, 0x80, 16, column << 16, 1 << 8 | columns << 16);
	s->operations++;
}

/* ---- Transfers --------------------------------------------------------- */

void
shape_pack(struct shape d, uint32_t w[8])
{
	const uint32_t packed[8] = {
		d.length, 0, 0,
		d.wrap0 << 20 | (d.step0 > 0 ? d.step0 - 1 : 0),
		0x80000000 | d.wrap1 << 20 | (d.step1 > 0 ? d.step1 - 1 : 0),
		0x02000000 | (d.step2 > 0 ? d.step2 - 1 : 0),
		(d.places > 0 ? d.places - 1 : 0) << 20 |
		    (d.step > 0 ? d.step - 1 : 0),
		(uint32_t)d.next << 27 | (uint32_t)d.use_next << 26 | 1u << 25,
	};

	memcpy(w, packed, sizeof(packed));
}

void
stream_set(struct stream *s, unsigned column, unsigned i, struct shape d)
{
	uint32_t w[8];

	shape_pack(d, w);
	stream_block(s, stream_descriptor(column, i), w, 8);
}

void
stream_adopt(struct stream *s, unsigned column, unsigned i, uint32_t argument)
{
	stream_patch(s, stream_descriptor(column, i) + 4, argument, 0);
}

void
stream_output(struct stream *s)
{
	stream_set(s, 0, 0, (struct shape){ .length = 16 });
	stream_adopt(s, 0, 0, 1);
	stream_write(s, S2MM, 0x80000000);
	stream_wait(s, 0, 1);
}

void
stream_sound(struct stream *s)
{
	stream_set(s, 0, 1, (struct shape){ .length = 256 });
	stream_adopt(s, 0, 1, 0);
	stream_write(s, MM2S, 1);
	stream_output(s);
}

/* ---- The header -------------------------------------------------------- */

void
stream_change(struct stream *s, size_t i, uint32_t value)
{
	memcpy(s->b->p + 4 * i, &value, sizeof(value));
}

/* 6 rows, 4 columns and 1 memory row, as in an npu1. */
void
stream_begin(struct stream *s, bool old, struct buf *b)
{
	*s = (struct stream){ .b = b, .old = old };
	ADD(s, old ? 0x06030001 : 0x06030100, 0x104, 0, 0);
}

void
stream_end(struct stream *s)
{
	if (s->b->failed)
		return;
	stream_change(s, 2, s->operations);
	stream_change(s, 3, (uint32_t)s->b->n);
}

void
stream_whole(struct stream *s)
{
	stream_sound(s);
	stream_end(s);
}
