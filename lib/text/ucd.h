/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Properties of code points that CLIP's tokenizer needs: data/unicode_tables.c,
 * made from the Unicode Character Database 15.0.0 (Debian's unicode-data).  The
 * reference ran in Python 3.11, whose case tables are Unicode 14.0, with the
 * module regex 2.5.123, whose classes are 15.0.  Therefore case properties of
 * newer code points are left out, but their classes L and N are included.
 */
#ifndef TEXT_UCD_H
#define TEXT_UCD_H

#include <stdbool.h>
#include <stdint.h>

enum {
	UCD_LETTER = 1,		/* General_Category L* */
	UCD_NUMBER = 2,		/* General_Category N* */
	UCD_SPACE = 4,		/* White_Space: \s of regex */
	UCD_CASED = 8,		/* Cased, by Unicode 14.0 */
	UCD_IGNORABLE = 16,	/* Case_Ignorable, by Unicode 14.0 */
	UCD_LONG = 32,		/* lower case is ucd_long[lower] */
	UCD_ALNUM = 64,	/* str.isalnum(), by Unicode 14.0 */
	UCD_DIGIT = 128,	/* Nd, by Unicode 14.0: \d of Python's re */
	UCD_FIX = 256,		/* changed by characters_fix() */
	UCD_NFC_NO = 512,	/* NFC_Quick_Check, by Unicode 14.0 */
	UCD_NFC_MAYBE = 1024,
	UCD_DECOMPOSES = 2048,	/* canonically, by Unicode 14.0 */
};

/* The highest byte: Canonical_Combining_Class, by Unicode 14.0. */
#define UCD_CCC_SHIFT 24
/* A text whose code points have none of these flags is in NFC. */
#define UCD_NFC (UINT32_C(0xff000000) | UCD_NFC_NO | UCD_NFC_MAYBE)

struct ucd_prop {
	uint32_t flags;
	int32_t lower;		/* a difference, or an index if UCD_LONG */
};

#define UCD_BLOCK 128		/* code points in a row of ucd_rows */
#define UCD_LONG_MAX 3		/* code points in the longest lower case */

extern const uint16_t ucd_index[0x110000 / UCD_BLOCK];
extern const uint8_t ucd_rows[][UCD_BLOCK];
extern const struct ucd_prop ucd_props[];
extern const uint32_t ucd_long[][UCD_LONG_MAX];	/* 0 ends a short one */

/* c must be at most 0x10ffff. */
static inline const struct ucd_prop *
ucd(uint32_t c)
{
	return &ucd_props[ucd_rows[ucd_index[c / UCD_BLOCK]][c % UCD_BLOCK]];
}

static inline bool
ucd_is(uint32_t c, uint32_t flags)
{
	return (ucd(c)->flags & flags) != 0;
}

static inline unsigned
ucd_class(uint32_t c)
{
	return ucd(c)->flags >> UCD_CCC_SHIFT;
}

#endif
