/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UTF-8 as ftfy 6.3.1 decodes it from mojibake: its transcoding steps and its
 * codec "utf-8-variants" (fixes.py, bad_codecs/utf8_variants.py) in one step.
 */
#ifndef TEXT_UTF8VAR_H
#define TEXT_UTF8VAR_H

#include <stddef.h>
#include <stdint.h>

#include "text/charmap.h"

enum {
	UTF8VAR_A0 = 1,		/* restore_byte_a0() */
	UTF8VAR_LOSSY = 2,	/* replace_lossy_sequences() */
	UTF8VAR_AHEAD = 8,	/* bytes that can matter; the end of the text
				 * differs from any byte */
};

/* Returns ftfy's steps for an encoding.  Its sloppy encodings have lost bytes;
 * in MacRoman the step for A0 is left out, because it would match a dash before
 * a space. */
static inline unsigned
utf8var_steps(enum charmap e)
{
	return (e == CHARMAP_MACROMAN ? 0 : UTF8VAR_A0) |
	    (CHARMAP_SLOPPY >> e & 1 ? UTF8VAR_LOSSY : 0);
}

/*
 * Decodes the character at p to *c.  Returns its bytes, 1 to 6, or 0 if
 * p[0..n), which extends to the end of the text, does not begin with a
 * character.
 */
size_t utf8var_decode(const uint8_t *p, size_t n, unsigned steps,
    uint32_t *c);

#endif
