/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary of CLIP as tables of merges and words. */
#ifndef TEXT_VOCAB_H
#define TEXT_VOCAB_H

#include <string.h>

#include "base/bytes.h"
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
	VOCAB_MOST_TOKEN = 256,		/* bytes; CLIP's longest has 37 */
	VOCAB_SLOT_BITS = 16,		/* 1.3 slots a merge */
	VOCAB_SLOTS = 1 << VOCAB_SLOT_BITS,
	VOCAB_SIEVE_BITS = 20,		/* 21 bits a merge */
	WORD_TABLE_BITS = 16,		/* 1.8 slots a word of CLIP's */
	WORD_TABLE_SLOTS = 1 << WORD_TABLE_BITS,
	WORD_TABLE_LONGEST = 13,	/* bytes of the longest word in it */
	WORD_TABLE_READ = 16,		/* bytes that word_table_key() reads */
	WORD_TABLE_SEEN_BITS = 18,		/* 7.7 bits a word of CLIP's */
};

/*
 * A word and its token in 16 bytes: the word's bytes, padded with 0, its length
 * and the id, so that a single comparison of two numbers finds it.
 */
struct word_table_entry {
	uint64_t low;			/* the first 8 bytes */
	uint64_t high;			/* 5 more, length << 40, id << 48 */
};

/*
 * One block without pointers, constant once made; the build makes CLIP's by
 * scripts/tables/vocab.c.  A merge's id orders it: both its halves have smaller
 * ids, and the smallest id is merged first.
 */
struct npu_bpe {
	/* A bit for each hash: a merge may be there.  128 KiB that settle most
	 * pairs, as few have a merge. */
	uint64_t sieve[1 << (VOCAB_SIEVE_BITS - 6)];
	/* The same for words: 32 KiB. */
	uint64_t seen[1 << (WORD_TABLE_SEEN_BITS - 6)];
	uint64_t slot[VOCAB_SLOTS];	/* left << 32 | right << 16 | merged;
					   0 is empty */
	struct word_table_entry word[WORD_TABLE_SLOTS];	/* all 0 is empty */
	uint16_t bytes[256][256];	/* what two bytes merge to, not final */
	uint32_t half[VOCAB_TOKENS];	/* of a merge: left << 16 | right */
	uint16_t byte_id[256];		/* not final; + 256 when final */
	uint8_t byte_of[256];		/* by id */
	char sha256[65];		/* of the file, as hexadecimal digits */
};

/* Whether a token ends a word.  The last token of a merge decides. */
static inline bool
vocab_final(const struct npu_bpe *v, uint32_t id)
{
	while (id >= VOCAB_FIRST_MERGE && id < NPU_CLIP_START)
		id = v->half[id] & 0xffff;
	return id >= 256;
}

/* A bit of the sieve; the upper bits are a slot. */
static inline uint32_t
vocab_hash(uint32_t left, uint32_t right)
{
	return ((left << 16 | right) * UINT32_C(0x9e3779b1)) >>
	    (32 - VOCAB_SIEVE_BITS);
}

static inline uint32_t
vocab_slot(uint32_t hash)
{
	return hash >> (VOCAB_SIEVE_BITS - VOCAB_SLOT_BITS);
}

/* The token that two adjacent ones merge to, or VOCAB_NONE. */
static inline uint16_t
vocab_merged(const struct npu_bpe *v, uint16_t left, uint16_t right)
{
	uint64_t pair = (uint64_t)left << 16 | right;
	uint32_t h = vocab_hash(left, right), i;

	if ((v->sieve[h / 64] >> h % 64 & 1) == 0)
		return VOCAB_NONE;
	for (i = vocab_slot(h); v->slot[i] != 0; i = (i + 1) % VOCAB_SLOTS)
		if (v->slot[i] >> 16 == pair)
			return (uint16_t)v->slot[i];
	return VOCAB_NONE;
}

/* ---- Word table: words that are one token ------------------------------ */

/* The key of a word of n bytes, 1 <= n <= WORD_TABLE_LONGEST.  WORD_TABLE_READ
 * bytes at p are read. */
static inline struct word_table_entry
word_table_key(const char *p, size_t n)
{
	struct word_table_entry k;
	unsigned cut = n < 8 ? 64 - 8 * (unsigned)n : 0;
	unsigned rest = n > 8 ? 8 * (unsigned)n - 64 : 0;

	memcpy(&k, p, sizeof(k));
	k.low = k.low << cut >> cut;
	k.high = (k.high & ((UINT64_C(1) << rest) - 1)) | (uint64_t)n << 40;
	return k;
}

/* A bit of seen; the upper bits are a slot of the word table. */
static inline uint32_t
word_table_hash(struct word_table_entry k)
{
	uint64_t h = (k.low ^ k.high << 19 ^ k.high >> 45) *
	    UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(h >> (64 - WORD_TABLE_SEEN_BITS));
}

static inline uint32_t
word_table_slot(uint32_t hash)
{
	return hash >> (WORD_TABLE_SEEN_BITS - WORD_TABLE_BITS);
}

/* The token of a whole word, or VOCAB_NONE if the table has none. */
static inline uint16_t
word_table_find(const struct npu_bpe *v, struct word_table_entry k)
{
	uint32_t h = word_table_hash(k), i = word_table_slot(h);

	if ((v->seen[h / 64] >> h % 64 & 1) == 0)
		return VOCAB_NONE;
	for (; v->word[i].high != 0; i = (i + 1) % WORD_TABLE_SLOTS)
		if (v->word[i].low == k.low &&
		    (v->word[i].high ^ k.high) << 16 == 0)
			return (uint16_t)(v->word[i].high >> 48);
	return VOCAB_NONE;
}

/* ---- Building one ------------------------------------------------------ */

/*
 * *v, zeroed before, becomes the vocabulary in text, the bytes of its file
 * without gzip.  On failure *v is incomplete.
 */
int vocab_read(struct npu_bpe *v, struct bytes text, struct npu_err *err);

/* Fills the word table of v, which is otherwise complete. */
void word_table_fill(struct npu_bpe *v);

/* Writes the bytes of a token, at most VOCAB_MOST_TOKEN; returns their
 * number. */
size_t vocab_spell(const struct npu_bpe *v, uint32_t id, char *bytes);

#endif
