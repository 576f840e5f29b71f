/* SPDX-License-Identifier: Apache-2.0 */
/* fix_text() of ftfy 6.3.1 with its default settings: ftfy/__init__.py. */
#ifndef TEXT_FIX_H
#define TEXT_FIX_H

#include <stdbool.h>
#include <stdint.h>

#include "text/badness.h"
#include "text/codepoints.h"
#include "text/mojibake.h"

enum { FIX_LINE = 1000000 };	/* code points; ftfy's max_decode_length */

/* Working memory, kept from text to text; zeroed before first use. */
struct fixer {
	struct codepoints line, before, next, out;
	struct mojibake mojibake;
	size_t looked;		/* code points, by the passes over this text */
	bool changed;		/* the line, by this pass */
};

/*
 * What a text is made of, gathered while it is read; zeroed before.  It tells
 * most texts that need no repair from those that may.
 */
struct fix_look {
	uint32_t flags;		/* of its code points, text/ucd.h */
	bool odd;		/* an ASCII control or '&' */
	bool lines;		/* a newline */
	bool other;		/* not all are letters of one lower case */
	unsigned last;		/* the kind of a suspect code point before */
	uint64_t pairs;		/* badness_pair() of neighbours */
};

/* The next code point; before is the one before it.  At both ends of a text
 * this is a space, which shows what nothing there would show, or more. */
static inline void
fix_look_at(struct fix_look *look, uint32_t before, uint32_t c)
{
	unsigned kind, left = look->last;

	if (c < 0x80 && left == 0)
		return;
	kind = badness_kind(c);
	if (kind >= badness_suspects && left == 0)
		left = badness_kind(before);
	if (left != 0)
		look->pairs |= badness_pair(left, kind);
	look->last = kind >= badness_suspects ? kind : 0;
}

/*
 * True if fix_text() would repair nothing in the segment text, nor in any text
 * that consists of such segments and spaces.
 */
bool fix_no_repair(const struct fix_look *look, const struct codepoints *text);

/* False if fix_text() would certainly leave the text as it is. */
bool fix_needed(const struct fix_look *look, const struct codepoints *text);

/* Repairs *text.  False when there is no memory. */
bool fix_text(struct fixer *f, struct codepoints *text);

/*
 * Repairs a segment as fix_text() would within any text of at most FIX_LINE
 * code points whose other segments need no repair.  *no_repair: this was
 * possible from the segment alone, and no repair is left.  False when there is
 * no memory.
 */
bool fix_segment(struct fixer *f, const struct fix_look *look,
    struct codepoints *text, bool *no_repair);

void fix_free(struct fixer *f);

#endif
