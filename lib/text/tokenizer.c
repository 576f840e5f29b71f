// SPDX-License-Identifier: Apache-2.0
/* The functions of npu.h that convert a text to ids. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "text/encode.h"
#include "text/tokenizer.h"

enum { KEPT = 1 << 20 };	/* bytes of the largest buffer kept */

int
npu_tokenizer_open(struct npu_tokenizer **tokenizer, const struct npu_bpe *bpe,
    struct npu_err *err)
{
	struct npu_tokenizer *c;
	int rc;

	if ((rc = npu_need(tokenizer, "npu_tokenizer_open(): tokenizer",
	    err)) < 0 ||
	    (rc = npu_need(bpe, "npu_tokenizer_open(): bpe", err)) < 0)
		return rc;
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
	struct buf was;
	int rc;

	if ((rc = npu_need(tokenizer, "npu_clean(): tokenizer", err)) < 0 ||
	    (n > 0 && (rc = npu_need(text, "npu_clean(): text", err)) < 0) ||
	    (rc = npu_need(clean_text, "npu_clean(): clean", err)) < 0 ||
	    (rc = npu_need(bytes, "npu_clean(): bytes", err)) < 0 ||
	    (rc = begin(tokenizer, n, err)) < 0)
		return rc;
	was = tokenizer->text;
	if (!text_clean(&tokenizer->cleaner, n > 0 ? text : "", n,
	    &tokenizer->clean))
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
	int rc;

	if ((rc = npu_need(tokenizer, "npu_encode(): tokenizer", err)) < 0 ||
	    (n > 0 && (rc = npu_need(text, "npu_encode(): text", err)) < 0) ||
	    (rc = npu_need(id, "npu_encode(): id", err)) < 0 ||
	    (rc = npu_need(ids, "npu_encode(): ids", err)) < 0 ||
	    (rc = begin(tokenizer, n, err)) < 0)
		return rc;
	if (!encode_text(tokenizer, n > 0 ? text : "", n))
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
