// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/utf8.h"
#include "text/clean.h"
#include "text/ucd.h"

#define REPLACEMENT 0xfffd

/* ---- Reading UTF-8 ----------------------------------------------------- */

/* Whether b may follow lead: Unicode 15, table 3-7. */
static bool
second(unsigned char lead, unsigned char b)
{
	switch (lead) {
	case 0xe0: return b >= 0xa0 && b <= 0xbf;
	case 0xed: return b >= 0x80 && b <= 0x9f;
	case 0xf0: return b >= 0x90 && b <= 0xbf;
	case 0xf4: return b >= 0x80 && b <= 0x8f;
	default: return (b & 0xc0) == 0x80;
	}
}

/* Bytes that one U+FFFD stands for, where utf8_decode() failed. */
static size_t
maximal_subpart(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t len, i = 1;

	if (u[0] < 0xc2 || u[0] > 0xf4)
		return 1;
	len = u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
	if (n < 2 || !second(u[0], u[1]))
		return 1;
	for (i = 2; i < len && i < n && (u[i] & 0xc0) == 0x80; i++)
		continue;
	return i;
}

static size_t
decode(const char *s, size_t n, uint32_t *c)
{
	size_t len = utf8_decode(s, n, c);

	if (len > 0)
		return len;
	*c = REPLACEMENT;
	return maximal_subpart(s, n);
}

/* A code point takes a byte at least, so n of them are enough. */
static bool
read_points(const char *s, size_t n, struct points *w)
{
	w->n = 0;
	if (!points_reserve(w, n))
		return false;
	for (size_t i = 0; i < n; )
		i += decode(s + i, n - i, &w->p[w->n++]);
	return true;
}

bool
text_valid(const char *s, size_t n, struct buf *out)
{
	uint32_t c;
	size_t len, from = 0, i = 0;

	buf_clear(out);
	while (i < n) {
		if ((unsigned char)s[i] < 0x80) {
			i++;
		} else if ((len = utf8_decode(s + i, n - i, &c)) > 0) {
			i += len;
		} else {
			buf_add(out, s + from, i - from);
			buf_puts(out, "\xef\xbf\xbd");
			i += maximal_subpart(s + i, n - i);
			from = i;
		}
	}
	buf_add(out, s + from, n - from);
	return !out->failed;
}

/* ---- White space ------------------------------------------------------- */

/* str.strip(), then re.sub(r'\s+', ' ', text): the ends are not spaces by
 * then, so the second strip() of whitespace_clean() finds nothing. */
static void
squeeze(struct points *w)
{
	size_t i = 0, n = w->n, out = 0;
	bool space = false;

	while (n > 0 && ucd_is(w->p[n - 1], UCD_STRIP))
		n--;
	while (i < n && ucd_is(w->p[i], UCD_STRIP))
		i++;
	for (; i < n; i++) {
		bool was = space;

		space = ucd_is(w->p[i], UCD_SPACE);
		if (!space)
			w->p[out++] = w->p[i];
		else if (!was)
			w->p[out++] = ' ';
	}
	w->n = out;
}

/* ---- Lower case -------------------------------------------------------- */

/*
 * A capital sigma that ends a word has a lower case of its own: Unicode 15,
 * table 3-17, Final_Sigma; CPython, Objects/unicodeobject.c,
 * handle_capital_sigma().  i is the place of the sigma.
 */
static bool
final_sigma(const struct points *w, size_t i)
{
	size_t before = i, after = i + 1;

	while (before > 0 && ucd_is(w->p[before - 1], UCD_IGNORABLE))
		before--;
	if (before == 0 || !ucd_is(w->p[before - 1], UCD_CASED))
		return false;
	while (after < w->n && ucd_is(w->p[after], UCD_IGNORABLE))
		after++;
	return after == w->n || !ucd_is(w->p[after], UCD_CASED);
}

/* Writes the lower case of code point i in UTF-8, at most 4 * UCD_LONG_MAX
 * bytes, and returns their number. */
static size_t
lower(const struct points *w, size_t i, char *out)
{
	uint32_t c = w->p[i];
	const struct ucd_prop *p = ucd(c);
	size_t n = 0;

	if (c == 0x3a3)
		return utf8_encode(final_sigma(w, i) ? 0x3c2 : 0x3c3, out);
	if ((p->flags & UCD_LONG) == 0)
		return utf8_encode((uint32_t)((int32_t)c + p->lower), out);
	for (int k = 0; k < UCD_LONG_MAX && ucd_long[p->lower][k] != 0; k++)
		n += utf8_encode(ucd_long[p->lower][k], out + n);
	return n;
}

static bool
write_lower(const struct points *w, struct buf *out)
{
	enum { MOST = 4 * UCD_LONG_MAX };
	char *at;

	for (size_t i = 0; i < w->n; i++) {
		if (out->cap - out->n < MOST &&
		    buf_reserve(out, MOST + (w->n - i)) == NULL)
			return false;
		at = out->p + out->n;
		out->n += lower(w, i, at);
	}
	return true;
}

/* ---- The whole --------------------------------------------------------- */

static bool
is_ascii(const char *s, size_t n)
{
	unsigned char any = 0;

	for (size_t i = 0; i < n; i++)
		any |= (unsigned char)s[i];
	return any < 0x80;
}

static bool
ascii_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The same as the long way for ASCII, which most captions are. */
static bool
clean_ascii(const char *s, size_t n, struct buf *out)
{
	char *at = buf_reserve(out, n + 1);
	bool space = false;

	if (at == NULL)
		return false;
	while (n > 0 && (ascii_space(s[n - 1]) ||
	    (s[n - 1] >= 0x1c && s[n - 1] <= 0x1f)))
		n--;
	while (n > 0 && (ascii_space(*s) || (*s >= 0x1c && *s <= 0x1f))) {
		s++;
		n--;
	}
	for (size_t i = 0; i < n; i++) {
		bool was = space;
		char c = s[i];

		space = ascii_space(c);
		if (!space)
			*at++ = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
		else if (!was)
			*at++ = ' ';
	}
	out->n = (size_t)(at - out->p);
	return true;
}

bool
text_clean(const char *s, size_t n, struct points *work, struct buf *out)
{
	buf_clear(out);
	if (is_ascii(s, n))
		return clean_ascii(s, n, out);
	if (!read_points(s, n, work)) {
		out->failed = true;
		return false;
	}
	squeeze(work);
	return write_lower(work, out);
}
