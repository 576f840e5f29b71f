/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canonical decompositions and compositions of Unicode 14.0, without Hangul,
 * which is computed: data/nfc_tables.c, made from the Unicode Character
 * Database.
 */
#ifndef TEXT_NFC_DATA_H
#define TEXT_NFC_DATA_H

#include <stdint.h>

#define NFC_MOST 4		/* code points in the longest decomposition */

/* The code point c becomes nfc_parts[at] to nfc_parts[at + n - 1]. */
struct nfc_decomposition {
	uint32_t c;
	uint16_t at, n;
};

struct nfc_pair {
	uint32_t first, second, both;
};

extern const struct nfc_decomposition nfc_decompositions[];	/* by c */
extern const uint16_t nfc_ndecompositions;
extern const uint32_t nfc_parts[];
extern const struct nfc_pair nfc_pairs[];	/* by first, then second */
extern const uint16_t nfc_npairs;

#endif
