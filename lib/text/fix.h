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

/* Working memory, kept from text to text.  Must be zero before first use. */
struct fixer {
	struct codepoints line, before, next, out;
	struct mojibake mojibake;
	size_t looked;		/* code points that the passes over this text
				 * have read */
	bool changed;		/* this pass changed the line */
};

/*
 * Traits of a text, collected while it is read.  Must be zero at first.  They
 * separate most texts that need no repair from texts that may need repair.
 */
struct fix_traits {
	uint32_t flags;		/* of its code points, text/ucd.h */
	bool odd;		/* has an ASCII control or '&' */
	bool lines;		/* has a newline */
	bool other;		/* has code points other than letters */
	unsigned last;		/* kind of the previous code point, if it is
				 * suspect */
	uint64_t pairs;		/* badness_pair() of all neighbours */
};

/* Adds the next code point; before is the previous code point.  At both ends of
 * a text pass a space, which adds at least what the end would. */
static inline void
fix_traits_add(struct fix_traits *traits, uint32_t before, uint32_t c)
{
	unsigned kind, left = traits->last;

	if (c < 0x80 && left == 0)
		return;
	kind = badness_kind(c);
	if (kind >= badness_suspects && left == 0)
		left = badness_kind(before);
	if (left != 0)
		traits->pairs |= badness_pair(left, kind);
	traits->last = kind >= badness_suspects ? kind : 0;
}

/*
 * Returns true if fix_text() would repair nothing in the segment text, nor in
 * any text that consists of such segments and spaces.
 */
bool fix_no_repair(const struct fix_traits *traits,
    const struct codepoints *text);

/* Returns false if fix_text() would certainly leave the text unchanged. */
bool fix_needed(const struct fix_traits *traits, const struct codepoints *text);

/* Repairs *text.  Returns false if out of memory. */
bool fix_text(struct fixer *f, struct codepoints *text);

/*
 * Repairs a segment as fix_text() would within any text of at most FIX_LINE
 * code points whose other segments need no repair.  *no_repair: this was
 * possible from the segment alone, and the result needs no further repair.
 * Returns false if out of memory.
 */
bool fix_segment(struct fixer *f, const struct fix_traits *traits,
    struct codepoints *text, bool *no_repair);

void fix_free(struct fixer *f);

#endif
