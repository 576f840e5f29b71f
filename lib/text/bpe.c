// SPDX-License-Identifier: Apache-2.0
/* From a text to ids and back: encode() and decode() of simple_tokenizer.py. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "text/clean.h"
#include "text/merge.h"
#include "text/split.h"
#include "text/vocab.h"

enum {
	CACHE_BITS = 12,
	CACHE_WORD = 26,	/* bytes */
	CACHE_IDS = 16,
	KEPT = 1 << 20,		/* bytes of a buffer that is held on to */
};

/* A word seen before: 64 bytes, a line of most machines' caches. */
struct cached {
	uint32_t hash;
	uint8_t n, ids;		/* n 0: empty */
	char word[CACHE_WORD];
	uint16_t id[CACHE_IDS];
};

struct npu_coder {
	const struct npu_bpe *bpe;	/* the caller's */
	struct merger merger;
	struct points points;
	struct buf clean, text;
	int32_t *id;			/* the last text's; owned */
	size_t n, cap;
	struct cached cache[1 << CACHE_BITS];
};

int
npu_coder_open(struct npu_coder **coder, const struct npu_bpe *bpe,
    struct npu_err *err)
{
	struct npu_coder *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	c->bpe = bpe;
	*coder = c;
	return 0;
}

void
npu_coder_close(struct npu_coder *coder)
{
	if (coder == NULL)
		return;
	merge_free(&coder->merger);
	points_free(&coder->points);
	buf_free(&coder->clean);
	buf_free(&coder->text);
	free(coder->id);
	free(coder);
}

/* One huge text must not cost its memory for ever. */
static void
shrink(struct buf *b)
{
	if (b->cap > KEPT)
		buf_free(b);
}

/* The text itself may be what npu_decode() answered, so that stays. */
static void
shrink_to_encode(struct npu_coder *c)
{
	shrink(&c->clean);
	if (c->points.cap > KEPT / sizeof(*c->points.p))
		points_free(&c->points);
	if (c->cap > KEPT / sizeof(*c->id)) {
		free(c->id);
		c->id = NULL;
		c->cap = 0;
	}
}

static int32_t *
reserve_ids(struct npu_coder *c, size_t n)
{
	size_t cap = c->cap < 128 ? 128 : c->cap;
	int32_t *id;

	if (c->cap - c->n >= n && c->id != NULL)
		return c->id + c->n;
	while (cap - c->n < n)
		cap *= 2;
	if ((id = realloc(c->id, cap * sizeof(*id))) == NULL)
		return NULL;
	c->id = id;
	c->cap = cap;
	return c->id + c->n;
}

/* ---- Encoding ---------------------------------------------------------- */

static uint32_t
word_hash(const struct word *w)
{
	uint32_t h = 2166136261u;	/* FNV-1a */

	for (size_t i = 0; i < w->n; i++)
		h = (h ^ (uint8_t)w->p[i]) * 16777619u;
	return h ^ h >> 15;
}

/* The ids of a mark as a whole: the reference's cache begins with the two. */
static bool
is_mark(const struct npu_bpe *v, const struct word *w, int32_t *id)
{
	for (int32_t k = NPU_CLIP_START; k <= NPU_CLIP_END; k++) {
		size_t n = v->start[k + 1] - v->start[k];

		if (w->n == n && memcmp(w->p, v->bytes + v->start[k], n) == 0) {
			*id = k;
			return true;
		}
	}
	return false;
}

static bool
add_word(struct npu_coder *c, const struct word *w)
{
	int32_t *id = reserve_ids(c, w->n);
	size_t n;

	if (id == NULL)
		return false;
	if (*w->p == '<' && is_mark(c->bpe, w, id)) {
		c->n++;
		return true;
	}
	if ((n = merge_word(&c->merger, c->bpe, w->p, w->n, id)) == 0)
		return false;
	c->n += n;
	return true;
}

static void
remember(struct cached *e, const struct word *w, uint32_t hash,
    const int32_t *id, size_t n)
{
	if (n > CACHE_IDS)
		return;
	e->hash = hash;
	e->n = (uint8_t)w->n;
	e->ids = (uint8_t)n;
	memcpy(e->word, w->p, w->n);
	for (size_t i = 0; i < n; i++)
		e->id[i] = (uint16_t)id[i];
}

static bool
add_cached(struct npu_coder *c, const struct word *w)
{
	uint32_t hash = word_hash(w);
	struct cached *e = &c->cache[hash % (1 << CACHE_BITS)];
	size_t from = c->n;
	int32_t *id;

	if (e->hash != hash || e->n != w->n ||
	    memcmp(e->word, w->p, w->n) != 0) {
		if (!add_word(c, w))
			return false;
		remember(e, w, hash, c->id + from, c->n - from);
		return true;
	}
	if ((id = reserve_ids(c, e->ids)) == NULL)
		return false;
	for (unsigned i = 0; i < e->ids; i++)
		id[i] = e->id[i];
	c->n += e->ids;
	return true;
}

static bool
encode(struct npu_coder *c, const char *text, size_t n)
{
	const char *at, *end;
	struct word w;
	int32_t *id;

	if (!text_clean(text, n, &c->points, &c->clean))
		return false;
	c->n = 0;
	if ((id = reserve_ids(c, 1)) == NULL)
		return false;
	id[0] = NPU_CLIP_START;
	c->n = 1;
	at = c->clean.p;
	end = at + c->clean.n;
	while (text_word(&at, end, &w))
		if (!(w.n <= CACHE_WORD ? add_cached(c, &w) : add_word(c, &w)))
			return false;
	if ((id = reserve_ids(c, 1)) == NULL)
		return false;
	id[0] = NPU_CLIP_END;
	c->n++;
	return true;
}

int
npu_encode(struct npu_coder *coder, const char *text, size_t n,
    const int32_t **id, size_t *ids, struct npu_err *err)
{
	if (n > NPU_TEXT_MAX)
		return npu_fail(err, NPU_EUSAGE, "a text of %zu bytes, limit "
		    "%zu", n, (size_t)NPU_TEXT_MAX);
	shrink_to_encode(coder);
	if (!encode(coder, text, n))
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	*id = coder->id;
	*ids = coder->n;
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

/* ---- Decoding ---------------------------------------------------------- */

/* The ids of a row without its start, its last end and the padding. */
static void
strip(const int32_t **id, size_t *n)
{
	size_t end = *n;

	while (end > 0 && (*id)[end - 1] == 0)
		end--;
	if (end > 0 && (*id)[end - 1] == NPU_CLIP_END)
		*n = end - 1;
	if (*n > 0 && (*id)[0] == NPU_CLIP_START) {
		++*id;
		--*n;
	}
}

int
npu_decode(struct npu_coder *coder, const int32_t *id, size_t n,
    const char **text, size_t *bytes, struct npu_err *err)
{
	const struct npu_bpe *v = coder->bpe;
	struct buf *out = &coder->clean;

	for (size_t i = 0; i < n; i++)
		if (id[i] < 0 || id[i] > NPU_CLIP_END)
			return npu_fail(err, NPU_EUSAGE, "id %zu is %d, and "
			    "ids go from 0 to %d", i + 1, (int)id[i],
			    NPU_CLIP_END);
	shrink(&coder->clean);
	shrink(&coder->text);
	strip(&id, &n);
	buf_clear(out);
	for (size_t i = 0; i < n; i++) {
		uint32_t k = (uint32_t)id[i];
		bool mark = k >= NPU_CLIP_START;

		if (out->n > 0 && mark && out->p[out->n - 1] != ' ')
			buf_puts(out, " ");
		buf_add(out, v->bytes + v->start[k],
		    v->start[k + 1] - v->start[k]);
		if (v->final[k] && i + 1 < n)
			buf_puts(out, " ");
	}
	if (out->failed || !text_valid(out->p, out->n, &coder->text))
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	*text = coder->text.p;
	*bytes = coder->text.n;
	return 0;
}
