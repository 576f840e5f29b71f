// SPDX-License-Identifier: Apache-2.0
/* encode() of simple_tokenizer.py. */
#include <string.h>

#include "text/ascii.h"
#include "text/encode.h"
#include "text/words.h"

/* ---- Simple ASCII ------------------------------------------------------ */

/*
 * Adds the words of simple ASCII that begin in one window.  *at moves to the
 * first word that was not added.
 */
static bool
add_window(struct npu_tokenizer *c, const char **at, const char *end)
{
	const char *p = *at, *from;
	struct ascii_words w = ascii_words(p);
	uint16_t one;
	struct text_word word;

	for (; w.begins != 0; w.begins &= w.begins - 1) {
		unsigned i = (unsigned)__builtin_ctzll(w.begins);
		uint64_t ends = w.ends >> i >> 1;
		size_t n;

		n = ends != 0 ? (size_t)__builtin_ctzll(ends) + 1 : 0;
		*at = from = p + i;
		if (n == 0 && i > 0)
			return true;
		if (n == 0 || *from == '\'' || *from == '<') {
			text_word(at, end, c->special, &word);
			if (!words_add_one(c, &word, true))
				return false;
			if (word.n == n)
				continue;
			return true;
		}
		one = n > WORD_TABLE_LONGEST ? VOCAB_NONE :
		    word_table_find(c->bpe, word_table_key(from, n));
		if (one != VOCAB_NONE && c->n < c->cap)
			c->id[c->n++] = one;
		else if (!words_add_one(c, &(struct text_word){ from, n },
		    true))
			return false;
	}
	*at = p + ASCII_WINDOW;
	return true;
}

/* Adds the words of the text if it is simple ASCII (ascii.h). */
static bool
add_ascii(struct npu_tokenizer *c, const char *text, size_t n, bool *ascii)
{
	const char *at, *end;
	bool done = true;
	char *p;

	buf_clear(&c->clean);
	if ((p = buf_reserve(&c->clean, n + ASCII_PAD)) == NULL)
		return false;
	*ascii = ascii_lower(text, n, p);
	for (at = p, end = p + n; *ascii && done && at < end; )
		done = add_window(c, &at, end);
	return done;
}

/* ---- Segments ---------------------------------------------------------- */

/* Pads the text, because words are read past their end. */
static bool
pad(struct buf *clean)
{
	char *p = buf_reserve(clean, WORD_TABLE_READ);

	if (p == NULL)
		return false;
	memset(p, 0, WORD_TABLE_READ);
	return true;
}

/* Returns whether cleaning did not change a segment. */
static bool
unchanged(const struct npu_tokenizer *c, const char *p, size_t n)
{
	return c->clean.n == n && memcmp(c->clean.p, p, n) == 0;
}

/* Adds the words of a segment if the segment needs no repair. */
static bool
add_new_segment(struct npu_tokenizer *c, const char *p, size_t n,
    bool *no_repair)
{
	struct buf *clean = &c->clean;
	struct text_segment is;

	if (!text_clean_segment(&c->cleaner, p, n, clean, &is))
		return false;
	*no_repair = is.no_repair;
	if (!is.no_repair)
		return true;
	if (!pad(clean))
		return false;
	/* A word that has not changed is cached as a segment. */
	if (is.one_word)
		return words_add_one(c, &(struct text_word){ clean->p,
		    clean->n }, !unchanged(c, p, n));
	return words_add(c, clean->p, clean->p + clean->n);
}

/* Does the same, but uses the cache if it has the segment. */
static bool
add_known_segment(struct npu_tokenizer *c, const char *p,
    const struct cache_key *key, bool *no_repair)
{
	int32_t *id = words_room(c, CACHE_IDS);
	size_t from = c->n, ids;

	if (id == NULL)
		return false;
	ids = cache_find(&c->cache, CACHE_SEGMENT, key, id);
	c->n += ids;
	if (ids > 0)
		return true;
	if (!add_new_segment(c, p, key->n, no_repair))
		return false;
	if (*no_repair)
		cache_add(&c->cache, unchanged(c, p, key->n) ? CACHE_BOTH :
		    CACHE_SEGMENT, key, c->id + from, c->n - from);
	return true;
}

/* Sets *text to a copy that is followed by spaces. */
static bool
copy_padded(struct npu_tokenizer *c, const char **text, size_t n)
{
	enum { PAD = 1 + CACHE_READ };
	char *p;

	buf_clear(&c->raw);
	if ((p = buf_reserve(&c->raw, n + PAD)) == NULL)
		return false;
	memcpy(p, *text, n);
	memset(p + n, ' ', PAD);
	*text = p;
	return true;
}

/* Adds the words of the text if none of its segments needs repair. */
static bool
add_segments(struct npu_tokenizer *c, const char *text, size_t n,
    bool *no_repair)
{
	bool done = copy_padded(c, &text, n);
	const char *end = text + n;
	struct cache_key key;
	size_t len;

	for (*no_repair = true; done && *no_repair && text < end;
	    text += len + 1) {
		if (cache_key_to_space(&key, text)) {
			if ((len = key.n) > 0)
				done = add_known_segment(c, text, &key,
				    no_repair);
		} else {
			len = (size_t)((char *)rawmemchr(text, ' ') - text);
			done = add_new_segment(c, text, len, no_repair);
		}
	}
	return done;
}

/* ---- A whole text ------------------------------------------------------ */

static bool
add_whole(struct npu_tokenizer *c, const char *text, size_t n)
{
	return text_clean(&c->cleaner, text, n, &c->clean) && pad(&c->clean) &&
	    words_add(c, c->clean.p, c->clean.p + c->clean.n);
}

bool
encode_text(struct npu_tokenizer *c, const char *text, size_t n)
{
	bool done;

	c->n = 0;
	if (!words_add_mark(c, NPU_CLIP_START) ||
	    !add_ascii(c, text, n, &done))
		return false;
	if (!done && n <= FIX_LINE && !add_segments(c, text, n, &done))
		return false;
	if (!done) {
		c->n = 1;
		if (!add_whole(c, text, n))
			return false;
	}
	return words_add_mark(c, NPU_CLIP_END);
}
