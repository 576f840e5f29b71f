/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The repair of mojibake: fix_encoding() of ftfy 6.3.1 with its default
 * settings, step by step in its order (ftfy/__init__.py, fixes.py,
 * chardata.py, bad_codecs).
 */
#ifndef TEXT_MOJIBAKE_H
#define TEXT_MOJIBAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "text/codepoints.h"

/* Working memory, kept from text to text; zeroed before first use. */
struct mojibake {
	struct codepoints next;	/* the text after a step */
	struct codepoints part;	/* of it, repaired by itself */
	struct buf bytes;
	struct mojibake *inner;	/* owned: what the repair of part needs */
	bool many;		/* set by tests: rounds.h from the first on */
};

/* Makes m->part what becomes of p[0..n) by itself. */
bool mojibake_part(struct mojibake *m, const uint32_t *p, size_t n);

/* Repairs *text until nothing changes.  False when there is no memory. */
bool mojibake_fix(struct mojibake *m, struct codepoints *text);

void mojibake_free(struct mojibake *m);

#endif
