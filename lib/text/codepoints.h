/* SPDX-License-Identifier: Apache-2.0 */
/* A text being worked on, as code points.  Unicode scalar values only. */
#ifndef TEXT_CODEPOINTS_H
#define TEXT_CODEPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct points {
	uint32_t *p;		/* owned; points_free(); zeroed before use */
	size_t n, cap;
};

/* Room for cap code points in all; what is there stays.  False when there is
 * no memory, and then nothing has changed. */
bool points_reserve(struct points *w, size_t cap);
bool points_add(struct points *w, const uint32_t *p, size_t n);
bool points_has(const struct points *w, uint32_t c);
void points_free(struct points *w);

static inline void
points_swap(struct points *a, struct points *b)
{
	struct points was = *a;

	*a = *b;
	*b = was;
}

#endif
