// SPDX-License-Identifier: Apache-2.0
/*
 * The tokenizer gives any bytes the ids that the words of the cleaned text have
 * when they are merged one by one.  These ids give the same words again, with
 * one space between them: the cleaned text except for blanks and U+0345, which
 * the original tokenizer does not put into any word.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "support/naive.h"
#include "text/clean.h"
#include "text/merge.h"
#include "text/split.h"
#include "text/vocab.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum {
	PARTS = 10000,		/* bytes that merge.c cuts into parts */
	SOON = 12,
};

/* The vocabulary of tests/unit/text/bpe.c. */
static struct npu_bpe *
vocabulary(void)
{
	struct npu_bpe *v = NULL;
	struct buf b = { 0 };

	buf_puts(&b, "#version: 0.2\n");
	for (int i = 0; i < 94 * 94; i++)
		buf_printf(&b, "%c %c\n", '!' + i / 94, '!' + i % 94);
	for (int i = 0; i < VOCAB_MERGES - 94 * 94; i++)
		buf_printf(&b, "%c%c %c\n", '!' + i / (94 * 94),
		    '!' + i / 94 % 94, '!' + i % 94);
	if (npu_bpe_open(&v, b.p, b.n, NULL) < 0)
		abort();
	buf_free(&b);
	return v;
}

static void
join_words(const struct buf *clean, struct buf *words)
{
	const char *at = clean->p, *end = at + clean->n;
	struct text_word w;

	buf_clear(words);
	while (text_word(&at, end, true, &w)) {
		if (words->n > 0)
			buf_puts(words, " ");
		buf_add(words, w.p, w.n);
	}
}

/* Returns the next byte, from at on, that ids keep. */
static const char *
next_kept(const char *at, const char *end)
{
	for (; at < end; at++) {
		if (end - at > 1 && memcmp(at, "\xcd\x85", 2) == 0)
			at++;
		else if (*at != ' ')
			break;
	}
	return at;
}

/*
 * Compares the characters that ids keep, without the rules that define words.
 */
static void
check_kept(const struct buf *clean, const char *text, size_t n)
{
	const char *c = clean->n > 0 ? clean->p : "";
	const char *c_end = c + clean->n, *end = text + n;

	for (;; c++, text++) {
		c = next_kept(c, c_end);
		text = next_kept(text, end);
		if (c == c_end && text == end)
			return;
		if (c == c_end || text == end || *c != *text)
			abort();
	}
}

/*
 * Stores the ids of the cleaned text, one word after the other; returns how
 * many.
 */
static size_t
naive_ids(const struct npu_bpe *v, const struct buf *clean, int32_t *id)
{
	static const char *const mark[] = {
		"<|startoftext|>", "<|endoftext|>",
	};
	const char *at = clean->p, *end = at + clean->n;
	struct text_word w;
	size_t n = 0;

	id[n++] = NPU_CLIP_START;
	while (text_word(&at, end, true, &w)) {
		int i = 0;

		while (i < 2 && (w.n != strlen(mark[i]) ||
		    memcmp(w.p, mark[i], w.n) != 0))
			i++;
		if (i < 2)
			id[n++] = NPU_CLIP_START + i;
		else
			n += naive(v, w.p, w.n, id + n);
	}
	id[n++] = NPU_CLIP_END;
	return n;
}

static void
check_ids(struct npu_tokenizer *c, const struct npu_bpe *v, const uint8_t *p,
    size_t n, const struct buf *clean, const struct buf *words)
{
	int32_t *want = malloc((clean->n + 2) * sizeof(*want));
	const int32_t *id;
	const char *text;
	size_t ids, bytes;

	if (npu_encode(c, (const char *)p, n, &id, &ids, NULL) < 0 ||
	    ids != naive_ids(v, clean, want) ||
	    memcmp(id, want, ids * sizeof(*id)) != 0)
		abort();
	free(want);
	if (npu_decode(c, id, ids, &text, &bytes, NULL) < 0 ||
	    bytes != words->n ||
	    (bytes > 0 && memcmp(text, words->p, bytes) != 0))
		abort();
	check_kept(clean, text, bytes);
}

static void
check_valid(const struct buf *b)
{
	uint32_t c;
	size_t len;

	for (size_t i = 0; i < b->n; i += len)
		if ((len = utf8_decode(b->p + i, b->n - i, &c)) == 0)
			abort();
}

/*
 * Whether to test an input as a word of several parts, which takes naive() 20
 * ms and more: true if the period is short, and for one in a hundred others.
 */
static bool
of_parts(const uint8_t *p, size_t n)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + p[i];
	return n <= SOON || sum % 100 == 0;
}

/* Repeats the input to make long words. */
static void
repeat(const uint8_t *p, size_t n, struct buf *out)
{
	size_t least = of_parts(p, n) ? PARTS : 2 * MERGE_SHORT;

	buf_clear(out);
	while (n > 0 && out->n < least)
		buf_add(out, p, n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct npu_bpe *v;
	static struct npu_tokenizer *c, *clip;
	static struct cleaner work;
	static struct buf clean, words, again;

	if (v == NULL) {
		v = vocabulary();
		if (npu_tokenizer_open(&c, v, NULL) < 0 ||
		    npu_tokenizer_open(&clip, npu_bpe_clip(), NULL) < 0)
			abort();
	}
	if (n > 0 && p[0] == '*') {
		repeat(p, n, &again);
		p = (const uint8_t *)again.p;
		n = again.n;
	}
	if (!text_clean(&work, (const char *)p, n, &clean))
		abort();
	check_valid(&clean);
	join_words(&clean, &words);
	check_ids(c, v, p, n, &clean, &words);
	check_ids(clip, npu_bpe_clip(), p, n, &clean, &words);
	return 0;
}
