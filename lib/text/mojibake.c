// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "text/badness.h"
#include "text/mojibake.h"
#include "text/mojibake_match.h"
#include "text/utf8var.h"

enum {
	FEW = 4,		/* rounds before a list is created */
	KEPT = 4096,		/* nodes of the largest list that is kept */
};

static bool
equal(const struct codepoints *a, const struct codepoints *b)
{
	return a->n == b->n && memcmp(a->p, b->p, a->n * sizeof(*a->p)) == 0;
}

/* ---- Rounds without a list --------------------------------------------- */

enum outcome { NONE, SAME, CHANGED, NO_MEMORY };

/* Decodes byte[0..n) as UTF-8 into *out, which must have room for n.  Returns
 * false if it is not UTF-8. */
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
 * no such encoding.  SAME: the text is ASCII and U+FFFD; ftfy stops there, and
 * the other steps would change nothing either.
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

/* Marks a node as queued in one of the lists.  Returns false if the node is
 * gone or already queued.  unqueue() removes the mark. */
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

/* Decodes the whole text from encoding e, in which it must be UTF-8.  ASCII and
 * U+FFFD are kept. */
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

/* Does fix_c1_controls().  ftfy's step before it (latin-1 that was meant as
 * windows-1252) is not needed: it does the same to a text without unassigned
 * bytes, and does nothing to other texts. */
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
 * Sets m->part to m->match, repaired by itself.
 *
 * The depth of recursion is limited.  A match by itself has no smaller match
 * before it is decoded, which happens at once or after its C1 controls are
 * replaced.  Decoding turns two or more characters into one, except "\xc3 ",
 * which becomes two and can be in a match again only with one of the next two
 * or more characters.  So on each level the text is at most 3/4 as long as on
 * the level above: 126 levels for a text of 64 Mi.
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
 * and is not the whole text.  Returns false if out of memory. */
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

/* Does decode_inconsistent_utf8().  A match that did not change is skipped, as
 * it would stay the same again. */
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

/* Does one round.  Returns false if the round changes nothing. */
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

/* Repairs the text as a list.  no_encoding: the text is not UTF-8 in any
 * encoding. */
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

/* Most bad texts are UTF-8 in some encoding, and good after a round or two.
 * These need no list.  In other bad texts, most matches are such texts. */
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
