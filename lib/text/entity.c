// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "text/characters.h"
#include "text/characters_data.h"
#include "text/entity.h"
#include "text/entity_data.h"

enum {
	LARGEST = 0x10ffff,
	NO_DIGIT = 16,
	PYTHON_DIGITS = 4300,	/* maximum for int() in Python 3.11 */
	FTFY_LONGEST = 24,	/* HTML_ENTITY_RE of ftfy/chardata.py */
};

/* A reference at the start of a text: its length (0 if the text does not start
 * with a reference), and the code points that it represents. */
struct reference {
	size_t length;
	uint32_t value[ENTITY_MOST];
	unsigned n;
};

/* ---- Numbers ----------------------------------------------------------- */

static unsigned
digit(uint32_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return NO_DIGIT;
}

static bool
is_noncharacter(uint32_t c)
{
	return (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe;
}

/* Sets the value of a number as html._replace_charref() of Python does. */
static void
set_value(struct reference *r, uint32_t number)
{
	r->n = 1;
	r->value[0] = number;
	if (number == 0 || number > LARGEST ||
	    (number >= 0xd800 && number <= 0xdfff))
		r->value[0] = 0xfffd;
	else if (number >= 0x80 && number <= 0x9f)
		r->value[0] = character_c1[number - 0x80];
	else if (number == 0x7f || is_noncharacter(number) ||
	    (number < ' ' && number != '\t' && number != '\n' &&
	    number != '\f' && number != '\r'))
		r->n = 0;
}

/* Reads "&#65" or "&#x41", without the semicolon that may follow. */
static struct reference
numeric(const uint32_t *p, size_t n)
{
	struct reference r = { 0 };
	unsigned base = n > 2 && (p[2] | 0x20) == 'x' ? 16 : 10;
	size_t start = base == 16 ? 3 : 2, i = start;
	uint32_t number = 0;

	if (n < 2 || p[1] != '#')
		return r;
	for (; i < n && digit(p[i]) < base; i++)
		if (number <= LARGEST)
			number = number * base + digit(p[i]);
	if (i == start)
		return r;
	if (base == 10 && i - start > PYTHON_DIGITS)
		number = LARGEST + 1;
	set_value(&r, number);
	r.length = i;
	return r;
}

/* ---- Names ------------------------------------------------------------- */

static bool
is_alnum(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	    (c >= 'a' && c <= 'z');
}

/* Returns the number of letters and digits at the start of p[0..n), up to
 * most. */
static size_t
alnum_run(const uint32_t *p, size_t n, size_t most)
{
	size_t i = 0;

	while (i < n && i < most && is_alnum(p[i]))
		i++;
	return i;
}

/* Returns the entity whose name is the n letters and digits at p, or NULL. */
static const struct entity *
find(const uint32_t *p, size_t n)
{
	char name[ENTITY_LONGEST];
	size_t low, high;

	if (n == 0 || n > ENTITY_LONGEST)
		return NULL;
	for (size_t i = 0; i < n; i++)
		name[i] = (char)p[i];
	low = 0;
	high = entity_first[n + 1] - entity_first[n];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = memcmp(entity_names + entity_name[n] + middle * n,
		    name, n);

		if (order == 0)
			return &entities[entity_first[n] + middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static struct reference
named(const struct entity *e, size_t length)
{
	struct reference r = { .length = length, .n = e->n };

	memcpy(r.value, entity_values + e->value, e->n * sizeof(*r.value));
	return r;
}

/* ---- References -------------------------------------------------------- */

/* Reads a reference as ftfy's HTML_ENTITY_RE and _unescape_fixup() do. */
static struct reference
ftfy_reference(const uint32_t *p, size_t n)
{
	struct reference r = { 0 };
	size_t start = n > 1 && p[1] == '#' ? 2 : 1, run;
	const struct entity *e;

	run = n < start ? 0 : alnum_run(p + start, n - start, FTFY_LONGEST);
	if (run == 0 || start + run == n || p[start + run] != ';')
		return r;
	if (start == 1) {
		e = find(p + 1, run);
		return e == NULL ? r : named(e, run + 2);
	}
	r = numeric(p, n);
	/* The number must be complete, and must not be a semicolon. */
	if (r.length != start + run || (r.n == 1 && r.value[0] == ';'))
		return (struct reference){ 0 };
	r.length++;
	return r;
}

/*
 * Returns ftfy's reference at the end of w, which ends with a semicolon.
 *
 * The order of replacement does not matter to entity_fix_nested(), because a
 * reference has exactly one '&', at its start, and one ';', at its end.
 * Therefore references never overlap, and replacing a reference leaves every
 * other unchanged.  A replacement also makes the text shorter.  So every order
 * ends with the same text, and every reference that arises in one order arises
 * in all.
 */
static struct reference
last_reference(const struct codepoints *w)
{
	size_t start = w->n - 1, most = FTFY_LONGEST;

	for (; most > 0 && start > 0 && is_alnum(w->p[start - 1]); most--)
		start--;
	if (start > 0 && w->p[start - 1] == '#')
		start--;
	if (start == 0 || w->p[start - 1] != '&')
		return (struct reference){ 0 };
	return ftfy_reference(w->p + start - 1, w->n - start + 1);
}

/* Reads a reference as html._charref and html._replace_charref() of Python
 * do. */
static struct reference
html_reference(const uint32_t *p, size_t n)
{
	struct reference r = numeric(p, n);
	const struct entity *e;
	size_t run;

	if (r.length > 0) {
		r.length += r.length < n && p[r.length] == ';';
		return r;
	}
	run = alnum_run(p + 1, n - 1, ENTITY_LONGEST + 1);
	if (1 + run < n && p[1 + run] == ';' &&
	    (e = find(p + 1, run)) != NULL && (e->kinds & ENTITY_HTML) != 0)
		return named(e, run + 2);
	if (run > ENTITY_BARE_LONGEST)
		run = ENTITY_BARE_LONGEST;
	for (; run > 1; run--)
		if ((e = find(p + 1, run)) != NULL &&
		    (e->kinds & ENTITY_BARE) != 0)
			return named(e, run + 1);
	return r;
}

/* Replaces all references.  A reference is longer than its replacement, so the
 * text never grows. */
static bool
replace(const struct codepoints *in, struct codepoints *out, bool *changed,
    struct reference (*reference)(const uint32_t *p, size_t n))
{
	*changed = false;
	out->n = 0;
	if (!codepoints_reserve(out, in->n))
		return false;
	for (size_t i = 0; i < in->n; ) {
		struct reference r = { 0 };

		if (in->p[i] == '&')
			r = reference(in->p + i, in->n - i);
		if (r.length == 0) {
			out->p[out->n++] = in->p[i++];
			continue;
		}
		for (unsigned k = 0; k < r.n; k++)
			out->p[out->n++] = r.value[k];
		i += r.length;
		*changed = true;
	}
	return true;
}

bool
entity_fix(const struct codepoints *in, struct codepoints *out, bool *changed)
{
	return replace(in, out, changed, ftfy_reference);
}

bool
entity_unescape(const struct codepoints *in, struct codepoints *out,
    bool *changed)
{
	return replace(in, out, changed, html_reference);
}

/* Appends a semicolon, or the replacement of the reference that the semicolon
 * ends; this replacement may be a semicolon again. */
static void
add_semicolon(struct codepoints *out, bool *ascii)
{
	struct reference r;

	do {
		out->p[out->n++] = ';';
		r = last_reference(out);
		if (r.length == 0)
			return;
		out->n -= r.length;
	} while (r.n == 1 && r.value[0] == ';');
	for (unsigned k = 0; k < r.n; k++) {
		if (r.value[k] >= 0x80 || character_suspect(r.value[k]))
			*ascii = false;
		out->p[out->n++] = r.value[k];
	}
}

bool
entity_fix_nested(const struct codepoints *in, struct codepoints *out,
    bool *ascii)
{
	*ascii = true;
	out->n = 0;
	if (!codepoints_reserve(out, in->n))
		return false;
	for (size_t i = 0; i < in->n; i++) {
		if (in->p[i] == ';')
			add_semicolon(out, ascii);
		else
			out->p[out->n++] = in->p[i];
	}
	return true;
}
