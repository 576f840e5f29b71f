/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTML's names for characters: data/entities_tables.c, made from Debian's
 * w3c-sgml-lib and the Unicode Character Database.
 */
#ifndef TEXT_ENTITY_DATA_H
#define TEXT_ENTITY_DATA_H

#include <stdint.h>

enum {
	ENTITY_HTML = 1,	/* a name with a semicolon */
	ENTITY_BARE = 2,	/* also without a semicolon */
	ENTITY_CAPITALS = 4,	/* not in HTML, but accepted by ftfy */
	ENTITY_LONGEST = 31,	/* letters and digits in a name */
	ENTITY_BARE_LONGEST = 6,
	ENTITY_MOST = 3,	/* code points for a name */
};

struct entity {
	uint16_t value;		/* entity_values[value] to [value + n - 1] */
	uint8_t n, kinds;
};

/* Sorted by length, then by bytes.  Names of n bytes belong to the entities
 * from entity_first[n] to entity_first[n + 1] - 1. */
extern const struct entity entities[];
extern const uint16_t entity_first[ENTITY_LONGEST + 2];

/* All names without separators.  The first name of n bytes is at
 * entity_name[n]. */
extern const char entity_names[];
extern const uint16_t entity_name[ENTITY_LONGEST + 2];

extern const uint32_t entity_values[];

#endif
