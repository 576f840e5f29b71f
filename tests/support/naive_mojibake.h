/* SPDX-License-Identifier: Apache-2.0 */
/* fix_encoding() of ftfy 6.3.1, written in the same way, to compare with.  Each
 * round goes over the whole text.  If memory runs out, it aborts. */
#ifndef TESTS_SUPPORT_NAIVE_MOJIBAKE_H
#define TESTS_SUPPORT_NAIVE_MOJIBAKE_H

#include <stdlib.h>
#include <string.h>

#include "text/badness.h"
#include "text/charmap.h"
#include "text/codepoints.h"
#include "text/utf8var.h"

static void
naive_add(struct codepoints *to, const uint32_t *p, size_t n)
{
	if (!codepoints_add(to, p, n))
		abort();
}

/* Moves *new to *text, and empties *new.  Returns true if *text changed. */
static bool
naive_becomes(struct codepoints *text, struct codepoints *new)
{
	bool same = text->n == new->n && (new->n == 0 ||
	    memcmp(text->p, new->p, new->n * sizeof(*new->p)) == 0);

	codepoints_swap(text, new);
	codepoints_free(new);
	return !same;
}

/* Encodes text in e, and decodes the bytes to *out as UTF-8.  Returns false if
 * text cannot be encoded, or is not UTF-8; *out is then incomplete. */
static bool
naive_decode(const struct codepoints *text, enum charmap e,
    struct codepoints *out)
{
	uint8_t *byte = malloc(text->n + 1);
	size_t len = 1;
	uint32_t c;

	if (byte == NULL)
		abort();
	for (size_t i = 0; i < text->n && len != 0; i++)
		len = charmap(text->p[i])->in >> e & 1;
	if (len != 0)
		charmap_encode(e, text->p, text->n, byte);
	for (size_t i = 0; i < text->n && len != 0; i += len)
		if ((len = utf8var_decode(byte + i, text->n - i,
		    utf8var_steps(e), &c)) != 0)
			naive_add(out, &c, 1);
	free(byte);
	return len != 0;
}

static bool
naive_clue(const struct codepoints *t, size_t i, unsigned clue)
{
	return i < t->n && (charmap(t->p[i])->clues & clue);
}

/* Returns the end of the match of UTF8_DETECTOR_RE at i; i without a match. */
static size_t
naive_match(const struct codepoints *t, size_t i)
{
	if (i > 0 && naive_clue(t, i - 1, CLUE_STRICT))
		return i;
	while (i < t->n) {
		unsigned more = charmap_more(t->p[i]), k = 1;

		while (k <= more && naive_clue(t, i + k, CLUE_CONTINUATION))
			k++;
		if (more == 0 || k <= more)
			return i;
		i += k;
	}
	return i;
}

static void naive_fix(struct codepoints *text);

/* decode_inconsistent_utf8() */
static bool
naive_matches(struct codepoints *text)
{
	struct codepoints next = { 0 }, part;

	for (size_t i = 0, end; i < text->n; i = end) {
		if ((end = naive_match(text, i)) == i)
			end++;
		part = (struct codepoints){ 0 };
		naive_add(&part, text->p + i, end - i);
		if (naive_match(text, i) == end && part.n < text->n &&
		    text_is_bad(part.p, part.n))
			naive_fix(&part);
		naive_add(&next, part.p, part.n);
		codepoints_free(&part);
	}
	return naive_becomes(text, &next);
}

static bool
naive_c1(struct codepoints *text)
{
	bool changed = false;

	for (size_t i = 0; i < text->n; i++) {
		if (!charmap_is_c1(text->p[i]))
			continue;
		text->p[i] = charmap_c1[text->p[i] - 0x80];
		changed = true;
	}
	return changed;
}

static bool
naive_round(struct codepoints *text)
{
	if (!text_is_bad(text->p, text->n))
		return false;
	for (unsigned e = 0; e < CHARMAPS; e++) {
		struct codepoints next = { 0 };

		if (naive_decode(text, e, &next))
			return naive_becomes(text, &next);
		codepoints_free(&next);
	}
	return naive_matches(text) || naive_c1(text);
}

static void
naive_fix(struct codepoints *text)
{
	while (naive_round(text))
		continue;
}

#endif
