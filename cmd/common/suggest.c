// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <string.h>

#include "suggest.h"

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Compares two letters in ASCII, ignoring case. */
static bool
alike(char a, char b)
{
	return a == b || ((a ^ b) == 0x20 && (a | 0x20) >= 'a' &&
	    (a | 0x20) <= 'z');
}

/* Returns the edit distance from a[0..n) to b, up to 40 letters.  Edits add,
 * remove or replace a letter, or exchange it with the next. */
static size_t
distance(const char *a, size_t n, const char *b)
{
	size_t m = strlen(b), rows[3][41], *row = rows[0], *above, *before;

	if (n > 40 || m > 40)
		return 99;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		above = row;
		row = rows[i % 3];
		before = rows[(i + 1) % 3];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			row[j] = least(above[j - 1] + !alike(a[i - 1],
			    b[j - 1]), 1 + least(above[j], row[j - 1]));
			if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) &&
			    alike(a[i - 2], b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	return row[m];
}

void
suggest_begin(struct suggestion *s, const char *word, size_t n)
{
	/* One edit in a short word, two edits in other words. */
	*s = (struct suggestion){ .word = word, .n = n,
	    .distance = n < 5 ? 2 : 3 };
}

/* True if word begins a later word of other: "light" begins a word of "traffic
 * light", "ids" a word of "image-ids". */
static bool
begins_later_word(const struct suggestion *s, const char *other)
{
	while ((other = strpbrk(other, " -")) != NULL)
		if (strncmp(++other, s->word, s->n) == 0)
			return s->n >= 3;
	return false;
}

void
suggest_try(struct suggestion *s, const char *other)
{
	size_t d;

	if (s->distance == 0)
		return;
	if (s->n >= 2 && strncmp(other, s->word, s->n) == 0)
		d = 0;
	else
		d = distance(s->word, s->n, other);
	if (d > 1 && begins_later_word(s, other))
		d = 1;
	if (d < s->distance) {
		s->distance = d;
		s->best = other;
	}
}
