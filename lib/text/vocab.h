/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary of CLIP as a table to merge by. */
#ifndef TEXT_VOCAB_H
#define TEXT_VOCAB_H

#include "npu.h"

/*
 * Ids: 256 bytes, the same 256 at the end of a word ("</w>"), a token for each
 * merge in the order of the file, start and end (simple_tokenizer.py).
 */
enum {
	VOCAB_MERGES = 49152 - 256 - 2,
	VOCAB_FIRST_MERGE = 512,
	VOCAB_TOKENS = VOCAB_FIRST_MERGE + VOCAB_MERGES + 2,
	VOCAB_NONE = 0xffff,		/* no token */
	VOCAB_SLOT_BITS = 17,		/* 2.7 slots a merge */
	VOCAB_SLOTS = 1 << VOCAB_SLOT_BITS,
};

#define VOCAB_EMPTY UINT64_MAX

/*
 * One block without pointers, constant once made: a later version makes it
 * when the project is built.  A merge's id orders it: both its halves have
 * smaller ids, and the smallest id is merged first.
 */
struct npu_bpe {
	uint64_t slot[VOCAB_SLOTS];	/* left << 32 | right << 16 | merged */
	uint32_t start[VOCAB_TOKENS + 1];	/* of a token in bytes */
	uint8_t final[VOCAB_TOKENS];	/* 1 for a token that ends a word */
	uint16_t byte_id[256];		/* not final; + 256 when final */
	char bytes[];
};

static inline uint32_t
vocab_hash(uint32_t left, uint32_t right)
{
	return ((left << 16 | right) * UINT32_C(0x9e3779b1)) >>
	    (32 - VOCAB_SLOT_BITS);
}

/* The token that two adjacent ones become, or VOCAB_NONE. */
static inline uint16_t
vocab_merged(const struct npu_bpe *v, uint16_t left, uint16_t right)
{
	uint64_t pair = (uint64_t)left << 16 | right;
	uint32_t i = vocab_hash(left, right);

	for (; v->slot[i] != VOCAB_EMPTY; i = (i + 1) % VOCAB_SLOTS)
		if (v->slot[i] >> 16 == pair)
			return (uint16_t)v->slot[i];
	return VOCAB_NONE;
}

#endif
