// SPDX-License-Identifier: Apache-2.0
/* Converts ids to text: decode() of simple_tokenizer.py. */
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "text/clean.h"
#include "text/words.h"

static int
check_id(int32_t id, size_t i, struct npu_err *err)
{
	if (id >= 0 && id <= NPU_CLIP_END)
		return 0;
	return npu_fail(err, NPU_EUSAGE, "id %zu is %d, and ids go from 0 to "
	    "%d", i, (int)id, NPU_CLIP_END);
}

/*
 * Returns the character that represents byte b.  An id is the rank of its byte:
 * first the bytes that Latin-1 prints as themselves (33 to 126, 161 to 172, 174
 * to 255), then the others.
 */
static uint32_t
character_of(uint8_t b, uint32_t id)
{
	enum { PRINTED = 94 + 12 + 82 };

	return id < PRINTED ? b : 256 + id - PRINTED;
}

int
npu_token(const struct npu_bpe *bpe, int32_t id, char token[NPU_TOKEN_SIZE],
    struct npu_err *err)
{
	char bytes[VOCAB_MOST_TOKEN], *at = token;
	size_t n;
	int rc;

	if ((rc = npu_need(bpe, "npu_token(): bpe", err)) < 0 ||
	    (rc = npu_need(token, "npu_token(): token", err)) < 0)
		return rc;
	if (id < 0 || id > NPU_CLIP_END)
		return npu_fail(err, NPU_EUSAGE, "id %d, and ids go from 0 to "
		    "%d", (int)id, NPU_CLIP_END);
	if (id >= NPU_CLIP_START) {
		strcpy(token, words_mark((uint32_t)id));
		return 0;
	}
	n = vocab_spell(bpe, (uint32_t)id, bytes);
	for (size_t i = 0; i < n; i++) {
		uint8_t b = (uint8_t)bytes[i];

		at += utf8_encode(character_of(b, bpe->byte_id[b]), at);
	}
	strcpy(at, vocab_final(bpe, (uint32_t)id) ? "</w>" : "");
	return 0;
}

/* Strips the start, the last end and the padding from the ids of a row. */
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

/* Appends the text of an id, with a space after a word that is not the last. */
static void
add_text(const struct npu_bpe *v, uint32_t id, bool last, struct buf *out)
{
	char bytes[VOCAB_MOST_TOKEN];

	if (id < NPU_CLIP_START) {
		buf_add(out, bytes, vocab_spell(v, id, bytes));
	} else {
		if (out->n > 0 && out->p[out->n - 1] != ' ')
			buf_puts(out, " ");
		buf_puts(out, words_mark(id));
	}
	if (!last && vocab_final(v, id))
		buf_puts(out, " ");
}

int
npu_decode(struct npu_tokenizer *tokenizer, const int32_t *id, size_t n,
    const char **text, size_t *bytes, struct npu_err *err)
{
	struct buf *out;
	int rc;

	if ((rc = npu_need(tokenizer, "npu_decode(): tokenizer", err)) < 0 ||
	    (n > 0 && (rc = npu_need(id, "npu_decode(): id", err)) < 0) ||
	    (rc = npu_need(text, "npu_decode(): text", err)) < 0 ||
	    (rc = npu_need(bytes, "npu_decode(): bytes", err)) < 0)
		return rc;
	out = &tokenizer->clean;
	for (size_t i = 0; i < n; i++)
		if ((rc = check_id(id[i], i + 1, err)) < 0)
			return rc;
	tokenizer_shrink(&tokenizer->clean);
	tokenizer_shrink(&tokenizer->text);
	strip(&id, &n);
	buf_clear(out);
	for (size_t i = 0; i < n; i++)
		add_text(tokenizer->bpe, (uint32_t)id[i], i + 1 == n, out);
	buf_reserve(out, 1);	/* an empty text needs an address */
	if (out->failed || !text_valid(out->p, out->n, &tokenizer->text))
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	*text = tokenizer->text.p != NULL ? tokenizer->text.p : "";
	*bytes = tokenizer->text.n;
	return 0;
}
