/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The encodings with one byte a character that ftfy 6.3.1 looks for, from
 * data/charmaps.txt, and the character classes UTF8_CLUES, from
 * data/ftfy-utf8-clues.txt.  The tables are data/mojibake_tables.c.
 */
#ifndef TEXT_CHARMAP_H
#define TEXT_CHARMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which ftfy tries them.  windows-* are "sloppy": an unassigned
 * byte is its own code point, and U+FFFD is byte 1A. */
enum charmap {
	CHARMAP_LATIN_1,
	CHARMAP_WINDOWS_1252,
	CHARMAP_WINDOWS_1251,
	CHARMAP_WINDOWS_1250,
	CHARMAP_WINDOWS_1253,
	CHARMAP_WINDOWS_1254,
	CHARMAP_WINDOWS_1257,
	CHARMAP_ISO_8859_2,
	CHARMAP_MACROMAN,
	CHARMAP_CP437,
	CHARMAPS
};

enum {
	CLUE_FIRST_OF_2 = 1,
	CLUE_FIRST_OF_3 = 2,
	CLUE_FIRST_OF_4 = 4,
	CLUE_CONTINUATION = 8,
	CLUE_STRICT = 16,
};

#define CHARMAP_ALL ((1U << CHARMAPS) - 1)
#define CHARMAP_SLOPPY (1U << CHARMAP_WINDOWS_1252 | \
	1U << CHARMAP_WINDOWS_1251 | 1U << CHARMAP_WINDOWS_1250 | \
	1U << CHARMAP_WINDOWS_1253 | 1U << CHARMAP_WINDOWS_1254 | \
	1U << CHARMAP_WINDOWS_1257)

struct charmap_point {
	uint16_t in;		/* bit e: encoding e has it */
	uint8_t clues;		/* CLUE_ bits */
	uint8_t byte[CHARMAPS];
};

#define CHARMAP_BLOCK 128	/* code points in a row of charmap_rows */

extern const uint8_t charmap_index[0x10000 / CHARMAP_BLOCK];
extern const uint16_t charmap_rows[][CHARMAP_BLOCK];
extern const struct charmap_point charmap_points[];
/* Bytes 80 to 9F in sloppy-windows-1252. */
extern const uint16_t charmap_c1[32];

static inline const struct charmap_point *
charmap(uint32_t c)
{
	return &charmap_points[c > 0xffff ? 0 :
	    charmap_rows[charmap_index[c / CHARMAP_BLOCK]][c % CHARMAP_BLOCK]];
}

/* Returns how many continuations follow c, according to its clues, if c is the
 * first byte of a character; otherwise 0. */
static inline unsigned
charmap_more(uint32_t c)
{
	unsigned clues = charmap(c)->clues;

	if (clues & CLUE_FIRST_OF_2)
		return 1;
	if (clues & CLUE_FIRST_OF_3)
		return 2;
	return clues & CLUE_FIRST_OF_4 ? 3 : 0;
}

/* Returns whether c is a C1 control for which Windows-1252 has another
 * character. */
static inline bool
charmap_is_c1(uint32_t c)
{
	return c >= 0x80 && c <= 0x9f && charmap_c1[c - 0x80] != c;
}

/* Returns bit e for each encoding e that has all of p[0..n). */
unsigned charmap_possible(const uint32_t *p, size_t n);

/* Writes p[0..n) in encoding e, which must have it, to byte[0..n). */
void charmap_encode(enum charmap e, const uint32_t *p, size_t n,
    uint8_t *byte);

#endif
