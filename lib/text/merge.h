/* SPDX-License-Identifier: Apache-2.0 */
/* Byte pair encoding of one word. */
#ifndef TEXT_MERGE_H
#define TEXT_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/vocab.h"

struct merge_node;

/* Working memory, kept from word to word; zeroed before first use. */
struct merger {
	struct merge_node *node;	/* owned */
	size_t cap;			/* nodes */
	struct merge_queue *queue;	/* owned */
};

#define MERGE_MOST ((size_t)1 << 30)	/* bytes of a word */

/*
 * Writes the ids of the word p[0..n), 0 < n <= MERGE_MOST, to id, which has
 * room for n, and returns their number; 0 if there is no memory.  Takes time
 * in proportion to n.
 */
size_t merge_word(struct merger *m, const struct npu_bpe *v, const char *p,
    size_t n, int32_t *id);

void merge_free(struct merger *m);

#endif
