// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "text/clean.h"
#include "formats.h"

enum {
	BATCH_BYTES = 1 << 17,	/* rows that a batch may produce */
	MOST_RECORDS = 256,
	DIGITS = 10,		/* digits of a number of ids, below 2^32 */
};

void
tokenize_label(struct tokenize_options *options)
{
	size_t n = options->limit.length;
	struct npu_label l = { .count = 1, .tensor = {
	    .dtype = NPU_S32, .ndim = 2, .dim = { 1, (uint32_t)n },
	    .scale = 1, .size = n * sizeof(int32_t) } };
	struct npu_err err;

	if (npu_label_encode(&l, options->label, &err) < 0)
		cmd_die_err(NULL, &err);
	options->label_size = sizeof(options->label);
}

size_t
tokenize_records(const struct tokenize_options *options)
{
	size_t n = MOST_RECORDS;

	if (options->format == TENSOR)
		n = BATCH_BYTES / (options->label_size +
		    options->limit.length * sizeof(int32_t));
	return n < 1 ? 1 : n > MOST_RECORDS ? MOST_RECORDS : n;
}

void
tokenizer_open(struct tokenizer *t, const struct tokenize_options *options)
{
	struct npu_err err;

	*t = (struct tokenizer){ .options = options };
	if (npu_tokenizer_open(&t->tokenizer, options->bpe, &err) < 0)
		cmd_die_err(NULL, &err);
	npu_tokenizer_special(t->tokenizer, !options->plain);
}

void
tokenizer_close(struct tokenizer *t)
{
	npu_tokenizer_close(t->tokenizer);
	buf_free(&t->valid);
	json_free(&t->json);
}

/* ---- Formats ----------------------------------------------------------- */

static int32_t
kept_id(const struct token_ids *s, size_t i)
{
	return i + 1 == s->kept && s->kept < s->n ? NPU_CLIP_END : s->id[i];
}

/* Writes v in decimal and returns its end. */
static char *
put_number(char *p, size_t v)
{
	size_t power = 10;
	char *end = p + 1;

	for (; v >= power; power *= 10)
		end++;
	for (p = end; ; v /= 10) {
		*--p = (char)('0' + v % 10);
		if (v < 10)
			return end;
	}
}

static void
add_number(struct buf *out, size_t v)
{
	char *p = buf_reserve(out, DIGITS);

	if (p != NULL)
		out->n = (size_t)(put_number(p, v) - out->p);
}

static void
add_ids(struct buf *out, const struct token_ids *s, char between)
{
	char *p = buf_reserve(out, s->kept * (DIGITS + 1));

	if (p == NULL)
		return;
	for (size_t i = 0; i < s->kept; i++) {
		if (i > 0)
			*p++ = between;
		p = put_number(p, (size_t)kept_id(s, i));
	}
	out->n = (size_t)(p - out->p);
}

static void
add_tokens(const struct npu_bpe *bpe, struct buf *out,
    const struct token_ids *s)
{
	char token[NPU_TOKEN_SIZE];

	for (size_t i = 0; i < s->kept; i++) {
		/* Cannot fail: the ids are valid. */
		npu_token(bpe, kept_id(s, i), token, NULL);
		if (i > 0)
			buf_add(out, " ", 1);
		buf_puts(out, token);
	}
}

static void
add_json(struct tokenizer *t, struct buf *out, const struct text_record *r,
    const struct token_ids *s)
{
	const char *text = r->p;
	size_t n = r->n;
	struct json *o = &t->json;

	if (npu_utf8_valid(text, n) < n) {
		out->failed |= !text_valid(text, n, &t->valid);
		text = t->valid.p;
		n = t->valid.n;
	}
	buf_clear(&o->out);
	o->comma = false;
	json_strn(o, text, n);
	out->failed |= o->out.failed;
	buf_puts(out, "{\"text\":");
	buf_add(out, o->out.p, o->out.n);
	buf_puts(out, ",\"ids\":[");
	add_ids(out, s, ',');
	buf_puts(out, "],\"n\":");
	add_number(out, s->n);
	buf_puts(out, ",\"truncated\":");
	buf_puts(out, s->kept < s->n ? "true}" : "false}");
}

static void
add_text(struct tokenizer *t, struct buf *out, const struct text_record *r,
    const struct token_ids *s)
{
	switch (t->options->format) {
	case TENSOR:
		buf_add(out, t->options->label, t->options->label_size);
		token_ids_add_row(s, &t->options->limit, out);
		return;
	case IDS: add_ids(out, s, ' '); break;
	case TOKENS: add_tokens(t->options->bpe, out, s); break;
	case JSONL: add_json(t, out, r, s); break;
	default: add_number(out, s->n);
	}
	buf_add(out, "\n", 1);
}

/* ---- One text ---------------------------------------------------------- */

static bool
add_clean(struct tokenizer *t, const struct text_record *r, struct buf *out,
    struct npu_err *err)
{
	const char *text;
	size_t n;

	if (npu_clean(t->tokenizer, r->p, r->n, &text, &n, err) < 0)
		return false;
	buf_add(out, text, n);
	buf_add(out, &t->options->delimiter, 1);
	return true;
}

static bool
check_utf8(const struct text_record *r, struct npu_err *err)
{
	size_t n = npu_utf8_valid(r->p, r->n);

	if (n == r->n)
		return true;
	npu_fail(err, NPU_EFORMAT, "not UTF-8: byte 0x%02x at offset %zu",
	    (unsigned)(unsigned char)r->p[n], n);
	return false;
}

bool
tokenize(void *worker, const struct text_record *r, struct buf *out,
    struct buf *notes, struct npu_err *err)
{
	struct tokenizer *t = worker;
	const struct tokenize_options *options = t->options;
	struct token_ids s;

	if (options->strict && !check_utf8(r, err))
		return false;
	if (options->format == CLEAN)
		return add_clean(t, r, out, err);
	if (!token_ids_read(t->tokenizer, &options->limit, r, &s, err))
		return false;
	if (s.kept > 0)
		add_text(t, out, r, &s);
	return token_ids_note(&s, t->tokenizer, &options->limit, r, notes, err);
}
