// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "text/ascii.h"

/* 16 bytes at a time; a comparison sets each to -1 or 0.  Signed, because most
 * machines compare bytes as signed numbers, and because bytes beyond ASCII are
 * then below 0. */
#define LANES int8_t __attribute__((vector_size(16)))

static LANES
load(const char *p)
{
	LANES x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static LANES
within(LANES x, int8_t first, int8_t last)
{
	return (x >= first) & (x <= last);
}

/* Returns lane i of a comparison as bit i. */
static uint64_t
bits(LANES x)
{
#ifdef __SSE2__
	return (uint32_t)__builtin_ia32_pmovmskb128(
	    (char __attribute__((vector_size(16))))x);
#else
	/* Bit 0 of byte k goes to bit 56 + k; all bits go to different
	 * places. */
	const uint64_t low = UINT64_C(0x0101010101010101);
	const uint64_t gather = UINT64_C(0x0102040810204080);
	uint64_t half[2];

	memcpy(half, &x, sizeof(half));
	return (half[0] & low) * gather >> 56 |
	    (half[1] & low) * gather >> 56 << 8;
#endif
}

/* Writes x in lower case.  Lanes of the result are not 0 where x is not simple
 * ASCII. */
static LANES
lower(LANES x, char *out)
{
	LANES low = x + (within(x, 'A', 'Z') & ('a' - 'A'));

	memcpy(out, &low, sizeof(low));
	return ((x < ' ') & ~(within(x, '\t', '\r') & (x != '\v'))) |
	    (x == '&') | (x == 0x7f);
}

static bool
any(LANES x)
{
	uint64_t half[2];

	memcpy(half, &x, sizeof(half));
	return (half[0] | half[1]) != 0;
}

bool
ascii_lower(const char *s, size_t n, char *out)
{
	char rest[16];
	LANES bad = { 0 };
	size_t i;

	for (i = 0; n - i >= sizeof(rest); i += sizeof(rest)) {
		bad |= lower(load(s + i), out + i);
		if (any(bad))
			return false;
	}
	memset(rest, ' ', sizeof(rest));
	for (size_t k = i; k < n; k++)
		rest[k - i] = s[k];
	bad |= lower(load(rest), out + i);
	memset(out + n, 0, ASCII_PAD);
	return !any(bad);
}

struct ascii_words
ascii_words(const char *p)
{
	uint64_t letter = 0, digit = 0, space = 0, other;
	struct ascii_words w;

	for (int i = 0; i < ASCII_WINDOW; i += 16) {
		LANES x = load(p + i);

		letter |= bits(within(x, 'a', 'z')) << i;
		digit |= bits(within(x, '0', '9')) << i;
		space |= bits(x <= ' ') << i;
	}
	other = ~(letter | digit | space);
	w.begins = (letter & ~(letter << 1)) | digit | (other & ~(other << 1));
	w.ends = w.begins | space;
	return w;
}
