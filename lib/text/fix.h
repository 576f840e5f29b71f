/* SPDX-License-Identifier: Apache-2.0 */
/* fix_text() of ftfy 6.3.1 with its default settings: ftfy/__init__.py. */
#ifndef TEXT_FIX_H
#define TEXT_FIX_H

#include <stdbool.h>
#include <stdint.h>

#include "text/badness.h"
#include "text/codepoints.h"
#include "text/mojibake.h"

enum { FIX_SEGMENT = 1000000 };	/* max_decode_length, code points */

/* Working memory, kept from text to text; zeroed before first use. */
struct fixer {
	struct codepoints segment, before, next, out;
	struct mojibake mojibake;
	size_t looked;		/* code points, by the passes over this text */
	bool changed;		/* the segment, by this pass */
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
 * True if nothing in the text, with a space in front and behind, would be
 * repaired, nor would be anything of a text that such stretches and spaces
 * make up.
 */
bool fix_calm(const struct fix_look *look, const struct codepoints *text);

/* False if fix_text() would certainly leave the text as it is. */
bool fix_needed(const struct fix_look *look, const struct codepoints *text);

/* Repairs *text.  False when there is no memory. */
bool fix_text(struct fixer *f, struct codepoints *text);

/*
 * Repairs a stretch as fix_text() would in any text of at most FIX_SEGMENT code
 * points that calm stretches and spaces make up besides, if it can be told from
 * the stretch alone: *calm.  False when there is no memory.
 */
bool fix_stretch(struct fixer *f, const struct fix_look *look,
    struct codepoints *text, bool *calm);

void fix_free(struct fixer *f);

#endif
