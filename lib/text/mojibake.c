// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "text/badness.h"
#include "text/charmap.h"
#include "text/mojibake.h"
#include "text/mojibake_list.h"
#include "text/utf8var.h"

/* Rounds that are made over the whole text. */
enum { FEW = 16 };

/* What became of a step. */
enum outcome { SAME, CHANGED, NO_MEMORY };

/* *out, which has room for n, = the UTF-8 byte[0..n); false if it is none. */
static bool
decode(const uint8_t *byte, size_t n, unsigned steps, struct codepoints *out)
{
	size_t len;

	out->n = 0;
	for (size_t i = 0; i < n; i += len)
		if ((len = utf8var_decode(byte + i, n - i, steps,
		    &out->p[out->n++])) == 0)
			return false;
	return true;
}

static bool
equal(const struct codepoints *a, const struct codepoints *b)
{
	return a->n == b->n && memcmp(a->p, b->p, a->n * sizeof(*a->p)) == 0;
}

/* The whole text in the first encoding that makes it UTF-8.  ftfy stops where
 * there is one that changes nothing; such a text is ASCII and U+FFFD, in which
 * the other steps change nothing either. */
static enum outcome
reencode(struct mojibake *m, struct codepoints *text)
{
	unsigned possible = charmap_possible(text->p, text->n);
	uint8_t *byte;
	bool found = false;

	if (possible == 0)
		return SAME;
	buf_clear(&m->bytes);
	byte = buf_reserve(&m->bytes, text->n);
	if (byte == NULL || !codepoints_reserve(&m->next, text->n))
		return NO_MEMORY;
	for (unsigned e = 0; e < CHARMAPS && !found; e++) {
		if (!(possible >> e & 1))
			continue;
		charmap_encode(e, text->p, text->n, byte);
		found = decode(byte, text->n, utf8var_steps(e), &m->next);
	}
	if (!found || equal(text, &m->next))
		return SAME;
	codepoints_swap(text, &m->next);
	return CHANGED;
}

/* ---- Mojibake within other text ---------------------------------------- */

static bool
has_clue(const struct codepoints *t, size_t i, unsigned clue)
{
	return i < t->n && (charmap(t->p[i])->clues & clue);
}

/* Where the match of UTF8_DETECTOR_RE at i ends; i if there is none.  No first
 * character is that of two lengths (gen/mojibake.c sees to it), so there is
 * nothing to go back for. */
static size_t
detect(const struct codepoints *t, size_t i)
{
	if (i > 0 && has_clue(t, i - 1, CLUE_STRICT))
		return i;
	while (i < t->n) {
		unsigned more = charmap_more(t->p[i]), k = 1;

		while (k <= more && has_clue(t, i + k, CLUE_CONTINUATION))
			k++;
		if (more == 0 || k <= more)
			return i;
		i += k;
	}
	return i;
}

/*
 * How deep this gets: p[0..n) is a match, so by itself it has no smaller one
 * before it was decoded, at once or after its C1 controls were replaced.
 * Decoding leaves one character of two or more, but for "\xc3 ", which becomes
 * two and can be in a match again only with one of the next two or more.  So
 * of two levels the inner one's text is at most 3/4 as long as the outer
 * one's: for 64 Mi of text that is 126 levels.
 */
bool
mojibake_part(struct mojibake *m, const uint32_t *p, size_t n)
{
	if (m->inner == NULL &&
	    (m->inner = calloc(1, sizeof(*m->inner))) == NULL)
		return false;
	m->inner->many = m->many;
	m->part.n = 0;
	return codepoints_add(&m->part, p, n) &&
	    mojibake_fix(m->inner, &m->part);
}

/* Adds t[i..end), a match, to m->next, repaired if it is bad by itself. */
static bool
add_match(struct mojibake *m, const struct codepoints *t, size_t i, size_t end)
{
	size_t n = end - i;

	if (n == t->n || !text_is_bad(t->p + i, n))
		return codepoints_add(&m->next, t->p + i, n);
	return mojibake_part(m, t->p + i, n) &&
	    codepoints_add(&m->next, m->part.p, m->part.n);
}

/* decode_inconsistent_utf8() */
static enum outcome
fix_matches(struct mojibake *m, struct codepoints *text)
{
	size_t kept = 0, end;

	m->next.n = 0;
	for (size_t i = 0; i < text->n; i = end) {
		if ((end = detect(text, i)) == i) {
			end++;
			continue;
		}
		if (!codepoints_add(&m->next, text->p + kept, i - kept) ||
		    !add_match(m, text, i, end))
			return NO_MEMORY;
		kept = end;
	}
	if (!codepoints_add(&m->next, text->p + kept, text->n - kept))
		return NO_MEMORY;
	if (equal(text, &m->next))
		return SAME;
	codepoints_swap(text, &m->next);
	return CHANGED;
}

/* fix_c1_controls().  The step of ftfy before it, latin-1 that was meant as
 * windows-1252, does the same to a text in which no byte is unassigned, and
 * nothing to any other. */
static enum outcome
fix_c1(struct codepoints *text)
{
	enum outcome out = SAME;

	for (size_t i = 0; i < text->n; i++) {
		uint32_t c = text->p[i];

		if (c < 0x80 || c > 0x9f || charmap_c1[c - 0x80] == c)
			continue;
		text->p[i] = charmap_c1[c - 0x80];
		out = CHANGED;
	}
	return out;
}

static enum outcome
fix_round(struct mojibake *m, struct codepoints *text)
{
	enum outcome out;

	if (!text_is_bad(text->p, text->n))
		return SAME;
	if ((out = reencode(m, text)) != SAME)
		return out;
	if ((out = fix_matches(m, text)) != SAME)
		return out;
	return fix_c1(text);
}

bool
mojibake_fix(struct mojibake *m, struct codepoints *text)
{
	enum outcome out = CHANGED;

	for (int i = 0; i < FEW && out == CHANGED && !m->many; i++)
		out = fix_round(m, text);
	return out == CHANGED ? rounds_fix(m, text) : out == SAME;
}

void
mojibake_free(struct mojibake *m)
{
	struct mojibake *inner = m->inner, *next;

	codepoints_free(&m->next);
	codepoints_free(&m->part);
	buf_free(&m->bytes);
	for (; inner != NULL; inner = next) {
		next = inner->inner;
		codepoints_free(&inner->next);
		codepoints_free(&inner->part);
		buf_free(&inner->bytes);
		free(inner);
	}
	*m = (struct mojibake){ 0 };
}
