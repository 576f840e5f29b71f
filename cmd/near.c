// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "near.h"

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Levenshtein's distance between a[0..n) and b, up to 40 letters. */
static size_t
distance(const char *a, size_t n, const char *b)
{
	size_t m = strlen(b), row[41], corner, above;

	if (n > 40 || m > 40)
		return 99;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		corner = row[0];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			above = row[j];
			row[j] = least(corner + (a[i - 1] != b[j - 1]),
			    1 + least(above, row[j - 1]));
			corner = above;
		}
	}
	return row[m];
}

void
near_begin(struct near *near, const char *word, size_t n)
{
	/* One slip in a short word, two in others. */
	*near = (struct near){ .word = word, .n = n,
	    .distance = n < 5 ? 2 : 3 };
}

void
near_try(struct near *near, const char *other)
{
	size_t d;

	if (near->distance == 0)
		return;
	if (near->n >= 2 && strncmp(other, near->word, near->n) == 0)
		d = 0;
	else
		d = distance(near->word, near->n, other);
	if (d < near->distance) {
		near->distance = d;
		near->best = other;
	}
}
