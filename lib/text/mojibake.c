// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "text/badness.h"
#include "text/mojibake.h"
#include "text/mojibake_match.h"
#include "text/utf8var.h"

enum {
	FEW = 4,		/* rounds before a list is made */
	KEPT = 4096,		/* nodes of a list that is kept */
};

static bool
equal(const struct codepoints *a, const struct codepoints *b)
{
	return a->n == b->n && memcmp(a->p, b->p, a->n * sizeof(*a->p)) == 0;
}

/* ---- Rounds without a list --------------------------------------------- */

enum outcome { NONE, SAME, CHANGED, NO_MEMORY };

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

/*
 * Decodes *text from the first encoding in which it is UTF-8.  NONE: there is
 * none.  SAME: it is ASCII and U+FFFD; ftfy stops there, and the other steps
 * would change nothing either.
 */
static enum outcome
decode_text(struct mojibake *m, struct codepoints *text)
{
	unsigned possible = charmap_possible(text->p, text->n);
	uint8_t *byte;
	bool found = false;

	if (possible == 0)
		return NONE;
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
	if (!found)
		return NONE;
	if (equal(text, &m->next))
		return SAME;
	codepoints_swap(text, &m->next);
	return CHANGED;
}

/* ---- Steps over the list ----------------------------------------------- */

/* Queues a node of one of the lists, unless it is gone or queued already;
 * unqueue() ends this. */
static bool
queue(struct mojibake_list *l, uint32_t i)
{
	struct mojibake_node *k = &l->node[i];

	if (k->flags & (NODE_GONE | NODE_QUEUED))
		return false;
	k->flags |= NODE_QUEUED;
	return true;
}

/* Empties one of the lists. */
static void
unqueue(struct mojibake_list *l, struct codepoints *list)
{
	for (size_t i = 0; i < list->n; i++)
		l->node[list->p[i]].flags &= (uint8_t)~NODE_QUEUED;
	list->n = 0;
}

/* Decodes the whole text from encoding e, in which it is UTF-8.  ASCII and
 * U+FFFD stay. */
static bool
reencode(struct mojibake_list *l, enum charmap e)
{
	for (size_t k = 0; k < l->active.n; k++) {
		uint32_t i = l->active.p[k], c;
		size_t len;

		if (l->node[i].c <= 0x7f || l->node[i].c == 0xfffd ||
		    !queue(l, i))
			continue;
		if ((len = mojibake_list_decode(l, e, i, &c)) != 0)
			mojibake_list_plan(l, i, len, &c, 1);
	}
	unqueue(l, &l->active);
	return mojibake_list_carry_out(l);
}

/* fix_c1_controls().  The step of ftfy before it, latin-1 that was meant as
 * windows-1252, does the same to a text in which no byte is unassigned, and
 * nothing to any other. */
static bool
fix_c1(struct mojibake_list *l)
{
	for (size_t k = 0; k < l->controls.n; k++) {
		uint32_t i = l->controls.p[k], c = l->node[i].c;

		if (!charmap_is_c1(c) || !queue(l, i))
			continue;
		c = charmap_c1[c - 0x80];
		mojibake_list_plan(l, i, 1, &c, 1);
	}
	unqueue(l, &l->controls);
	return mojibake_list_carry_out(l);
}

/* ---- Matches ----------------------------------------------------------- */

/*
 * m->part = m->match, repaired by itself.
 *
 * How deep this gets: a match, by itself, has no smaller match before it was
 * decoded, at once or after its C1 controls were replaced.  Decoding leaves one
 * character of two or more, except for "\xc3 ", which becomes two and can be in
 * a match again only with one of the next two or more.  So of two levels the
 * inner one's text is at most 3/4 as long as the outer one's: for 64 Mi of text
 * that is 126 levels.
 */
static bool
fix_part(struct mojibake *m)
{
	if (m->inner == NULL &&
	    (m->inner = calloc(1, sizeof(*m->inner))) == NULL)
		return false;
	m->part.n = 0;
	return codepoints_add(&m->part, m->match.p, m->match.n) &&
	    mojibake_fix(m->inner, &m->part);
}

/* Plans the repair of the match that starts at node i, if it is bad by itself
 * and not the whole text.  False when there is no memory. */
static bool
fix_match(struct mojibake *m, uint32_t i)
{
	struct codepoints *match = &m->match, *part = &m->part;

	if (!mojibake_match_text(&m->list, i, match))
		return false;
	if (match->n == m->list.n || !text_is_bad(match->p, match->n))
		return true;
	if (!fix_part(m))
		return false;
	if (!equal(part, match))
		mojibake_list_plan(&m->list, i, match->n, part->p, part->n);
	return true;
}

/* decode_inconsistent_utf8().  A match that has not changed would again stay
 * the same. */
static bool
fix_matches(struct mojibake *m)
{
	struct mojibake_list *l = &m->list;

	mojibake_match_find(l);
	for (size_t k = 0; k < l->starts.n && !l->failed; k++) {
		uint32_t i = l->starts.p[k];

		if (l->node[i].label == MATCH_START && queue(l, i) &&
		    !fix_match(m, i))
			l->failed = true;
	}
	unqueue(l, &l->starts);
	return mojibake_list_carry_out(l);
}

/* ---- Rounds ------------------------------------------------------------ */

/* False if it changes nothing. */
static bool
fix_round(struct mojibake *m)
{
	struct mojibake_list *l = &m->list;
	enum charmap e;

	if (!mojibake_list_is_bad(l))
		return false;
	if ((e = mojibake_list_encoding(l)) != CHARMAPS)
		return reencode(l, e);
	return fix_matches(m) || fix_c1(l);
}

/* Repairs the text by a list.  no_encoding: the text is UTF-8 in none. */
static bool
fix_list(struct mojibake *m, struct codepoints *text, bool no_encoding)
{
	bool good = mojibake_list_make(&m->list, text);

	m->list.no_encoding = no_encoding;
	while (good && fix_round(m))
		continue;
	good = good && !m->list.failed;
	if (good)
		mojibake_list_text(&m->list, text);
	if (m->list.cap > KEPT)
		mojibake_list_free(&m->list);
	return good;
}

/* Most bad texts are UTF-8 in some encoding, and good after a round or two,
 * which need no list.  In others most matches are such texts. */
bool
mojibake_fix(struct mojibake *m, struct codepoints *text)
{
	enum outcome out = CHANGED;

	for (int i = 0; i < FEW && out == CHANGED; i++) {
		if (!text_is_bad(text->p, text->n))
			return true;
		out = decode_text(m, text);
	}
	if (out == SAME || out == NO_MEMORY)
		return out == SAME;
	return fix_list(m, text, out == NONE);
}

void
mojibake_free(struct mojibake *m)
{
	struct mojibake *inner = m->inner, *next;

	codepoints_free(&m->next);
	buf_free(&m->bytes);
	mojibake_list_free(&m->list);
	codepoints_free(&m->match);
	codepoints_free(&m->part);
	*m = (struct mojibake){ 0 };
	for (; inner != NULL; inner = next) {
		next = inner->inner;
		inner->inner = NULL;
		mojibake_free(inner);
		free(inner);
	}
}
