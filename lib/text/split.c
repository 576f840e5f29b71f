// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "text/split.h"
#include "text/ucd.h"

/*
 * The pattern, to which the module regex adds IGNORECASE:
 *
 *	<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d
 *	|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+
 */
enum kind {
	OTHER = 0,
	LETTER = UCD_LETTER,
	NUMBER = UCD_NUMBER,
	SPACE = UCD_SPACE,
};

/* Tried before [\p{L}]+, in the order of the pattern. */
static const char *const marks[] = { "<|startoftext|>", "<|endoftext|>" };
static const char *const suffixes[] = {
	"'s", "'t", "'re", "'ve", "'m", "'ll", "'d",
};

static enum kind
kind_of(uint32_t c)
{
	/*
	 * U+0345, a mark whose case folding is a letter, is dropped between
	 * words: under IGNORECASE neither a set nor its complement matches it
	 * (regex 2.5.123; it is the only such code point).
	 */
	if (c == 0x345)
		return SPACE;
	return (enum kind)(ucd(c)->flags & (LETTER | NUMBER | SPACE));
}

/* Returns the kind of the code point at p, and stores its bytes in *n.  The
 * text must be valid; only its end is checked. */
static inline enum kind
kind_at(const char *p, const char *end, size_t *n)
{
	const unsigned char *u = (const unsigned char *)p;
	size_t left = (size_t)(end - p);

	*n = 1;
	if (*u < 0x80) {
		if (*u >= 'a' && *u <= 'z')
			return LETTER;
		return *u == ' ' ? SPACE : kind_of(*u);
	}
	if (*u < 0xe0 && left >= 2) {
		*n = 2;
		return kind_of((u[0] & 0x1fu) << 6 | (u[1] & 0x3fu));
	}
	if (*u >= 0xe0 && *u < 0xf0 && left >= 3) {
		*n = 3;
		return kind_of((u[0] & 0xfu) << 12 | (u[1] & 0x3fu) << 6 |
		    (u[2] & 0x3fu));
	}
	if (*u < 0xf0 || *u > 0xf4 || left < 4)
		return OTHER;	/* clean text never has these */
	*n = 4;
	return kind_of(((u[0] & 7u) << 18 | (u[1] & 0x3fu) << 12 |
	    (u[2] & 0x3fu) << 6 | (u[3] & 0x3fu)) % 0x110000);
}

/*
 * Returns the number of bytes at p that s matches under IGNORECASE, or 0.  The
 * text is lower case, but U+017F, the long s, folds to s and is not a capital
 * (CaseFolding.txt).
 */
static size_t
match(const char *p, const char *end, const char *s)
{
	const char *from = p;

	for (; *s != '\0'; s++) {
		if (p < end && *p == *s)
			p++;
		else if (*s == 's' && end - p >= 2 &&
		    memcmp(p, "\xc5\xbf", 2) == 0)
			p += 2;
		else
			return 0;
	}
	return (size_t)(p - from);
}

static size_t
match_any(const char *p, const char *end, const char *const *s, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n && len == 0; i++)
		len = match(p, end, s[i]);
	return len;
}

bool
text_word(const char **at, const char *end, bool marked, struct text_word *w)
{
	const char *p = *at;
	enum kind kind = SPACE;
	size_t n = 0;

	while (p < end && (kind = kind_at(p, end, &n)) == SPACE)
		p += n;
	*w = (struct text_word){ p, n };
	if (p == end) {
		*at = p;
		return false;
	}
	if (*p == '<' && marked)
		n = match_any(p, end, marks, sizeof(marks) / sizeof(*marks));
	else if (*p == '\'')
		n = match_any(p, end, suffixes,
		    sizeof(suffixes) / sizeof(*suffixes));
	else
		n = 0;
	if (n > 0) {
		w->n = n;
	} else if (kind != NUMBER) {
		for (p += w->n; p < end && kind_at(p, end, &n) == kind; p += n)
			w->n += n;
	}
	*at = w->p + w->n;
	return true;
}
