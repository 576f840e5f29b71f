/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text under repair, as a list of its code points.  Counts over the whole
 * text determine whether a round of fix_encoding() changes the text, and how.
 * A node's contribution to the counts depends only on a few nodes around it.
 * Therefore an edit recounts only its neighbourhood, and even a text in which
 * each round changes one place takes only time proportional to its length.
 */
#ifndef TEXT_MOJIBAKE_LIST_H
#define TEXT_MOJIBAKE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/charmap.h"
#include "text/codepoints.h"

/* Set and used by mojibake_match.c.  MATCH_START and the labels after it are
 * within a match. */
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
				 * last */
	uint32_t walked;	/* last round that looked for its match */
	uint16_t misses;	/* bit e: counted in misses[e] */
	uint8_t label, flags;
};

/* Must be zero before first use.  The memory is kept from text to text. */
struct mojibake_list {
	struct mojibake_node *node;	/* owned */
	size_t cap;
	size_t n;			/* nodes that are not gone */
	/* The number of bad nodes, and for each encoding e the number of nodes
	 * that e does not have or that are not UTF-8 in e. */
	size_t bad, misses[CHARMAPS];
	unsigned checked;		/* bit e: misses[e] is counted */
	bool no_encoding;		/* the text is not UTF-8 in any
					 * encoding */
	uint32_t round;
	bool failed;			/* out of memory */
	/* Lists of nodes: to be counted; to be labelled; starts of matches;
	 * nodes that are neither ASCII nor lost since the last change of the
	 * whole text; C1 controls. */
	struct codepoints uncounted, unlabelled, starts, active, controls;
	/* The edits of the round (node, number of nodes, number of new code
	 * points), and the new code points. */
	struct codepoints edits, pool;
};

/* Creates the list of a text, which must not be empty.  Returns false if out of
 * memory. */
bool mojibake_list_make(struct mojibake_list *l,
    const struct codepoints *text);
/* Stores the text of the list, which is at most as long as it was at first. */
void mojibake_list_text(const struct mojibake_list *l,
    struct codepoints *text);
void mojibake_list_free(struct mojibake_list *l);

/* is_bad() of ftfy.  Also counts all changes; the next function needs these
 * counts. */
bool mojibake_list_is_bad(struct mojibake_list *l);
/* Returns the first encoding in which the whole text is UTF-8, or CHARMAPS. */
enum charmap mojibake_list_encoding(struct mojibake_list *l);
/* Decodes the UTF-8 character that begins with node i in encoding e, to *c.
 * Returns the number of its nodes, or 0 if node i does not begin a
 * character. */
size_t mojibake_list_decode(const struct mojibake_list *l, enum charmap e,
    uint32_t i, uint32_t *c);

/* Adds x to one of the lists of nodes.  Sets l->failed if out of memory. */
void mojibake_list_push(struct mojibake_list *l, struct codepoints *list,
    uint32_t x);

/*
 * Plans an edit: the n nodes from i on will become p[0..left), 0 < left <= n.
 * A round plans all of its edits before it carries them out, because each edit
 * must be planned from the text before the round.  Edits must not overlap.
 */
void mojibake_list_plan(struct mojibake_list *l, uint32_t i, size_t n,
    const uint32_t *p, size_t left);
/* Carries out the planned edits.  Returns false if nothing was planned. */
bool mojibake_list_carry_out(struct mojibake_list *l);

#endif
