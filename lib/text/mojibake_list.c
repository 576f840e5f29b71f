// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "text/badness.h"
#include "text/mojibake_list.h"
#include "text/utf8var.h"

enum {
	/* Counts and labels do not depend on nodes further back, where a
	 * character of 6 bytes may start, or further ahead. */
	BACK = 5,
	AHEAD = UTF8VAR_AHEAD,
	WINDOW = BACK + AHEAD,
	LOST = 0xfffd,
};

void
mojibake_list_push(struct mojibake_list *l, struct codepoints *list,
    uint32_t x)
{
	if (!codepoints_push(list, x))
		l->failed = true;
}

/* ---- Counts ------------------------------------------------------------ */

/* The code points around a node; at code points are before it. */
struct window {
	uint32_t c[WINDOW];
	size_t n, at;
};

static void
look(const struct mojibake_list *l, uint32_t i, struct window *w)
{
	uint32_t k = i;

	for (w->at = 0; w->at < BACK && l->node[k].prev != 0; w->at++)
		k = l->node[k].prev;
	for (w->n = 0; k != 0 && w->n < w->at + AHEAD;
	    k = l->node[k].next)
		w->c[w->n++] = l->node[k].c;
}

/* Returns whether the node starts a UTF-8 character in encoding e, or is within
 * a character.  *len: the character's bytes if the node starts it, otherwise
 * 0. */
static bool
decodes(enum charmap e, const struct window *w, size_t *len, uint32_t *c)
{
	unsigned steps = utf8var_steps(e);
	uint8_t b[WINDOW] = { 0 };
	size_t at = w->at;

	*len = 0;
	charmap_encode(e, w->c + at, w->n - at, b + at);
	if (b[at] < 0x80)
		return true;
	if (b[at] < 0xc0 || b[at] == 0xed)
		charmap_encode(e, w->c, at, b);
	/* Within a character, only a surrogate has a first byte. */
	for (size_t k = at; k > 0 && (b[k] < 0xc0 || b[k] == 0xed); )
		if (b[--k] >= 0xc0 &&
		    utf8var_decode(b + k, w->n - k, steps, c) > at - k)
			return true;
	*len = utf8var_decode(b + at, w->n - at, steps, c);
	return *len != 0;
}

/* Counts the node if encoding e does not have it, or if it is not UTF-8 in
 * e. */
static void
check(struct mojibake_list *l, struct mojibake_node *k, const struct window *w,
    enum charmap e)
{
	uint32_t c;
	size_t len;

	if ((charmap(k->c)->in >> e & 1) &&
	    (k->c <= 0x7f || decodes(e, w, &len, &c)))
		return;
	k->misses |= (uint16_t)(1U << e);
	l->misses[e]++;
}

/* Returns whether a rule of badness.h allows the first two code points here. */
static bool
may_be_bad(const struct mojibake_list *l, const struct mojibake_node *k)
{
	unsigned next = k->next == 0 ? 0 : badness_kind(l->node[k->next].c);

	return (badness_at[badness_kind(k->c)][0] & badness_at[next][1]) != 0;
}

static void
count(struct mojibake_list *l, uint32_t i)
{
	struct mojibake_node *k = &l->node[i];
	bool pair = may_be_bad(l, k);
	struct window w;

	k->flags |= NODE_COUNTED;
	if (!pair && l->checked == 0)
		return;
	look(l, i, &w);
	if (pair && text_bad_at(w.c, w.n, w.at)) {
		k->flags |= NODE_BAD;
		l->bad++;
	}
	for (unsigned e = 0; e < CHARMAPS; e++)
		if (l->checked >> e & 1)
			check(l, k, &w, e);
}

/* Subtracts the node from the counts. */
static void
uncount(struct mojibake_list *l, struct mojibake_node *k)
{
	l->bad -= (k->flags & NODE_BAD) != 0;
	for (unsigned e = 0; k->misses != 0; e++, k->misses >>= 1)
		l->misses[e] -= k->misses & 1;
	k->flags &= (uint8_t)~(NODE_COUNTED | NODE_BAD);
}

bool
mojibake_list_is_bad(struct mojibake_list *l)
{
	for (size_t i = 0; i < l->uncounted.n; i++) {
		uint32_t k = l->uncounted.p[i];

		if (!(l->node[k].flags & (NODE_COUNTED | NODE_GONE)))
			count(l, k);
	}
	l->uncounted.n = 0;
	return l->bad > 0;
}

/* Counts misses[e]; later edits update the count. */
static void
check_all(struct mojibake_list *l, enum charmap e)
{
	struct window w;

	l->checked |= 1U << e;
	for (uint32_t i = l->node[0].next; i != 0; i = l->node[i].next) {
		look(l, i, &w);
		check(l, &l->node[i], &w, e);
	}
}

enum charmap
mojibake_list_encoding(struct mojibake_list *l)
{
	enum charmap e;

	for (e = l->no_encoding ? CHARMAPS : 0; e < CHARMAPS; e++) {
		if (!(l->checked >> e & 1))
			check_all(l, e);
		if (l->misses[e] == 0)
			break;
	}
	return e;
}

size_t
mojibake_list_decode(const struct mojibake_list *l, enum charmap e, uint32_t i,
    uint32_t *c)
{
	struct window w;
	size_t len;

	look(l, i, &w);
	return decodes(e, &w, &len, c) ? len : 0;
}

/* ---- Edits ------------------------------------------------------------- */

/* Handles a change of something that node i depends on. */
static void
touch(struct mojibake_list *l, uint32_t i)
{
	struct mojibake_node *k = &l->node[i];

	if (k->flags & NODE_COUNTED) {
		uncount(l, k);
		mojibake_list_push(l, &l->uncounted, i);
	}
	if (!(k->flags & NODE_UNLABELLED)) {
		k->flags |= NODE_UNLABELLED;
		mojibake_list_push(l, &l->unlabelled, i);
	}
}

static void
set(struct mojibake_list *l, uint32_t i, uint32_t c)
{
	l->node[i].c = c;
	if (c > 0x7f && c != LOST)
		mojibake_list_push(l, &l->active, i);
	if (charmap_is_c1(c))
		mojibake_list_push(l, &l->controls, i);
}

static void
drop(struct mojibake_list *l, uint32_t i)
{
	struct mojibake_node *k = &l->node[i];

	l->node[k->prev].next = k->next;
	l->node[k->next].prev = k->prev;
	k->flags |= NODE_GONE;
	l->n--;
}

/* Replaces n nodes, starting with node i, by p[0..left). */
static void
replace(struct mojibake_list *l, uint32_t i, size_t n, const uint32_t *p,
    size_t left)
{
	uint32_t k = i, next;

	for (size_t j = 0; j < AHEAD && l->node[k].prev != 0; j++)
		k = l->node[k].prev;
	for (; k != i; k = l->node[k].next)
		touch(l, k);
	for (size_t j = 0; j < n + BACK && k != 0; j++, k = l->node[k].next)
		touch(l, k);
	for (size_t j = 0; j < n; j++, i = next) {
		next = l->node[i].next;
		if (j < left)
			set(l, i, p[j]);
		else
			drop(l, i);
	}
}

void
mojibake_list_plan(struct mojibake_list *l, uint32_t i, size_t n,
    const uint32_t *p, size_t left)
{
	mojibake_list_push(l, &l->edits, i);
	mojibake_list_push(l, &l->edits, (uint32_t)n);
	mojibake_list_push(l, &l->edits, (uint32_t)left);
	if (!codepoints_add(&l->pool, p, left))
		l->failed = true;
}

bool
mojibake_list_carry_out(struct mojibake_list *l)
{
	const uint32_t *e = l->edits.p, *p = l->pool.p;
	bool any = l->edits.n > 0 && !l->failed;

	for (size_t i = 0; any && i < l->edits.n; i += 3) {
		replace(l, e[i], e[i + 1], p, e[i + 2]);
		p += e[i + 2];
	}
	l->edits.n = l->pool.n = 0;
	l->no_encoding &= !any;
	return any;
}

/* ---- Creating and reading ---------------------------------------------- */

static void
clear(struct mojibake_list *l)
{
	l->bad = 0;
	l->checked = l->round = 0;
	memset(l->misses, 0, sizeof(l->misses));
	l->no_encoding = l->failed = false;
	l->uncounted.n = l->unlabelled.n = l->starts.n = l->active.n = 0;
	l->controls.n = l->edits.n = l->pool.n = 0;
}

static bool
reserve(struct mojibake_list *l, size_t n)
{
	if (n >= UINT32_MAX - 1)
		return false;
	if (n < l->cap)
		return true;
	free(l->node);
	l->cap = n + 1;
	if ((l->node = malloc(l->cap * sizeof(*l->node))) == NULL)
		l->cap = 0;
	return l->node != NULL;
}

bool
mojibake_list_make(struct mojibake_list *l, const struct codepoints *text)
{
	uint32_t n = (uint32_t)text->n;

	clear(l);
	if (!reserve(l, text->n))
		return false;
	l->n = n;
	l->node[0] = (struct mojibake_node){ .prev = n, .next = 1 };
	for (uint32_t i = 1; i <= n; i++) {
		l->node[i] = (struct mojibake_node){ .prev = i - 1,
		    .next = i < n ? i + 1 : 0,
		    .flags = NODE_UNLABELLED | NODE_COUNTED };
		set(l, i, text->p[i - 1]);
	}
	for (size_t i = 0; (i = text_find_bad(text->p, n, i)) < n; l->bad++)
		l->node[++i].flags |= NODE_BAD;
	/* Labelling starts with the first node and continues as long as nodes
	 * are unlabelled. */
	mojibake_list_push(l, &l->unlabelled, 1);
	return !l->failed;
}

void
mojibake_list_text(const struct mojibake_list *l, struct codepoints *text)
{
	text->n = 0;
	for (uint32_t i = l->node[0].next; i != 0; i = l->node[i].next)
		text->p[text->n++] = l->node[i].c;
}

void
mojibake_list_free(struct mojibake_list *l)
{
	struct codepoints *all[] = { &l->uncounted, &l->unlabelled,
	    &l->starts, &l->active, &l->controls, &l->edits, &l->pool };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		codepoints_free(all[i]);
	free(l->node);
	*l = (struct mojibake_list){ 0 };
}
