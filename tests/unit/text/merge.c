// SPDX-License-Identifier: Apache-2.0
/* Tests that words from the table, split into parts and merged, give the same
 * ids as merging one by one. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "chain.h"
#include "support/naive.h"
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
	    "%zu bytes, %s: the ids are the same as after merging one by one",
	    n, what);
	merge_free(&m);
}

/* ---- CLIP's vocabulary ------------------------------------------------- */

/*
 * In CLIP's vocabulary, 34483 tokens end a word, and 34208 of these have at
 * most 13 bytes.  bpe() of simple_tokenizer.py makes each token again from its
 * bytes.
 */
static void
check_words(const struct npu_bpe *v)
{
	char p[VOCAB_MOST_TOKEN + WORD_TABLE_READ] = { 0 };
	size_t words = 0, in = 0, filled = 0, wrong = 0;

	for (uint32_t k = 256; k < NPU_CLIP_START; k++) {
		size_t n = vocab_spell(v, k, p);

		if (!vocab_final(v, k))
			continue;
		words++;
		if (!brief() || words % 16 == 0)
			wrong += naive(v, p, n, want) != 1 ||
			    want[0] != (int32_t)k;
		in += n <= WORD_TABLE_LONGEST &&
		    word_table_find(v, word_table_key(p, n)) == k;
	}
	for (size_t i = 0; i < WORD_TABLE_SLOTS; i++)
		filled += v->word[i].high != 0;
	ok(words == 34483 && wrong == 0 && in == 34208 && filled == 34208,
	    "%zu words, of which %zu are in the table of %zu; %zu merge to "
	    "another token",
	    words, in, filled, wrong);
}

/* Tests words in the scripts that begin at these code points. */
static void
check_scripts(const struct npu_bpe *v)
{
	static const uint32_t first[] = {
		'a', 0xe0, 0x3b1, 0x430, 0x5d0, 0x627, 0x915, 0xe01, 0x3042,
		0x4e00, 0xac00, 0x1f600,
	};
	static char p[MOST];

	for (unsigned i = 0; i < (brief() ? 48 : 60); i++) {
		size_t n = 0, most = i < 48 ? 1 + any(200) : 1000 + any(3000);

		while (n < most)
			n += utf8_encode(first[any(8) < 7 ? i % 12 : any(12)] +
			    any(1 + any(26)), p + n);
		check_word(v, p, n, "a word of a script");
	}
}

/* ---- Other vocabularies ------------------------------------------------ */

/* The first merge joins the last two letters.  The third merge, which needs the
 * first two letters joined, is therefore never made. */
static void
check_unreachable(void)
{
	struct buf b = { 0 };
	struct npu_bpe *v;
	char word[WORD_TABLE_READ + 3] = "\xe4\xf6\xfc";

	buf_puts(&b, "#version: 0.2\n\u00f6 \u00fc</w>\n\u00e4 \u00f6\n"
	    "\u00e4\u00f6 \u00fc</w>\n");
	v = make_vocabulary(&b, 3);
	if (!ok(v != NULL,
	    "a vocabulary with a word that no merge makes is read"))
		return;
	ok(word_table_find(v, word_table_key(word, 3)) == VOCAB_NONE &&
	    word_table_find(v, word_table_key(word + 1, 2)) ==
	    VOCAB_FIRST_MERGE, "the word table does not have this word");
	npu_bpe_close(v);
}

static void
check_chain(void)
{
	char word[2 * LINKS];
	struct npu_bpe *v = make_chain(word);

	if (!ok(v != NULL, "a vocabulary whose merges are a chain is read"))
		return;
	check_word(v, word, sizeof(word), "a whole chain");
	/* Without its end, the word's last pair is another. */
	check_word(v, word, sizeof(word) - 2, "a chain without its end");
	npu_bpe_close(v);
}

/* ---- The cache of words ------------------------------------------------ */

/* Makes word i, of 8 to CACHE_KEY bytes, and as many ids.  Returns the number
 * of bytes. */
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

/* Tests far more words than the cache has room for. */
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
		/* Another word that has the same hash. */
		p[n - 1] = 'z';
		cache_key(&other, p, n);
		other.hash = key.hash;
		wrong += cache_find(&c, CACHE_WORD, &other, got) != 0;
	}
	ok(found == WORDS && wrong == 0 && kept > 0 && kept < WORDS,
	    "of %d words added, %zu remain in the cache, and %zu are wrong",
	    WORDS, kept,
	    wrong);
}

/* Tests the same bytes as a segment and as a word, in either order. */
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
	    "the ids of a segment or word do not answer for the other kind");
	cache_add(&c, second, &key, want, 2);
	ok(cache_find(&c, first, &key, got) == 1 &&
	    cache_find(&c, second, &key, got) == 2,
	    "segment and word each have their own ids");
}

/* Tests that a cached word does not answer for a segment, unless it is both. */
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
	    cache_find(&c, CACHE_SEGMENT, &key, got) == 0,
	    "a word is found only as a word");
	cache_add(&c, CACHE_BOTH, &key, want, 2);
	ok(cache_find(&c, CACHE_WORD, &key, got) == 2 &&
	    cache_find(&c, CACHE_SEGMENT, &key, got) == 2 &&
	    got[0] == 1 && got[1] == 2 && c.used == used,
	    "an entry of both kinds answers for both, and takes no more room");
	cache_clear(&c);
	ok(cache_find(&c, CACHE_WORD, &key, got) == 0,
	    "a cleared cache is empty");
}

/* Tests keys with one hash: one key more than there are slots for this hash.
 * Each key is longer than the previous key. */
static void
check_full(void)
{
	enum { PLACES = 4 };
	static struct cache c;
	const char p[CACHE_READ + 3 + PLACES] = "abcdefg";
	struct cache_key key[PLACES + 1];

	for (int i = 0; i <= PLACES; i++) {
		cache_key(&key[i], p, (size_t)i + 1);
		key[i].hash = key[0].hash;
		want[0] = i;
		cache_add(&c, CACHE_WORD, &key[i], want, 1);
	}
	ok(cache_find(&c, CACHE_WORD, &key[0], got) == 0,
	    "with one key more than slots, the first key is replaced");
	for (int i = 1; i <= PLACES; i++)
		ok(cache_find(&c, CACHE_WORD, &key[i], got) == 1 &&
		    got[0] == i, "key %d of the others is found", i);
	cache_add(&c, CACHE_SEGMENT, &key[0], want, CACHE_IDS);
	ok(cache_find(&c, CACHE_SEGMENT, &key[0], got) == 0,
	    "an entry with too many ids is not kept");
	cache_add(&c, CACHE_SEGMENT, &key[0], want, CACHE_IDS - 1);
	ok(cache_find(&c, CACHE_SEGMENT, &key[0], got) == CACHE_IDS - 1,
	    "an entry with the maximum number of ids is kept");
}

/* Tests a word of the table and a longer word that begins with it and has the
 * same slot. */
static void
check_longer(const struct npu_bpe *v)
{
	char p[WORD_TABLE_READ + 8] = { 0 }, q[WORD_TABLE_READ + 8] = { 0 };
	unsigned tried = 0, wrong = 0;

	for (uint32_t k = 256; k < NPU_CLIP_START && tried < 1; k++) {
		uint32_t h;

		if (!vocab_final(v, k) || vocab_spell(v, k, p) != 8)
			continue;
		h = word_table_hash(word_table_key(p, 8));
		memcpy(q, p, 8);
		for (uint32_t i = 0; i < 1 << 20; i++) {
			for (int j = 0; j < 5; j++)
				q[8 + j] = (char)('0' + (i >> 4 * j & 15));
			if (word_table_hash(word_table_key(q, 13)) != h)
				continue;
			tried++;
			wrong += word_table_find(v, word_table_key(q, 13)) !=
			    VOCAB_NONE ||
			    word_table_find(v, word_table_key(p, 8)) != k;
			break;
		}
	}
	ok(tried == 1 && wrong == 0,
	    "a longer word in the same slot is not found");
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
	check_full();
	check_longer(v);
	check_apart(CACHE_WORD, CACHE_SEGMENT);
	check_apart(CACHE_SEGMENT, CACHE_WORD);
	return done();
}
