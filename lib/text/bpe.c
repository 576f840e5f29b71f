// SPDX-License-Identifier: Apache-2.0
/* From a text to ids: encode() of simple_tokenizer.py. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "text/ascii.h"
#include "text/split.h"
#include "text/tokenizer.h"

enum { KEPT = 1 << 20 };	/* bytes of a buffer that is kept */

int
npu_tokenizer_open(struct npu_tokenizer **tokenizer, const struct npu_bpe *bpe,
    struct npu_err *err)
{
	struct npu_tokenizer *c;

	if (bpe == NULL)
		return npu_fail(err, NPU_EUSAGE, "npu_tokenizer_open(): bpe is "
		    "NULL");
	if ((c = calloc(1, sizeof(*c))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	c->bpe = bpe;
	c->special = true;
	*tokenizer = c;
	return 0;
}

void
npu_tokenizer_close(struct npu_tokenizer *tokenizer)
{
	if (tokenizer == NULL)
		return;
	merge_free(&tokenizer->merger);
	clean_free(&tokenizer->cleaner);
	buf_free(&tokenizer->clean);
	buf_free(&tokenizer->raw);
	buf_free(&tokenizer->text);
	free(tokenizer->id);
	free(tokenizer);
}

void
npu_tokenizer_special(struct npu_tokenizer *tokenizer, bool special)
{
	if (special != tokenizer->special)
		cache_clear(&tokenizer->cache);
	tokenizer->special = special;
}

void
tokenizer_shrink(struct buf *b)
{
	if (b->cap > KEPT)
		buf_free(b);
}

/* Shrinks the buffers except text, which the caller may be passing. */
static void
shrink_to_encode(struct npu_tokenizer *c)
{
	tokenizer_shrink(&c->clean);
	tokenizer_shrink(&c->raw);
	if (c->cleaner.text.cap > KEPT / sizeof(*c->cleaner.text.p))
		clean_free(&c->cleaner);
	if (c->cap > KEPT / sizeof(*c->id)) {
		free(c->id);
		c->id = NULL;
		c->cap = 0;
	}
}

static int32_t *
grow_ids(struct npu_tokenizer *c, size_t n)
{
	size_t cap = c->cap < 128 ? 128 : c->cap;
	int32_t *id;

	while (cap - c->n < n)
		cap *= 2;
	if ((id = realloc(c->id, cap * sizeof(*id))) == NULL)
		return NULL;
	c->id = id;
	c->cap = cap;
	return c->id + c->n;
}

/* Room for n more, which is nearly always there. */
static inline int32_t *
reserve_ids(struct npu_tokenizer *c, size_t n)
{
	return c->cap - c->n >= n && c->id != NULL ? c->id + c->n :
	    grow_ids(c, n);
}

/* ---- Encoding ---------------------------------------------------------- */

const char *
tokenizer_mark(uint32_t id)
{
	return id == NPU_CLIP_START ? "<|startoftext|>" : "<|endoftext|>";
}

/* The id of a mark as a whole word: the reference's cache begins with the
 * two. */
static uint16_t
find_mark(const struct text_word *w)
{
	for (uint16_t k = NPU_CLIP_START; k <= NPU_CLIP_END; k++)
		if (strlen(tokenizer_mark(k)) == w->n &&
		    memcmp(tokenizer_mark(k), w->p, w->n) == 0)
			return k;
	return VOCAB_NONE;
}

/* Adds a word that is not one token. */
static bool
add_parts(struct npu_tokenizer *c, const char *p, size_t n, bool keep)
{
	int32_t *id = reserve_ids(c, n < CACHE_IDS ? CACHE_IDS : n);
	struct cache_key key;
	size_t ids;

	if (id == NULL)
		return false;
	if (n > CACHE_KEY || !keep) {
		ids = merge_word(&c->merger, c->bpe, p, n, id);
		c->n += ids;
		return ids > 0;
	}
	cache_key(&key, p, n);
	ids = cache_find(&c->cache, CACHE_WORD, &key, id);
	if (ids == 0) {
		ids = merge_short(c->bpe, p, n, id);
		cache_add(&c->cache, CACHE_WORD, &key, id, ids);
	}
	c->n += ids;
	return true;
}

/* Adds a word; with keep, it is looked up in the cache, and stored there. */
static bool
add_word(struct npu_tokenizer *c, const struct text_word *w, bool keep)
{
	uint16_t one = VOCAB_NONE;
	int32_t *id;

	if (*w->p == '<')
		one = find_mark(w);
	if (one == VOCAB_NONE && w->n <= WORD_TABLE_LONGEST)
		one = word_table_find(c->bpe, word_table_key(w->p, w->n));
	if (one == VOCAB_NONE)
		return add_parts(c, w->p, w->n, keep);
	if ((id = reserve_ids(c, 1)) == NULL)
		return false;
	*id = one;
	c->n++;
	return true;
}

static bool
add_words(struct npu_tokenizer *c, const char *at, const char *end)
{
	struct text_word w;

	while (text_word(&at, end, c->special, &w))
		if (!add_word(c, &w, true))
			return false;
	return true;
}

/*
 * Adds the words of simple ASCII that begin in one window; *at moves to the
 * first word that is not done.
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
			if (!add_word(c, &word, true))
				return false;
			if (word.n == n)
				continue;
			return true;
		}
		one = n > WORD_TABLE_LONGEST ? VOCAB_NONE :
		    word_table_find(c->bpe, word_table_key(from, n));
		if (one != VOCAB_NONE && c->n < c->cap)
			c->id[c->n++] = one;
		else if (!add_word(c, &(struct text_word){ from, n },
		    true))
			return false;
	}
	*at = p + ASCII_WINDOW;
	return true;
}

static bool
add_mark(struct npu_tokenizer *c, int32_t mark)
{
	int32_t *id = reserve_ids(c, 1);

	if (id == NULL)
		return false;
	*id = mark;
	c->n++;
	return true;
}

/* ---- Texts ------------------------------------------------------------- */

/* Pads the text, so that words may be read past their end. */
static bool
pad(struct buf *clean)
{
	char *p = buf_reserve(clean, WORD_TABLE_READ);

	if (p == NULL)
		return false;
	memset(p, 0, WORD_TABLE_READ);
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

/* Whether cleaning has left a segment unchanged. */
static bool
unchanged(const struct npu_tokenizer *c, const char *p, size_t n)
{
	return c->clean.n == n && memcmp(c->clean.p, p, n) == 0;
}

/* Adds the words of a segment if it needs no repair. */
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
		return add_word(c, &(struct text_word){ clean->p, clean->n },
		    !unchanged(c, p, n));
	return add_words(c, clean->p, clean->p + clean->n);
}

/* The same, from the cache if it is there. */
static bool
add_known_segment(struct npu_tokenizer *c, const char *p,
    const struct cache_key *key, bool *no_repair)
{
	int32_t *id = reserve_ids(c, CACHE_IDS);
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

/* *text becomes a copy of it with spaces after. */
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

static bool
add_whole(struct npu_tokenizer *c, const char *text, size_t n)
{
	return text_clean(&c->cleaner, text, n, &c->clean) && pad(&c->clean) &&
	    add_words(c, c->clean.p, c->clean.p + c->clean.n);
}

static bool
encode(struct npu_tokenizer *c, const char *text, size_t n)
{
	bool done;

	c->n = 0;
	if (!add_mark(c, NPU_CLIP_START) || !add_ascii(c, text, n, &done))
		return false;
	if (!done && n <= FIX_LINE && !add_segments(c, text, n, &done))
		return false;
	if (!done) {
		c->n = 1;
		if (!add_whole(c, text, n))
			return false;
	}
	return add_mark(c, NPU_CLIP_END);
}

static int
begin(struct npu_tokenizer *c, size_t n, struct npu_err *err)
{
	if (n > NPU_TEXT_MAX)
		return npu_fail(err, NPU_EUSAGE, "a text of %zu bytes, limit "
		    "%zu", n, (size_t)NPU_TEXT_MAX);
	shrink_to_encode(c);
	return 0;
}

int
npu_clean(struct npu_tokenizer *tokenizer, const char *text, size_t n,
    const char **clean_text, size_t *bytes, struct npu_err *err)
{
	int rc = begin(tokenizer, n, err);
	struct buf was = tokenizer->text;

	if (rc < 0)
		return rc;
	if (!text_clean(&tokenizer->cleaner, text, n, &tokenizer->clean))
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	tokenizer->text = tokenizer->clean;
	tokenizer->clean = was;
	*clean_text = tokenizer->text.p != NULL ? tokenizer->text.p : "";
	*bytes = tokenizer->text.n;
	return 0;
}

size_t
npu_utf8_valid(const char *text, size_t n)
{
	size_t i = 0, len;
	uint32_t c;

	for (; i < n; i += len)
		if ((len = utf8_decode(text + i, n - i, &c)) == 0)
			break;
	return i;
}

int
npu_encode(struct npu_tokenizer *tokenizer, const char *text, size_t n,
    const int32_t **id, size_t *ids, struct npu_err *err)
{
	int rc = begin(tokenizer, n, err);

	if (rc < 0)
		return rc;
	if (!encode(tokenizer, text, n))
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	*id = tokenizer->id;
	*ids = tokenizer->n;
	return 0;
}

bool
npu_clip_row(const int32_t *id, size_t n, int32_t *row, size_t length)
{
	size_t kept = n < length ? n : length;

	memcpy(row, id, kept * sizeof(*row));
	memset(row + kept, 0, (length - kept) * sizeof(*row));
	if (n > length)
		row[length - 1] = NPU_CLIP_END;
	return n > length;
}
