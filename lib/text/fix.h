/* SPDX-License-Identifier: Apache-2.0 */
/* ftfy.fix_text() of ftfy 6.3.1 with its default settings. */
#ifndef TEXT_FIX_H
#define TEXT_FIX_H

#include <stdbool.h>

#include "text/mojibake.h"
#include "text/points.h"

/* Working memory, kept from text to text; zeroed before first use. */
struct fixer {
	struct points segment, next, out;
	struct mojibake mojibake;
};

/* Whether c, in a text of its own kind, may be changed by fix_text(): without
 * any such code point a text stays as it is. */
bool fix_suspect(uint32_t c);

/* Repairs *text.  False when there is no memory. */
bool fix_text(struct fixer *f, struct points *text);

void fix_free(struct fixer *f);

#endif
