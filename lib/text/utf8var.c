// SPDX-License-Identifier: Apache-2.0
/*
 * ftfy applies three regular expressions to the bytes, then decodes them.  This
 * code handles one character at a time, which gives the same result: every
 * match starts with the first byte of a character, and contains no other first
 * byte, except a match of two surrogates.  Matches of surrogates never overlap
 * either, because the second surrogate cannot be the first of another pair.  So
 * a match never extends into another character.
 */
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "text/utf8var.h"

enum { MOST = 6, LOST = 0x1a };

static bool
within(unsigned b, unsigned first, unsigned last)
{
	return b >= first && b <= last;
}

static bool
continues(unsigned b)
{
	return within(b, 0x80, 0xbf);
}

static bool
begins(const uint8_t *p, size_t n, const char *word)
{
	size_t len = strlen(word);

	return n >= len && memcmp(p, word, len) == 0;
}

/* A_GRAVE_WORD_RE: returns whether "\xc3 " is a word, or starts a word other
 * than these.  In that case A0 is inserted and the space is kept. */
static bool
a_grave(const uint8_t *p, size_t n)
{
	return begins(p, n, "\xc3 ") && !begins(p + 2, n - 2, " ") &&
	    !begins(p + 2, n - 2, "quele") && !begins(p + 2, n - 2, "quela") &&
	    !begins(p + 2, n - 2, "quilo") && !begins(p + 2, n - 2, "s ");
}

/* ALTERED_UTF8_RE at w[0..6): returns the index of the space that was A0, or
 * 0. */
static unsigned
altered(const uint8_t *w)
{
	bool middle1 = continues(w[1]) && w[1] != 0x85 && w[1] != 0xa0;
	bool middle2 = continues(w[2]) && w[2] != 0x85 && w[2] != 0xa0;
	unsigned at = 0;

	if (w[0] != 0 && strchr("\xc2\xc3\xc5\xce\xd0\xd9", w[0]) != NULL)
		return w[1] == ' ' ? 1 : 0;
	if (within(w[0], 0xe2, 0xe3) && w[1] == ' ')
		return middle2 ? 1 : 0;
	if (within(w[0], 0xe0, 0xe3))
		return middle1 && w[2] == ' ' ? 2 : 0;
	if (w[0] != 0xf0)
		return 0;
	for (unsigned i = 1; i < 4; i++) {
		if (w[i] == ' ')
			at = i;		/* two spaces fail in either case */
		else if (!continues(w[i]))
			return 0;
	}
	return at;
}

/* Returns whether w[0..n) continues a character and part of it is lost.  A lost
 * byte is LOST, or '?' for up to marks bytes. */
static bool
lossy_rest(const uint8_t *w, size_t n, unsigned marks)
{
	unsigned lost = 0;

	for (size_t i = 0; i < n; i++) {
		if (w[i] == '?' && marks-- == 0)
			return false;
		if (w[i] == '?' || w[i] == LOST)
			lost++;
		else if (!continues(w[i]))
			return false;
	}
	return lost > 0;
}

/* LOSSY_UTF8_RE at w[0..6): returns the number of bytes that match, or 0. */
static size_t
lossy(const uint8_t *w)
{
	const uint8_t pair[] = { w[2], w[5] };

	if (w[0] == LOST)
		return 1;
	if (within(w[0], 0xc2, 0xdf))
		return lossy_rest(w + 1, 1, w[0] <= 0xc3) ? 2 : 0;
	if (w[0] == 0xed && within(w[1], 0xa0, 0xaf) && w[3] == 0xed &&
	    within(w[4], 0xb0, 0xbf) && lossy_rest(pair, 2, 2))
		return 6;
	if (within(w[0], 0xe0, 0xef))
		return lossy_rest(w + 1, 2, 1) ? 3 : 0;
	if (within(w[0], 0xf0, 0xf4))
		return lossy_rest(w + 1, 3, 1) ? 4 : 0;
	return 0;
}

/*
 * Decodes sequences that utf-8-variants accepts and utf-8 does not: C0 80, and
 * CESU-8, in which a code point above FFFF is encoded as two surrogates of
 * three bytes.  As the last byte of either, a newline at the end of the text is
 * also accepted, because "$" in its pattern matches before such a newline.
 */
static size_t
variant(const uint8_t *w, size_t n, uint32_t *c)
{
	if (w[0] == 0xc0 && n >= 2 &&
	    (w[1] == 0x80 || (w[1] == '\n' && n == 2))) {
		*c = 0;
		return 2;
	}
	if (w[0] == 0xed && n >= 6 && within(w[1], 0xa0, 0xaf) &&
	    continues(w[2]) && w[3] == 0xed && within(w[4], 0xb0, 0xbf) &&
	    (continues(w[5]) || (w[5] == '\n' && n == 6))) {
		*c = 0x10000 + ((w[1] & 0xfU) << 16 | (w[2] & 0x3fU) << 10 |
		    (w[4] & 0xfU) << 6 | (w[5] & 0x3fU));
		return 6;
	}
	return 0;
}

size_t
utf8var_decode(const uint8_t *p, size_t n, unsigned steps, uint32_t *c)
{
	uint8_t w[MOST] = { 0 };
	unsigned at;
	size_t len;

	if (n == 0)
		return 0;
	if (p[0] < 0x80 && p[0] != LOST) {
		*c = p[0];
		return 1;
	}
	memcpy(w, p, n < MOST ? n : MOST);
	if (steps & UTF8VAR_A0) {
		if (a_grave(p, n)) {
			*c = 0xe0;
			return 1;
		}
		if ((at = altered(w)) != 0)
			w[at] = 0xa0;
	}
	if ((steps & UTF8VAR_LOSSY) && (len = lossy(w)) != 0) {
		*c = 0xfffd;
		return len;
	}
	if ((len = variant(w, n, c)) != 0)
		return len;
	return utf8_decode((const char *)w, n < MOST ? n : MOST, c);
}
