/* SPDX-License-Identifier: Apache-2.0 */
/* Byte pair encoding of one word. */
#ifndef TEXT_MERGE_H
#define TEXT_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/vocab.h"

/* A part of a long word; its tokens are indexed by the offset of their first
 * byte. */
struct merge_part {
	struct merge_node *node;	/* owned */
	size_t n;			/* bytes */
};

/* Working memory for long words, kept from word to word.  Must be zero before
 * first use. */
struct merger {
	struct merge_part part, next;
	uint64_t *heap;			/* owned */
	size_t cap;			/* bytes in a part */
};

#define MERGE_MOST ((size_t)1 << 30)	/* bytes in a word */

/*
 * Writes the ids of the word p[0..n), 0 < n <= MERGE_MOST, to id, which must
 * have room for n.  Returns the number of ids, or 0 if out of memory.
 */
size_t merge_word(struct merger *m, const struct npu_bpe *v, const char *p,
    size_t n, int32_t *id);

/* Does the same for a word of at most MERGE_SHORT bytes, which needs no
 * memory. */
enum { MERGE_SHORT = 128 };
size_t merge_short(const struct npu_bpe *v, const char *p, size_t n,
    int32_t *id);

void merge_free(struct merger *m);

#endif
