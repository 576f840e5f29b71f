// SPDX-License-Identifier: Apache-2.0
#include "text/badness.h"

/* Whether a rule matches p[i..n) from its start: all rules at once, a bit for
 * each. */
static bool
bad_at(const uint32_t *p, size_t n, size_t i)
{
	uint64_t rules = badness_at[badness_kind(p[i])][0];

	if (i > 0)
		rules &= ~badness_anchored;
	for (size_t k = 1; k < BADNESS_SPAN && rules != 0; k++)
		rules &= badness_at[i + k < n ? badness_kind(p[i + k]) : 0][k];
	return rules != 0;
}

bool
text_is_bad(const uint32_t *p, size_t n)
{
	size_t next = 0;	/* where no rule was tried yet */

	for (size_t i = 0; i < n; i++) {
		if (!text_suspect(p[i]))
			continue;
		if (next + badness_before < i)
			next = i - badness_before;
		for (; next <= i; next++)
			if (bad_at(p, n, next))
				return true;
	}
	return false;
}
