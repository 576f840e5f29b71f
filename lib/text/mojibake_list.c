// SPDX-License-Identifier: Apache-2.0
/*
 * The text is a list.  Whether a round does something, and what, follows from
 * counts over all of it, and what a node adds to them from the few nodes
 * around it: when a place changes, those are counted anew.  The matches of
 * UTF8_DETECTOR_RE are kept too, as labels that are made anew from before a
 * change until they come out as they were.
 */
#include <stdlib.h>
#include <string.h>

#include "text/badness.h"
#include "text/charmap.h"
#include "text/mojibake_list.h"
#include "text/utf8var.h"

enum {
	BACK = 5,		/* a character of 6 bytes may start there */
	WINDOW = BACK + UTF8VAR_AHEAD,
	REACH = 8,		/* no count and no label looks farther */
	LOST = 0xfffd,
};

enum label { UNKNOWN, OUTSIDE, START, GROUP, INSIDE };

enum {
	COUNTED = 1,
	BAD = 2,		/* a rule matches from here: counted */
	UNLABELLED = 4,		/* or its label may be wrong */
	QUEUED = 8,
	GONE = 16,
};

struct node {
	uint32_t c, prev, next;	/* node 0 is before the first and behind the
				 * last */
	uint32_t walked;	/* in this round */
	uint16_t fails;		/* bit e, counted: not UTF-8 in encoding e */
	uint8_t label, flags;
};

struct rounds {
	struct mojibake *m;
	struct node *node;
	size_t n;
	size_t bad, lacks[CHARMAPS], fails[CHARMAPS];
	uint32_t round;
	bool failed;		/* no memory */
	/* Nodes: to be counted, to be labelled, where matches start, not ASCII
	 * and not LOST, C1 controls. */
	struct codepoints uncounted, unlabelled, starts, active, controls;
	/* What a round does: node, nodes, code points instead; and those. */
	struct codepoints edits, pool;
	struct codepoints match;
};

static void
push(struct rounds *r, struct codepoints *list, uint32_t x)
{
	if (!codepoints_add(list, &x, 1))
		r->failed = true;
}

/* ---- Counts ------------------------------------------------------------ */

/* The nodes around one, at of them before it. */
struct window {
	uint32_t c[WINDOW];
	const struct charmap_point *map[WINDOW];
	size_t n, at;
};

static void
look(const struct rounds *r, uint32_t i, struct window *w)
{
	uint32_t k = i;

	for (w->at = 0; w->at < BACK && r->node[k].prev != 0; w->at++)
		k = r->node[k].prev;
	for (w->n = 0; k != 0 && w->n < w->at + UTF8VAR_AHEAD;
	    k = r->node[k].next) {
		w->map[w->n] = charmap(r->node[k].c);
		w->c[w->n++] = r->node[k].c;
	}
}

/* Whether the node is within or starts a character of UTF-8 in encoding e.
 * *len: where it starts one, its bytes, else 0. */
static bool
decodes(enum charmap e, const struct window *w, size_t *len, uint32_t *c)
{
	unsigned steps = utf8var_steps(e);
	uint8_t b[WINDOW] = { 0 };
	size_t at = w->at;

	*len = 0;
	for (size_t k = 0; k < w->n; k++)
		b[k] = w->map[k]->byte[e];
	if (b[at] < 0x80)
		return true;
	/* The only first byte within a character is that of a surrogate. */
	for (size_t k = at; k > 0 && (b[k] < 0xc0 || b[k] == 0xed); )
		if (b[--k] >= 0xc0 &&
		    utf8var_decode(b + k, w->n - k, steps, c) > at - k)
			return true;
	*len = utf8var_decode(b + at, w->n - at, steps, c);
	return *len != 0;
}

/* Adds node i to the counts, or takes it from them. */
static void
add_counts(struct rounds *r, uint32_t i, size_t one)
{
	const struct node *k = &r->node[i];
	unsigned in = charmap(k->c)->in;

	r->bad += k->flags & BAD ? one : 0;
	for (unsigned e = 0; e < CHARMAPS; e++) {
		r->lacks[e] += in >> e & 1 ? 0 : one;
		r->fails[e] += k->fails >> e & 1 ? one : 0;
	}
}

static void
count(struct rounds *r, uint32_t i)
{
	struct node *k = &r->node[i];
	unsigned in = charmap(k->c)->in;
	struct window w;
	uint32_t c;
	size_t len;

	look(r, i, &w);
	k->flags &= (uint8_t)~BAD;
	k->flags |= COUNTED;
	k->fails = 0;
	if (text_bad_at(w.c, w.n, w.at))
		k->flags |= BAD;
	for (unsigned e = 0; e < CHARMAPS && k->c > 0x7f; e++)
		if ((in >> e & 1) && !decodes(e, &w, &len, &c))
			k->fails |= (uint16_t)(1U << e);
	add_counts(r, i, 1);
}

static void
count_all(struct rounds *r)
{
	for (size_t i = 0; i < r->uncounted.n; i++) {
		uint32_t k = r->uncounted.p[i];

		if (!(r->node[k].flags & (COUNTED | GONE)))
			count(r, k);
	}
	r->uncounted.n = 0;
}

/* ---- Changes ----------------------------------------------------------- */

/* Something that node i looks at changes. */
static void
touch(struct rounds *r, uint32_t i)
{
	struct node *k = &r->node[i];

	if (k->flags & COUNTED) {
		add_counts(r, i, (size_t)-1);
		k->flags &= (uint8_t)~COUNTED;
		push(r, &r->uncounted, i);
	}
	if (!(k->flags & UNLABELLED)) {
		k->flags |= UNLABELLED;
		push(r, &r->unlabelled, i);
	}
}

static bool
is_control(uint32_t c)
{
	return c >= 0x80 && c <= 0x9f && charmap_c1[c - 0x80] != c;
}

static void
set(struct rounds *r, uint32_t i, uint32_t c)
{
	r->node[i].c = c;
	if (c > 0x7f && c != LOST)
		push(r, &r->active, i);
	if (is_control(c))
		push(r, &r->controls, i);
}

static void
drop(struct rounds *r, uint32_t i)
{
	struct node *k = &r->node[i];

	r->node[k->prev].next = k->next;
	r->node[k->next].prev = k->prev;
	k->flags |= GONE;
	r->n--;
}

/* n nodes from i on become p[0..left), 0 < left <= n. */
static void
replace(struct rounds *r, uint32_t i, size_t n, const uint32_t *p, size_t left)
{
	uint32_t k = i, next;

	for (size_t j = 0; j < REACH && r->node[k].prev != 0; j++)
		k = r->node[k].prev;
	for (; k != i; k = r->node[k].next)
		touch(r, k);
	for (size_t j = 0; j < n + REACH && k != 0; j++, k = r->node[k].next)
		touch(r, k);
	for (size_t j = 0; j < n; j++, i = next) {
		next = r->node[i].next;
		if (j < left)
			set(r, i, p[j]);
		else
			drop(r, i);
	}
}

/* Plans to do so: all of a round is looked at before any of it is done. */
static void
plan(struct rounds *r, uint32_t i, size_t n, const uint32_t *p, size_t left)
{
	push(r, &r->edits, i);
	push(r, &r->edits, (uint32_t)n);
	push(r, &r->edits, (uint32_t)left);
	if (!codepoints_add(&r->pool, p, left))
		r->failed = true;
}

/* Whether anything was planned. */
static bool
carry_out(struct rounds *r)
{
	const uint32_t *e = r->edits.p, *p = r->pool.p;
	bool any = r->edits.n > 0 && !r->failed;

	for (size_t i = 0; any && i < r->edits.n; i += 3) {
		replace(r, e[i], e[i + 1], p, e[i + 2]);
		p += e[i + 2];
	}
	r->edits.n = r->pool.n = 0;
	return any;
}

/* ---- The steps of a round ---------------------------------------------- */

/* The whole text out of encoding e, which has it. */
static bool
reencode(struct rounds *r, enum charmap e)
{
	for (size_t i = 0; i < r->active.n; i++) {
		struct node *k = &r->node[r->active.p[i]];
		struct window w;
		uint32_t c;
		size_t len;

		if (k->flags & (GONE | QUEUED) || k->c <= 0x7f || k->c == LOST)
			continue;
		k->flags |= QUEUED;
		look(r, r->active.p[i], &w);
		if (decodes(e, &w, &len, &c) && len != 0)
			plan(r, r->active.p[i], len, &c, 1);
	}
	for (size_t i = 0; i < r->active.n; i++)
		r->node[r->active.p[i]].flags &= (uint8_t)~QUEUED;
	r->active.n = 0;
	return carry_out(r);
}

static bool
fix_c1(struct rounds *r)
{
	for (size_t i = 0; i < r->controls.n; i++) {
		struct node *k = &r->node[r->controls.p[i]];
		uint32_t c;

		if (k->flags & (GONE | QUEUED) || !is_control(k->c))
			continue;
		k->flags |= QUEUED;
		c = charmap_c1[k->c - 0x80];
		plan(r, r->controls.p[i], 1, &c, 1);
	}
	for (size_t i = 0; i < r->controls.n; i++)
		r->node[r->controls.p[i]].flags &= (uint8_t)~QUEUED;
	r->controls.n = 0;
	return carry_out(r);
}

/* ---- Matches ----------------------------------------------------------- */

static bool
has_clue(const struct rounds *r, uint32_t i, unsigned clue)
{
	return i != 0 && (charmap(r->node[i].c)->clues & clue);
}

/* The nodes of a group of UTF8_DETECTOR_RE at i, or 0. */
static unsigned
group(const struct rounds *r, uint32_t i)
{
	unsigned more = charmap_more(r->node[i].c), k;

	for (k = 0; k < more; k++) {
		i = r->node[i].next;
		if (!has_clue(r, i, CLUE_CONTINUATION))
			return 0;
	}
	return more == 0 ? 0 : more + 1;
}

/* Queues the match that i is in.  Its nodes are walked once a round. */
static void
queue_match(struct rounds *r, uint32_t i)
{
	for (; i != 0 && r->node[i].label != START; i = r->node[i].prev) {
		if (r->node[i].walked == r->round)
			return;
		r->node[i].walked = r->round;
	}
	if (i != 0)
		push(r, &r->starts, i);
}

/* Labels the group at i as found, or OUTSIDE; returns what is behind. */
static uint32_t
set_labels(struct rounds *r, uint32_t i, enum label found, unsigned n)
{
	do {
		r->node[i].label = (uint8_t)found;
		r->node[i].flags &= (uint8_t)~UNLABELLED;
		found = INSIDE;
		i = r->node[i].next;
	} while (n > 1 && --n > 0);
	return i;
}

/* Labels anew from before node u to where labels stay as they are, and queues
 * the matches there. */
static void
label(struct rounds *r, uint32_t u)
{
	uint32_t i = u;
	bool in;

	while (r->node[i].prev != 0 && ((r->node[i].flags & UNLABELLED) ||
	    r->node[i].label == INSIDE))
		i = r->node[i].prev;
	in = !(r->node[i].flags & UNLABELLED) && r->node[i].label == GROUP;
	if (in)
		queue_match(r, i);
	while (i != 0) {
		unsigned n = group(r, i);
		enum label found = OUTSIDE;

		if (n > 0 && in)
			found = GROUP;
		else if (n > 0 && !has_clue(r, r->node[i].prev, CLUE_STRICT))
			found = START;
		if (!((r->node[i].flags | r->node[u].flags) & UNLABELLED) &&
		    r->node[i].label == found)
			return;
		in = found != OUTSIDE;
		if (found == START)
			push(r, &r->starts, i);
		i = set_labels(r, i, found, in ? n : 1);
	}
}

/* Plans what becomes of the match at start. */
static bool
fix_match(struct rounds *r, uint32_t start)
{
	uint32_t i = start;
	struct codepoints *t = &r->match, *part = &r->m->part;

	t->n = 0;
	do {
		push(r, t, r->node[i].c);
		i = r->node[i].next;
	} while (i != 0 && r->node[i].label >= GROUP);
	if (r->failed || t->n == r->n || !text_is_bad(t->p, t->n))
		return !r->failed;
	if (!mojibake_part(r->m, t->p, t->n))
		return false;
	if (part->n != t->n ||
	    memcmp(part->p, t->p, t->n * sizeof(*t->p)) != 0)
		plan(r, start, t->n, part->p, part->n);
	return true;
}

/* decode_inconsistent_utf8(); what was not touched stayed the same before. */
static bool
fix_matches(struct rounds *r)
{
	r->round++;
	for (size_t i = 0; i < r->unlabelled.n; i++) {
		const struct node *k = &r->node[r->unlabelled.p[i]];

		if ((k->flags & UNLABELLED) && !(k->flags & GONE))
			label(r, r->unlabelled.p[i]);
	}
	r->unlabelled.n = 0;
	for (size_t i = 0; i < r->starts.n && !r->failed; i++) {
		struct node *k = &r->node[r->starts.p[i]];

		if (k->label != START || (k->flags & QUEUED))
			continue;
		k->flags |= QUEUED;
		if (!fix_match(r, r->starts.p[i]))
			r->failed = true;
	}
	for (size_t i = 0; i < r->starts.n; i++)
		r->node[r->starts.p[i]].flags &= (uint8_t)~QUEUED;
	r->starts.n = 0;
	return carry_out(r);
}

/* ---- All of it --------------------------------------------------------- */

static bool
fix_round(struct rounds *r)
{
	count_all(r);
	if (r->bad == 0)
		return false;
	for (unsigned e = 0; e < CHARMAPS; e++)
		if (r->lacks[e] == 0 && r->fails[e] == 0)
			return reencode(r, e);
	return fix_matches(r) || fix_c1(r);
}

static bool
make_list(struct rounds *r, const struct codepoints *text)
{
	uint32_t n = (uint32_t)text->n;

	if (text->n >= UINT32_MAX - 1 ||
	    (r->node = calloc(text->n + 1, sizeof(*r->node))) == NULL)
		return false;
	r->n = text->n;
	r->node[0].prev = n;
	for (uint32_t i = 0; i <= n; i++) {
		r->node[i].next = i < n ? i + 1 : 0;
		if (i == 0)
			continue;
		r->node[i].prev = i - 1;
		r->node[i].flags = UNLABELLED;
		push(r, &r->uncounted, i);
		push(r, &r->unlabelled, i);
		set(r, i, text->p[i - 1]);
	}
	return !r->failed;
}

static void
free_list(struct rounds *r)
{
	struct codepoints *all[] = { &r->uncounted, &r->unlabelled, &r->starts,
		&r->active, &r->controls, &r->edits, &r->pool, &r->match };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		codepoints_free(all[i]);
	free(r->node);
}

bool
rounds_fix(struct mojibake *m, struct codepoints *text)
{
	struct rounds r = { .m = m };
	bool good;

	good = make_list(&r, text);
	while (good && fix_round(&r))
		continue;
	good = good && !r.failed;
	for (uint32_t i = r.node == NULL ? 0 : r.node[0].next, n = 0;
	    good && i != 0; i = r.node[i].next) {
		text->p[n++] = r.node[i].c;
		text->n = n;
	}
	free_list(&r);
	return good;
}
