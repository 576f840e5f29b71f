/* SPDX-License-Identifier: Apache-2.0 */
/* bpe() of simple_tokenizer.py, written in the same way, to compare with. */
#ifndef TESTS_SUPPORT_NAIVE_H
#define TESTS_SUPPORT_NAIVE_H

#include "text/vocab.h"

/* Writes the ids of the word p[0..n) to id, and returns their number.  Merges
 * all occurrences of the best pair, from the left, until no pair is left. */
static inline size_t
naive(const struct npu_bpe *v, const char *p, size_t n, int32_t *id)
{
	for (size_t i = 0; i < n; i++)
		id[i] = v->byte_id[(uint8_t)p[i]] + (i + 1 == n ? 256 : 0);
	for (;;) {
		uint16_t best = VOCAB_NONE, m;
		size_t out = 0;

		for (size_t i = 0; i + 1 < n; i++) {
			m = vocab_merged(v, (uint16_t)id[i],
			    (uint16_t)id[i + 1]);
			if (m < best)
				best = m;
		}
		if (best == VOCAB_NONE)
			return n;
		for (size_t i = 0; i < n; i++) {
			bool join = i + 1 < n && vocab_merged(v,
			    (uint16_t)id[i], (uint16_t)id[i + 1]) == best;

			id[out++] = join ? best : id[i];
			i += join;
		}
		n = out;
	}
}

#endif
