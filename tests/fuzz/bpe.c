// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes become ids, and these the words of the cleaned text again, one
 * space between.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/clean.h"
#include "text/split.h"
#include "text/vocab.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* The vocabulary of tests/unit/bpe.c. */
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
	struct word w;

	buf_clear(words);
	while (text_word(&at, end, &w)) {
		if (words->n > 0)
			buf_puts(words, " ");
		buf_add(words, w.p, w.n);
	}
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

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct npu_bpe *v;
	static struct npu_coder *c;
	static struct points work;
	static struct buf clean, words;
	const int32_t *id;
	const char *text;
	size_t ids, bytes;

	if (v == NULL) {
		v = vocabulary();
		if (npu_coder_open(&c, v, NULL) < 0)
			abort();
	}
	if (!text_clean((const char *)p, n, &work, &clean))
		abort();
	check_valid(&clean);
	join_words(&clean, &words);
	if (npu_encode(c, (const char *)p, n, &id, &ids, NULL) < 0 ||
	    ids < 2 || id[0] != NPU_CLIP_START || id[ids - 1] != NPU_CLIP_END)
		abort();
	if (npu_decode(c, id, ids, &text, &bytes, NULL) < 0 ||
	    bytes != words.n ||
	    (bytes > 0 && memcmp(text, words.p, bytes) != 0))
		abort();
	return 0;
}
