/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UTF-8 as ftfy 6.3.1 decodes it from mojibake: its transcoding steps and its
 * codec "utf-8-variants" (fixes.py, bad_codecs/utf8_variants.py) in one.
 */
#ifndef TEXT_UTF8VAR_H
#define TEXT_UTF8VAR_H

#include <stddef.h>
#include <stdint.h>

#include "text/charmap.h"

enum {
	UTF8VAR_A0 = 1,		/* restore_byte_a0() */
	UTF8VAR_LOSSY = 2,	/* replace_lossy_sequences() */
	UTF8VAR_AHEAD = 8,	/* bytes that can matter; the end counts as
				   different from any */
};

/* ftfy's steps for an encoding: its sloppy ones have lost bytes, and in
 * MacRoman A0 would be found where a dash stands before a space. */
static inline unsigned
utf8var_steps(enum charmap e)
{
	return (e == CHARMAP_MACROMAN ? 0 : UTF8VAR_A0) |
	    (CHARMAP_SLOPPY >> e & 1 ? UTF8VAR_LOSSY : 0);
}

/*
 * Decodes the character at p to *c and returns its bytes, 1 to 6; 0 if p[0..n),
 * which goes to the end of the text, does not begin with one.
 */
size_t utf8var_decode(const uint8_t *p, size_t n, unsigned steps,
    uint32_t *c);

#endif
