/* SPDX-License-Identifier: Apache-2.0 */
/* Scans lines, blanks and numbers in files of /proc and /sys. */
#ifndef HOST_SCAN_H
#define HOST_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

/* Removes the next line of *b; returns false at the end.  *line is without its
 * newline, which the last line may lack. */
static inline bool
scan_line(struct bytes *b, struct bytes *line)
{
	const uint8_t *end;

	if (b->n == 0)
		return false;
	end = memchr(b->p, '\n', b->n);
	line->p = b->p;
	line->n = end != NULL ? (size_t)(end - b->p) : b->n;
	b->p += line->n + (end != NULL);
	b->n -= line->n + (end != NULL);
	return true;
}

static inline void
scan_blanks(struct bytes *b)
{
	while (b->n > 0 && (*b->p == ' ' || *b->p == '\t')) {
		b->p++;
		b->n--;
	}
}

/* Removes the digits at the beginning of *b; returns false without digits, or
 * if the number exceeds 64 bits. */
static inline bool
scan_uint(struct bytes *b, uint64_t *v)
{
	size_t i = 0;
	uint64_t n = 0;

	for (; i < b->n && b->p[i] >= '0' && b->p[i] <= '9'; i++)
		if (__builtin_mul_overflow(n, 10u, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(b->p[i] - '0'), &n))
			return false;
	if (i == 0)
		return false;
	b->p += i;
	b->n -= i;
	*v = n;
	return true;
}

#endif
