/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text under repair, as a list of its code points.  Whether a round of
 * fix_encoding() does something, and what, follows from counts over the whole
 * text, and what a node adds to these depends on a few nodes around it.  So an
 * edit only counts its neighbourhood again, and a text made so that each round
 * changes one place costs no more than its length.
 */
#ifndef TEXT_MOJIBAKE_LIST_H
#define TEXT_MOJIBAKE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/charmap.h"
#include "text/codepoints.h"

/* Set and used by mojibake_match.c; MATCH_START and those after it are in a
 * match. */
enum mojibake_label {
	MATCH_UNKNOWN, MATCH_OUTSIDE, MATCH_START, MATCH_GROUP, MATCH_INSIDE
};

enum mojibake_flag {
	NODE_COUNTED = 1,
	NODE_BAD = 2,		/* a rule of badness.h matches from here */
	NODE_UNLABELLED = 4,	/* the label may be wrong */
	NODE_QUEUED = 8,	/* in a list that is being processed */
	NODE_GONE = 16,
};

struct mojibake_node {
	uint32_t c, prev, next;	/* node 0 is before the first and after the
				   last */
	uint32_t walked;	/* the last round in which a match was sought */
	uint16_t misses;	/* bit e: counted in misses[e] */
	uint8_t label, flags;
};

/* Zeroed before first use; the memory is kept from text to text. */
struct mojibake_list {
	struct mojibake_node *node;	/* owned */
	size_t cap;
	size_t n;			/* nodes that are not gone */
	/* Nodes that are bad; that encoding e has not or that are not UTF-8
	 * there. */
	size_t bad, misses[CHARMAPS];
	unsigned checked;		/* bit e: misses[e] is counted */
	bool no_encoding;		/* in which the text is UTF-8 */
	uint32_t round;
	bool failed;			/* no memory */
	/* Nodes: to be counted, to be labelled, where matches start, neither
	 * ASCII nor lost since the last change of the whole text, C1
	 * controls. */
	struct codepoints uncounted, unlabelled, starts, active, controls;
	/* The edits of the round: node, nodes, code points instead; and the
	 * code points. */
	struct codepoints edits, pool;
};

/* Makes the list of a text, which is not empty.  False when there is no
 * memory. */
bool mojibake_list_make(struct mojibake_list *l,
    const struct codepoints *text);
/* The text of the list, which is no longer than it was when it was made. */
void mojibake_list_text(const struct mojibake_list *l,
    struct codepoints *text);
void mojibake_list_free(struct mojibake_list *l);

/* is_bad() of ftfy; counts what has changed, which the next function needs. */
bool mojibake_list_is_bad(struct mojibake_list *l);
/* The first encoding in which the whole text is UTF-8; CHARMAPS: none. */
enum charmap mojibake_list_encoding(struct mojibake_list *l);
/* The nodes of the character of UTF-8 that begins with node i in encoding e,
 * which becomes *c; 0 if none does. */
size_t mojibake_list_decode(const struct mojibake_list *l, enum charmap e,
    uint32_t i, uint32_t *c);

/* Adds x to one of the lists of nodes, or sets l->failed. */
void mojibake_list_push(struct mojibake_list *l, struct codepoints *list,
    uint32_t x);

/*
 * Edits: the n nodes from i on will become p[0..left), 0 < left <= n.  A round
 * plans all of its edits before it carries them out, so that each is planned
 * from the text as it was.  They do not overlap.
 */
void mojibake_list_plan(struct mojibake_list *l, uint32_t i, size_t n,
    const uint32_t *p, size_t left);
/* False if nothing was planned. */
bool mojibake_list_carry_out(struct mojibake_list *l);

#endif
