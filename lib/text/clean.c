// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/utf8.h"
#include "text/clean.h"
#include "text/entity.h"
#include "text/ucd.h"

#define REPLACEMENT 0xfffd
#define SIGMA 0x3a3

/* ---- Reading UTF-8 ----------------------------------------------------- */

/* Returns whether b may follow lead: Unicode 15, table 3-7. */
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

/* Returns the number of bytes that become one U+FFFD, where utf8_decode()
 * failed. */
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

/* ---- ASCII and white space ---------------------------------------------- */

/* Returns whether c is ASCII white space.  U+000B and U+001C to U+001F are not
 * included: they are dropped as controls. */
static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/* Appends a space to the draft from..at, unless the draft is empty or ends with
 * a space. */
static char *
put_space(const char *from, char *at)
{
	if (at > from && at[-1] != ' ')
		*at++ = ' ';
	return at;
}

/* ASCII in lower case; 0 for characters that are not visible, and for '&',
 * which may begin a reference. */
static const unsigned char visible[128] = {
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '!', '"', '#', '$', '%', 0, '\'', '(',
	')', '*', '+', ',', '-', '.', '/', '0', '1', '2', '3', '4', '5', '6',
	'7', '8', '9', ':', ';', '<', '=', '>', '?', '@', 'a', 'b', 'c', 'd',
	'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r',
	's', 't', 'u', 'v', 'w', 'x', 'y', 'z', '[', '\\', ']', '^', '_', '`',
	'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n',
	'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', '{', '|',
	'}', '~', 0,
};

/* ---- Lower case -------------------------------------------------------- */

/*
 * Returns whether code point i, a capital sigma, ends a word, which changes its
 * lower case: Unicode 15, table 3-17, Final_Sigma; CPython,
 * Objects/unicodeobject.c, handle_capital_sigma().
 */
static bool
final_sigma(const struct codepoints *w, size_t i)
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
 * bytes.  Returns the number of bytes. */
static size_t
lower(const struct codepoints *w, size_t i, char *out)
{
	uint32_t c = w->p[i];
	const struct ucd_prop *p = ucd(c);
	size_t n = 0;

	if (c == SIGMA)
		return utf8_encode(final_sigma(w, i) ? 0x3c2 : 0x3c3, out);
	if ((p->flags & UCD_LONG) == 0)
		return utf8_encode((uint32_t)((int32_t)c + p->lower), out);
	for (int k = 0; k < UCD_LONG_MAX && ucd_long[p->lower][k] != 0; k++)
		n += utf8_encode(ucd_long[p->lower][k], out + n);
	return n;
}

/* Appends code point i, at most 4 * UCD_LONG_MAX bytes, to from..at. */
static char *
put(const struct codepoints *w, size_t i, const char *from, char *at)
{
	uint32_t c = w->p[i];

	if (c < 0x80 && visible[c] != 0) {
		*at++ = (char)visible[c];
		return at;
	}
	if (ucd_is(c, UCD_SPACE))
		return put_space(from, at);
	return at + lower(w, i, at);
}

/*
 * Writes as UTF-8 the result of str.strip(), re.sub(r'\s+', ' ', text),
 * str.lower().  U+001C to U+001F need no care, although strip() treats them as
 * space and the pattern does not: the repair has dropped them.
 */
static bool
write_text(const struct codepoints *w, struct buf *out)
{
	enum { SOME = 64, MOST = 4 * UCD_LONG_MAX };
	size_t i = 0, end;
	char *at;

	while (i < w->n) {
		if ((at = buf_reserve(out, SOME * MOST)) == NULL)
			return false;
		for (end = i + SOME; i < end && i < w->n; i++)
			at = put(w, i, out->p, at);
		out->n = (size_t)(at - out->p);
	}
	if (out->n > 0 && out->p[out->n - 1] == ' ')
		out->n--;
	return true;
}

/* ---- Ordinary texts ---------------------------------------------------- */

/*
 * Reads s into *text, and writes a draft of the result to *out.  The draft is
 * right if *traits shows that the text is ordinary.  It is wrong for a capital
 * sigma or a lower case of several code points; UCD_LONG shows these, and
 * write_text() handles them.
 */
static bool
read_text(const char *s, size_t n, struct codepoints *text, struct buf *out,
    struct fix_traits *traits)
{
	const char *end = s + n;
	const struct ucd_prop *prop;
	struct fix_traits seen = { 0 };
	char *from, *at;
	uint32_t c, before = ' ', *p;

	/* A code point has at least one byte, so n code points are enough.
	 * Bytes that are not UTF-8 become three bytes. */
	if (!codepoints_reserve(text, n) ||
	    (from = at = buf_reserve(out, n * 3 + 4)) == NULL)
		return false;
	for (p = text->p; s < end; *p++ = before = c) {
		if ((unsigned char)*s < 0x80) {
			c = (unsigned char)*s++;
			fix_traits_add(&seen, before, c);
			if (visible[c] != 0) {
				*at++ = (char)visible[c];
				seen.other |= at[-1] < 'a' || at[-1] > 'z';
				continue;
			}
			seen.other = true;
			if (is_space((char)c))
				at = put_space(from, at);
			else
				seen.odd = true;
			seen.lines |= c == '\n';
			continue;
		}
		s += decode(s, (size_t)(end - s), &c);
		prop = ucd(c);
		seen.flags |= c == SIGMA ? UCD_LONG : prop->flags;
		seen.other |= (prop->flags & UCD_LETTER) == 0;
		fix_traits_add(&seen, before, c);
		if (prop->flags & UCD_SPACE)
			at = put_space(from, at);
		else
			at += utf8_encode((uint32_t)((int32_t)c + prop->lower),
			    at);
	}
	fix_traits_add(&seen, before, ' ');
	text->n = (size_t)(p - text->p);
	out->n = (size_t)(at - from) - (at > from && at[-1] == ' ');
	*traits = seen;
	return true;
}

/* ---- Cleaning ---------------------------------------------------------- */

/* Does html.unescape(), twice. */
static bool
unescape(struct cleaner *w)
{
	bool changed = codepoints_has(&w->text, '&');

	for (int i = 0; i < 2 && changed; i++) {
		if (!entity_unescape(&w->text, &w->next, &changed))
			return false;
		if (changed)
			codepoints_swap(&w->text, &w->next);
	}
	return true;
}

/* Cleans a text for which the draft is not sufficient. */
static bool
clean_long(struct cleaner *w, bool repair, struct buf *out)
{
	if ((repair && !fix_text(&w->fixer, &w->text)) || !unescape(w))
		return false;
	buf_clear(out);
	return write_text(&w->text, out);
}

bool
text_clean_segment(struct cleaner *w, const char *s, size_t n,
    struct buf *out, struct text_segment *is)
{
	struct fix_traits traits;
	bool ready;

	buf_clear(out);
	if (read_text(s, n, &w->text, out, &traits)) {
		is->no_repair = fix_no_repair(&traits, &w->text);
		ready = is->no_repair && (traits.flags & UCD_LONG) == 0;
		is->one_word = ready && !traits.other;
		if (ready)
			return true;
		if ((is->no_repair ||
		    fix_segment(&w->fixer, &traits, &w->text,
		    &is->no_repair)) &&
		    (!is->no_repair || clean_long(w, false, out)))
			return true;
	}
	out->failed = true;
	return false;
}

bool
text_clean(struct cleaner *w, const char *s, size_t n, struct buf *out)
{
	struct fix_traits traits;
	bool repair;

	buf_clear(out);
	if (read_text(s, n, &w->text, out, &traits)) {
		repair = fix_needed(&traits, &w->text);
		if ((!repair && (traits.flags & UCD_LONG) == 0) ||
		    clean_long(w, repair, out))
			return true;
	}
	out->failed = true;
	return false;
}

void
clean_free(struct cleaner *w)
{
	codepoints_free(&w->text);
	codepoints_free(&w->next);
	fix_free(&w->fixer);
}
