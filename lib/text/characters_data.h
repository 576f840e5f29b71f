/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftfy's replacements for single characters: the steps fix_c1_controls to
 * fix_line_breaks in one step.  The tables, data/characters_tables.c, are made
 * from data/ftfy-characters.txt and the Unicode Character Database.
 */
#ifndef TEXT_CHARACTERS_DATA_H
#define TEXT_CHARACTERS_DATA_H

#include <stdint.h>

#define CHARACTERS_BLOCK 32	/* code points in a row */
#define CHARACTERS_END 0x10000	/* from here on nothing changes */
#define CHARACTERS_MOST 3	/* code points in the longest replacement */
#define CHARACTERS_LONG 0xd800	/* from here on: index in character_long */

/* U+0080 to U+009F in Windows-1252, which is also how HTML reads numeric
 * references to them (html._invalid_charrefs of Python). */
extern const uint16_t character_c1[32];

/* An entry of 0 means that the code point is kept. */
extern const uint8_t character_index[CHARACTERS_END / CHARACTERS_BLOCK];
extern const uint16_t character_rows[][CHARACTERS_BLOCK];
extern const uint16_t character_long[][CHARACTERS_MOST];	/* 0 ends */

#endif
