// SPDX-License-Identifier: Apache-2.0
#include "text/characters.h"
#include "text/characters_data.h"

#define ESCAPE 0x1b

static size_t
count_suspects(const struct codepoints *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += character_suspect(w->p[i]);
	return n;
}

/* Writes the replacement of the suspect c and returns the number of code
 * points.  A character that will be dropped is kept for now. */
static size_t
replace(uint32_t c, uint32_t *out)
{
	uint16_t entry = 0;
	const uint16_t *text;
	size_t n = 0;

	if (c < CHARACTERS_END)
		entry = character_rows[character_index[c / CHARACTERS_BLOCK]]
		    [c % CHARACTERS_BLOCK];
	*out = entry == 0 ? c : entry;
	if (entry < CHARACTERS_LONG)
		return 1;
	text = character_long[entry - CHARACTERS_LONG];
	while (n < CHARACTERS_MOST && text[n] != 0) {
		out[n] = text[n];
		n++;
	}
	return n;
}

/* Applies the steps from fix_c1_controls to fix_line_breaks.  out must have
 * enough room. */
static void
replace_all(const struct codepoints *in, struct codepoints *out)
{
	uint32_t *at = out->p;

	for (size_t i = 0; i < in->n; i++) {
		uint32_t c = in->p[i];

		if (!character_suspect(c))
			*at++ = c;
		else if (c != '\r' || i + 1 == in->n || in->p[i + 1] != '\n')
			at += replace(c, at);
	}
	out->n = (size_t)(at - out->p);
}

static bool
is_letter(uint32_t c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Returns the length of the terminal escape at the start of p[0..n), or 0
 * (ANSI_RE of ftfy: ESC [ (digit or ;)* letter). */
static size_t
escape(const uint32_t *p, size_t n)
{
	size_t i = 2;

	if (n < 3 || p[0] != ESCAPE || p[1] != '[')
		return 0;
	while (i < n && (p[i] == ';' || ucd_is(p[i], UCD_DIGIT)))
		i++;
	return i < n && is_letter(p[i]) ? i + 1 : 0;
}

/*
 * Does remove_terminal_escapes, then remove_control_chars.  Characters that are
 * still suspect after replace_all() are dropped; gen/characters.c checks that
 * this is right.  escape() does not go past another ESC, so this takes linear
 * time.
 */
static void
drop(struct codepoints *w)
{
	size_t n = 0, length;

	for (size_t i = 0; i < w->n; i++) {
		uint32_t c = w->p[i];

		if (!character_suspect(c))
			w->p[n++] = c;
		else if ((length = escape(w->p + i, w->n - i)) > 0)
			i += length - 1;
	}
	w->n = n;
}

bool
characters_fix(const struct codepoints *in, struct codepoints *out,
    bool *changed)
{
	size_t suspects = count_suspects(in);

	*changed = suspects > 0;
	out->n = 0;
	if (suspects == 0)
		return codepoints_add(out, in->p, in->n);
	if (!codepoints_reserve(out, in->n + suspects * (CHARACTERS_MOST - 1)))
		return false;
	replace_all(in, out);
	drop(out);
	return true;
}
