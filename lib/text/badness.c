// SPDX-License-Identifier: Apache-2.0
#include "text/badness.h"

/* Tests all rules at the same time, with one bit for each rule. */
bool
text_bad_at(const uint32_t *p, size_t n, size_t i)
{
	uint64_t rules = badness_at[badness_kind(p[i])][0];

	if (i > 0)
		rules &= ~badness_anchored;
	for (size_t k = 1; k < BADNESS_SPAN && rules != 0; k++)
		rules &= badness_at[i + k < n ? badness_kind(p[i + k]) : 0][k];
	return rules != 0;
}

/* Skips the ASCII at i, except its last badness_before code points, which a
 * rule may need.  Returns n if only ASCII follows. */
static size_t
skip_ascii(const uint32_t *p, size_t n, size_t i)
{
	size_t to = i;

	while (to < n && p[to] < 0x80)
		to++;
	if (to == n)
		return n;
	return to - i > badness_before ? to - badness_before : i;
}

size_t
text_find_bad(const uint32_t *p, size_t n, size_t i)
{
	uint8_t kind = i < n ? badness_kind(p[i]) : 0, next;

	for (; i < n; i++, kind = next) {
		if (p[i] < 0x80) {
			if ((i = skip_ascii(p, n, i)) == n)
				return n;
			kind = badness_kind(p[i]);
		}
		next = i + 1 < n ? badness_kind(p[i + 1]) : 0;
		if ((badness_at[kind][0] & badness_at[next][1]) != 0 &&
		    text_bad_at(p, n, i))
			return i;
	}
	return n;
}

bool
text_is_bad(const uint32_t *p, size_t n)
{
	return text_find_bad(p, n, 0) < n;
}
