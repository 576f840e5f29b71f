/* SPDX-License-Identifier: Apache-2.0 */
/* Computes which words a transfer touches, from a shim tile's DMA
 * descriptor. */
#ifndef MODEL_TXN_SIZES_H
#define MODEL_TXN_SIZES_H

#include <stdint.h>

/*
 * Returns the highest word of a buffer, counted from the descriptor's address,
 * that a transfer in runs runs touches.  The length, d[0], and runs are at
 * least 1.  Element e of run r lies at word
 *
 *	a0 step0 + a1 step1 + a2 step2 + (r mod w) step
 *
 * where a0 = e mod wrap0, a1 = (e / wrap0) mod wrap1, a2 = e / (wrap0 wrap1).
 * If an index has no wrap, its a is the whole quotient, and the a of later
 * indices is 0.
 */
uint64_t txn_greatest_word(const uint32_t d[8], unsigned runs);

/* Returns the word of element e in run r, counted in the same way. */
uint64_t txn_word(const uint32_t d[8], uint32_t e, unsigned r);

#endif
