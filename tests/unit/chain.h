/* SPDX-License-Identifier: Apache-2.0 */
/* Makes vocabularies in which only a few merges matter. */
#ifndef TESTS_UNIT_CHAIN_H
#define TESTS_UNIT_CHAIN_H

#include "base/buf.h"
#include "base/utf8.h"
#include "tap.h"
#include "text/vocab.h"

/* Returns a vocabulary.  *b has the lines of the first merges; merges that join
 * only ASCII characters are added to fill it.  Frees *b. */
static inline struct npu_bpe *
make_vocabulary(struct buf *b, int merges)
{
	struct npu_bpe *v = NULL;
	struct npu_err err;

	for (int i = 0, k = merges; k < VOCAB_MERGES; i++, k++) {
		if (i < 94 * 94)
			buf_printf(b, "%c %c\n", '!' + i / 94, '!' + i % 94);
		else
			buf_printf(b, "%c%c %c\n", '!' + i / (94 * 94) - 1,
			    '!' + i / 94 % 94, '!' + i % 94);
	}
	if (npu_bpe_open(&v, b->p, b->n, &err) < 0)
		diag("%s", err.msg);
	buf_free(b);
	return v;
}

enum { SIDE = 47, LINKS = SIDE * SIDE };

/* Adds the first or second byte of token k, written as in the file of the
 * vocabulary.  No token is valid UTF-8. */
static inline void
put_byte(struct buf *b, int k, bool second)
{
	int byte = !second ? 0x80 + k : k < 16 ? 0xf0 + k : k - 16;
	char c[4];

	/* The file writes 0x00 to 0x20 as U+0100 and the characters after it,
	 * and 0x7f to 0xa0 as the next characters. */
	if (byte <= 0x20)
		byte += 0x100;
	else if (byte < 0xa1)
		byte += 0x121 - 0x7f;
	else if (byte == 0xad)
		byte = 0x143;
	buf_add(b, c, utf8_encode((uint32_t)byte, c));
}

static inline void
put_link(struct buf *b, int i, const char *between)
{
	put_byte(b, i / SIDE, false);
	buf_puts(b, between);
	put_byte(b, i % SIDE, true);
}

/*
 * Returns a vocabulary of 2209 tokens of two bytes, and stores all tokens, one
 * after the other, in word.  Each token merges with the next token, and the
 * last pair merges first.  The end of a part of this word therefore decides all
 * merges.
 */
static inline struct npu_bpe *
make_chain(char word[2 * LINKS])
{
	struct buf b = { 0 };

	buf_puts(&b, "#version: 0.2\n");
	for (int i = 0; i < LINKS; i++) {
		put_link(&b, i, " ");
		buf_puts(&b, "\n");
		word[2 * i] = (char)(0x80 + i / SIDE);
		word[2 * i + 1] = (char)(i % SIDE < 16 ? 0xf0 + i % SIDE :
		    i % SIDE - 16);
	}
	for (int i = LINKS - 2; i >= 0; i--) {
		put_link(&b, i, "");
		buf_puts(&b, " ");
		put_link(&b, i + 1, "");
		buf_puts(&b, "\n");
	}
	return make_vocabulary(&b, 2 * LINKS - 1);
}

#endif
