// SPDX-License-Identifier: Apache-2.0
/*
 * Nodes are labelled again, beginning before a change, until a label does not
 * change.  No character is the first of groups of two different lengths
 * (gen/mojibake.c checks this), so a match needs no backtracking.
 */
#include "text/mojibake_match.h"

static bool
has_clue(const struct mojibake_list *l, uint32_t i, unsigned clue)
{
	return i != 0 && (charmap(l->node[i].c)->clues & clue);
}

/* Returns the number of nodes of a group of UTF8_DETECTOR_RE at i, or 0. */
static unsigned
group(const struct mojibake_list *l, uint32_t i)
{
	unsigned more = charmap_more(l->node[i].c), k;

	for (k = 0; k < more; k++) {
		i = l->node[i].next;
		if (!has_clue(l, i, CLUE_CONTINUATION))
			return 0;
	}
	return more == 0 ? 0 : more + 1;
}

/* Queues the match that contains node i.  Its nodes are visited once a
 * round. */
static void
queue_match(struct mojibake_list *l, uint32_t i)
{
	for (; i != 0 && l->node[i].label != MATCH_START; i = l->node[i].prev) {
		if (l->node[i].walked == l->round)
			return;
		l->node[i].walked = l->round;
	}
	if (i != 0)
		mojibake_list_push(l, &l->starts, i);
}

/* Labels the group of n nodes at i as found, or node i as MATCH_OUTSIDE.
 * Returns the node after them. */
static uint32_t
set_labels(struct mojibake_list *l, uint32_t i, enum mojibake_label found,
    unsigned n)
{
	do {
		l->node[i].label = (uint8_t)found;
		l->node[i].flags &= (uint8_t)~NODE_UNLABELLED;
		found = MATCH_INSIDE;
		i = l->node[i].next;
	} while (--n > 0);
	return i;
}

/* Labels nodes from before node u to the first label that does not change, and
 * queues the matches there. */
static void
label(struct mojibake_list *l, uint32_t u)
{
	uint32_t i = u;
	bool in;

	while (l->node[i].prev != 0 && ((l->node[i].flags & NODE_UNLABELLED) ||
	    l->node[i].label == MATCH_INSIDE))
		i = l->node[i].prev;
	in = !(l->node[i].flags & NODE_UNLABELLED) &&
	    l->node[i].label == MATCH_GROUP;
	if (in)
		queue_match(l, i);
	while (i != 0) {
		unsigned n = group(l, i);
		enum mojibake_label found = MATCH_OUTSIDE;

		if (n > 0 && in)
			found = MATCH_GROUP;
		else if (n > 0 && !has_clue(l, l->node[i].prev, CLUE_STRICT))
			found = MATCH_START;
		if (!((l->node[i].flags | l->node[u].flags) &
		    NODE_UNLABELLED) && l->node[i].label == found)
			return;
		in = found != MATCH_OUTSIDE;
		if (found == MATCH_START)
			mojibake_list_push(l, &l->starts, i);
		i = set_labels(l, i, found, in ? n : 1);
	}
}

void
mojibake_match_find(struct mojibake_list *l)
{
	l->starts.n = 0;
	l->round++;
	for (size_t i = 0; i < l->unlabelled.n; i++) {
		const struct mojibake_node *k = &l->node[l->unlabelled.p[i]];

		if ((k->flags & NODE_UNLABELLED) && !(k->flags & NODE_GONE))
			label(l, l->unlabelled.p[i]);
	}
	l->unlabelled.n = 0;
}

bool
mojibake_match_text(const struct mojibake_list *l, uint32_t i,
    struct codepoints *out)
{
	out->n = 0;
	do {
		if (!codepoints_push(out, l->node[i].c))
			return false;
		i = l->node[i].next;
	} while (i != 0 && l->node[i].label >= MATCH_GROUP);
	return true;
}
