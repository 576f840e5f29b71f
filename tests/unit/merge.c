// SPDX-License-Identifier: Apache-2.0
/* Words looked up, cut into parts, merged: always as merged one by one. */
#include <stdlib.h>
#include <string.h>

#include "../naive.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "tap.h"
#include "text/cache.h"
#include "text/merge.h"

enum { MOST = 20000 };

static int32_t got[MOST], want[MOST];

static uint32_t
any(uint32_t below)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((state >> 33) % below);
}

static void
check_word(const struct npu_bpe *v, const char *p, size_t n, const char *what)
{
	struct merger m = { 0 };
	size_t k = naive(v, p, n, want);

	ok(merge_word(&m, v, p, n, got) == k &&
	    memcmp(got, want, k * sizeof(*got)) == 0,
	    "%zu bytes, %s: as merged one by one", n, what);
	merge_free(&m);
}

/* ---- CLIP's own -------------------------------------------------------- */

/*
 * Of CLIP's tokens 34483 end a word, 34208 of these with at most 13 bytes, and
 * bpe() of simple_tokenizer.py makes each of them again from its bytes.
 */
static void
check_words(const struct npu_bpe *v)
{
	char p[VOCAB_MOST_TOKEN + VOCAB_READ] = { 0 };
	size_t words = 0, in = 0, filled = 0, wrong = 0;

	for (uint32_t k = 256; k < NPU_CLIP_START; k++) {
		size_t n = vocab_spell(v, k, p);

		if (!vocab_final(v, k))
			continue;
		words++;
		wrong += naive(v, p, n, want) != 1 || want[0] != (int32_t)k;
		in += n <= VOCAB_WORD && vocab_whole(v, vocab_key(p, n)) == k;
	}
	for (size_t i = 0; i < VOCAB_WORDS; i++)
		filled += v->word[i].high != 0;
	ok(words == 34483 && wrong == 0 && in == 34208 && filled == 34208,
	    "%zu words, %zu of them in the table of %zu, %zu merge to another",
	    words, in, filled, wrong);
}

/* Words of the scripts that begin at these code points. */
static void
check_scripts(const struct npu_bpe *v)
{
	static const uint32_t first[] = {
		'a', 0xe0, 0x3b1, 0x430, 0x5d0, 0x627, 0x915, 0xe01, 0x3042,
		0x4e00, 0xac00, 0x1f600,
	};
	static char p[MOST];

	for (unsigned i = 0; i < 60; i++) {
		size_t n = 0, most = i < 48 ? 1 + any(200) : 3000 + any(9000);

		while (n < most)
			n += utf8_encode(first[any(8) < 7 ? i % 12 : any(12)] +
			    any(1 + any(26)), p + n);
		check_word(v, p, n, "a script");
	}
}

/* ---- Others ------------------------------------------------------------ */

/* A vocabulary of merges, and of as many others as are needed, which join
 * ASCII only. */
static struct npu_bpe *
make(struct buf *b, int merges)
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

/* 2 is made before 1, so that 3 cannot be. */
static void
check_unreachable(void)
{
	struct buf b = { 0 };
	struct npu_bpe *v;
	char word[VOCAB_READ + 3] = "\xe4\xf6\xfc";

	buf_puts(&b, "#version: 0.2\n\u00f6 \u00fc</w>\n\u00e4 \u00f6\n"
	    "\u00e4\u00f6 \u00fc</w>\n");
	v = make(&b, 3);
	if (!ok(v != NULL, "a vocabulary with a word that nothing makes"))
		return;
	ok(vocab_whole(v, vocab_key(word, 3)) == VOCAB_NONE &&
	    vocab_whole(v, vocab_key(word + 1, 2)) == VOCAB_FIRST_MERGE,
	    "is without it in the table");
	npu_bpe_close(v);
}

enum { SIDE = 47, LINKS = SIDE * SIDE };

/* Byte k of a token's, written as the file does: none are valid UTF-8. */
static void
put_byte(struct buf *b, int k, bool second)
{
	int byte = !second ? 0x80 + k : k < 16 ? 0xf0 + k : k - 16;
	char c[4];

	/* 0x00 to 0x20 are from U+0100 on, 0x7f to 0xa0 behind them. */
	if (byte <= 0x20)
		byte += 0x100;
	else if (byte < 0xa1)
		byte += 0x121 - 0x7f;
	else if (byte == 0xad)
		byte = 0x143;
	buf_add(b, c, utf8_encode((uint32_t)byte, c));
}

static void
put_link(struct buf *b, int i, const char *between)
{
	put_byte(b, i / SIDE, false);
	buf_puts(b, between);
	put_byte(b, i % SIDE, true);
}

/*
 * 2209 tokens of two bytes, and each pair of neighbours merges, the last pair
 * first: where a part of this word ends decides about all of it.
 */
static void
check_chain(void)
{
	struct buf b = { 0 };
	struct npu_bpe *v;
	char word[2 * LINKS];

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
	v = make(&b, 2 * LINKS - 1);
	if (!ok(v != NULL, "a vocabulary that is a chain"))
		return;
	check_word(v, word, sizeof(word), "a chain");
	/* Without its end the last pair is another. */
	check_word(v, word, sizeof(word) - 2, "a chain without its end");
	npu_bpe_close(v);
}

/* ---- Words seen before ------------------------------------------------- */

/* Word i of 1 to CACHE_KEY bytes, and as many ids. */
static size_t
make_word(uint32_t i, char *p, int32_t *id)
{
	size_t n = 8 + i % (CACHE_KEY - 7);

	memset(p, 'a', n);
	for (int k = 0; k < 8; k++)
		p[k] = (char)('a' + (i >> 4 * k & 15));
	for (size_t k = 0; k < n; k++)
		id[k] = (int32_t)(i + k) % VOCAB_TOKENS;
	return n;
}

/* Far more of them than there is room for. */
static void
check_cache(void)
{
	enum { WORDS = 20000 };
	static struct cache c;
	char p[CACHE_KEY + CACHE_READ] = { 0 };
	size_t found = 0, kept = 0, wrong = 0, n, k;
	struct cache_key key, other;

	for (uint32_t i = 0; i < WORDS; i++) {
		n = make_word(i, p, want);
		cache_key(&key, p, n);
		cache_add(&c, CACHE_WORD, &key, want, n);
		found += cache_find(&c, CACHE_WORD, &key, got) == n;
	}
	for (uint32_t i = 0; i < WORDS; i++) {
		n = make_word(i, p, want);
		cache_key(&key, p, n);
		k = cache_find(&c, CACHE_WORD, &key, got);
		kept += k != 0;
		wrong += k != 0 && (k != n ||
		    memcmp(got, want, n * sizeof(*got)) != 0);
		/* Another word that happens to have the same hash. */
		p[n - 1] = 'z';
		cache_key(&other, p, n);
		other.hash = key.hash;
		wrong += cache_find(&c, CACHE_WORD, &other, got) != 0;
	}
	ok(found == WORDS && wrong == 0 && kept > 0 && kept < WORDS,
	    "of %d words remembered, %zu are left, %zu wrong", WORDS, kept,
	    wrong);
}

/* The same bytes as a stretch and as a word, whichever was there first. */
static void
check_apart(enum cache_kind first, enum cache_kind second)
{
	static struct cache c;
	const char p[CACHE_READ + 3] = "two";
	struct cache_key key;

	cache_clear(&c);
	cache_key(&key, p, 3);
	want[0] = 1;
	want[1] = 2;
	cache_add(&c, first, &key, want, 1);
	ok(cache_find(&c, second, &key, got) == 0,
	    "what is kept of one kind is no answer for the other");
	cache_add(&c, second, &key, want, 2);
	ok(cache_find(&c, first, &key, got) == 1 &&
	    cache_find(&c, second, &key, got) == 2,
	    "each has its own");
}

/* What is kept of a word is no answer for a stretch, unless it is both. */
static void
check_kinds(void)
{
	static struct cache c;
	const char p[CACHE_READ + 3] = "two";
	struct cache_key key;
	size_t used;

	want[0] = 1;
	want[1] = 2;
	cache_key(&key, p, 3);
	cache_add(&c, CACHE_WORD, &key, want, 2);
	used = c.used;
	ok(cache_find(&c, CACHE_WORD, &key, got) == 2 &&
	    cache_find(&c, CACHE_STRETCH, &key, got) == 0,
	    "a word is found as a word only");
	cache_add(&c, CACHE_BOTH, &key, want, 2);
	ok(cache_find(&c, CACHE_WORD, &key, got) == 2 &&
	    cache_find(&c, CACHE_STRETCH, &key, got) == 2 &&
	    got[0] == 1 && got[1] == 2 && c.used == used,
	    "what is both serves both, kept once");
	cache_clear(&c);
	ok(cache_find(&c, CACHE_WORD, &key, got) == 0,
	    "a cache that was cleared has nothing");
}

int
main(void)
{
	const struct npu_bpe *v = npu_bpe_clip();

	check_words(v);
	check_scripts(v);
	check_unreachable();
	check_chain();
	check_cache();
	check_kinds();
	check_apart(CACHE_WORD, CACHE_STRETCH);
	check_apart(CACHE_STRETCH, CACHE_WORD);
	return done();
}
