/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The repair of mojibake: fix_encoding() of ftfy 6.3.1 with its default
 * settings, step by step in its order (ftfy/__init__.py, fixes.py,
 * chardata.py, bad_codecs).
 */
#ifndef TEXT_MOJIBAKE_H
#define TEXT_MOJIBAKE_H

#include <stdbool.h>

#include "base/buf.h"
#include "text/codepoints.h"
#include "text/mojibake_list.h"

/* Working memory, kept from text to text.  Must be zero before first use. */
struct mojibake {
	struct codepoints next;		/* the text after a step */
	struct buf bytes;
	struct mojibake_list list;
	struct codepoints match, part;	/* a match before and after repair */
	struct mojibake *inner;		/* owned; used to repair part */
};

/* Repairs *text until nothing changes.  Returns false if out of memory. */
bool mojibake_fix(struct mojibake *m, struct codepoints *text);

void mojibake_free(struct mojibake *m);

#endif
