/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary of CLIP as tables of merges and words. */
#ifndef TEXT_VOCAB_H
#define TEXT_VOCAB_H

#include <string.h>

#include "base/bytes.h"
#include "npu.h"

/*
 * Ids: 256 bytes, the same 256 bytes at the end of a word ("</w>"), a token for
 * each merge in the order of the file, start and end (simple_tokenizer.py).
 */
enum {
	VOCAB_MERGES = 49152 - 256 - 2,
	VOCAB_FIRST_MERGE = 512,
	VOCAB_TOKENS = VOCAB_FIRST_MERGE + VOCAB_MERGES + 2,
	VOCAB_NONE = 0xffff,		/* not a token */
	VOCAB_MOST_TOKEN = 256,		/* bytes; CLIP's longest has 37 */
	VOCAB_SLOT_BITS = 16,		/* 1.3 slots a merge */
	VOCAB_SLOTS = 1 << VOCAB_SLOT_BITS,
	VOCAB_SIEVE_BITS = 20,		/* 21 bits a merge */
	WORD_TABLE_BITS = 16,		/* 1.8 slots for each word of CLIP */
	WORD_TABLE_SLOTS = 1 << WORD_TABLE_BITS,
	WORD_TABLE_LONGEST = 13,	/* bytes in its longest word */
	WORD_TABLE_READ = 16,		/* bytes read by word_table_key() */
	WORD_TABLE_SEEN_BITS = 18,		/* 7.7 bits for each word of
						 * CLIP */
};

/*
 * A word and its token in 16 bytes: the word's bytes, padded with 0, its length
 * and the id.  Comparing two pairs of numbers is enough to find a word.
 */
struct word_table_entry {
	uint64_t low;			/* the first 8 bytes */
	uint64_t high;			/* 5 more, length << 40, id << 48 */
};

/*
 * One block without pointers, constant after it was made.  The build makes
 * CLIP's vocabulary with scripts/tables/vocab.c.  A merge's id is its rank:
 * both its halves have smaller ids, and the smallest id is merged first.
 */
struct npu_bpe {
	/* A bit for each hash: a merge may exist.  These 128 KiB are enough to
	 * reject most pairs, as few pairs have a merge. */
	uint64_t sieve[1 << (VOCAB_SIEVE_BITS - 6)];
	/* The same for words: 32 KiB. */
	uint64_t seen[1 << (WORD_TABLE_SEEN_BITS - 6)];
	uint64_t slot[VOCAB_SLOTS];	/* left << 32 | right << 16 | merged;
					   0 is empty */
	struct word_table_entry word[WORD_TABLE_SLOTS];	/* empty if all 0 */
	uint16_t bytes[256][256];	/* the merge of two bytes, not final */
	uint32_t half[VOCAB_TOKENS];	/* of a merge: left << 16 | right */
	uint16_t byte_id[256];		/* not final; + 256 when final */
	uint8_t byte_of[256];		/* by id */
	char sha256[65];		/* of the file, in hexadecimal */
};

/* Returns whether a token ends a word.  The last token of a merge decides
 * this. */
static inline bool
vocab_final(const struct npu_bpe *v, uint32_t id)
{
	while (id >= VOCAB_FIRST_MERGE && id < NPU_CLIP_START)
		id = v->half[id] & 0xffff;
	return id >= 256;
}

/* Returns a bit's index in the sieve; its upper bits are a slot's index. */
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

/* Returns the token into which two adjacent tokens merge, or VOCAB_NONE. */
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

/* Returns the key of a word of n bytes, 1 <= n <= WORD_TABLE_LONGEST.  Reads
 * WORD_TABLE_READ bytes at p. */
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

/* Returns a bit's index in seen; its upper bits are a slot of the word
 * table. */
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

/* Returns the token of a whole word, or VOCAB_NONE if the table does not have
 * it. */
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
 * Reads a vocabulary into *v, which must be zero.  text has the bytes of its
 * file, decompressed.  On failure *v is incomplete.
 */
int vocab_read(struct npu_bpe *v, struct bytes text, struct npu_err *err);

/* Fills the word table of v; all other members must be complete. */
void word_table_fill(struct npu_bpe *v);

/* Writes the bytes of a token, at most VOCAB_MOST_TOKEN.  Returns their
 * number. */
size_t vocab_spell(const struct npu_bpe *v, uint32_t id, char *bytes);

#endif
