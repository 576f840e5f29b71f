// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/utf8.h"
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

/* In front of [\p{L}]+, in the order of the pattern. */
static const char *const marks[] = { "<|startoftext|>", "<|endoftext|>" };
static const char *const suffixes[] = {
	"'s", "'t", "'re", "'ve", "'m", "'ll", "'d",
};

static enum kind
kind_of(uint32_t c)
{
	/*
	 * U+0345, a mark whose case folding is a letter, is matched neither by
	 * a set nor by its complement under IGNORECASE (regex 2.5.123, the
	 * only such code point), so it is dropped between words.
	 */
	if (c == 0x345)
		return SPACE;
	return (enum kind)(ucd(c)->flags & (LETTER | NUMBER | SPACE));
}

/* The code point at p, its bytes in *n. */
static enum kind
kind_at(const char *p, const char *end, size_t *n)
{
	unsigned char b = (unsigned char)*p;
	uint32_t c;

	*n = 1;
	if (b < 0x80) {
		if (b >= 'a' && b <= 'z')
			return LETTER;
		if (b == ' ')
			return SPACE;
		return kind_of(b);
	}
	if ((*n = utf8_decode(p, (size_t)(end - p), &c)) == 0) {
		*n = 1;		/* cleaned text has none of these */
		return OTHER;
	}
	return kind_of(c);
}

/*
 * Bytes at p that s matches under IGNORECASE, or 0.  The text is lower case,
 * but U+017F, the long s, folds to s and is no capital (CaseFolding.txt).
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
text_word(const char **at, const char *end, bool marked, struct word *w)
{
	const char *p = *at;
	enum kind kind = SPACE;
	size_t n = 0;

	while (p < end && (kind = kind_at(p, end, &n)) == SPACE)
		p += n;
	*w = (struct word){ p, n };
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
