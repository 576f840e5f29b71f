// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdio.h>

#include "sum.h"

bool
sum_parse(struct sum *sum, const char *s, size_t n)
{
	struct sum parsed = { "" };

	if (n != SUM_DIGITS)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!isxdigit((unsigned char)s[i]))
			return false;
		parsed.text[i] = (char)tolower((unsigned char)s[i]);
	}
	*sum = parsed;
	return true;
}

void
sum_digits(struct sum *sum, const uint8_t digest[32])
{
	for (int i = 0; i < 32; i++)
		snprintf(sum->text + 2 * i, 3, "%02x", digest[i]);
}
