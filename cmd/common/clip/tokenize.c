// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "text/clean.h"
#include "tokenize.h"

enum {
	SHOWN = 200,		/* bytes of a dropped text in a message */
	BATCH_BYTES = 1 << 17,	/* of rows */
	MOST_RECORDS = 256,
	DIGITS = 10,		/* of a count of ids, which is below 2^32 */
};

/* The ids of a text, start and end included. */
struct ids {
	const int32_t *id;	/* the tokenizer's */
	size_t n;
	size_t kept;		/* of them; if not all, the last is the end */
};

void
tokenize_label(struct tokenize_how *how)
{
	struct npu_label l = { .count = 1, .tensor = {
	    .dtype = NPU_S32, .ndim = 2, .dim = { 1, (uint32_t)how->length },
	    .scale = 1, .size = how->length * sizeof(int32_t) } };
	struct npu_err err;

	if (npu_label_encode(&l, how->label, &err) < 0)
		cmd_die_err(NULL, &err);
	how->label_size = sizeof(how->label);
}

size_t
tokenize_records(const struct tokenize_how *how)
{
	size_t row = how->label_size + how->length * sizeof(int32_t);
	size_t n = how->format == TENSOR ? BATCH_BYTES / row : MOST_RECORDS;

	return n < 1 ? 1 : n > MOST_RECORDS ? MOST_RECORDS : n;
}

void
tokenizer_open(struct tokenizer *t, const struct tokenize_how *how)
{
	struct npu_err err;

	*t = (struct tokenizer){ .how = how };
	if (npu_tokenizer_open(&t->tokenizer, how->bpe, &err) < 0)
		cmd_die_err(NULL, &err);
	npu_tokenizer_special(t->tokenizer, !how->plain);
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
kept_id(const struct ids *s, size_t i)
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
add_ids(struct buf *out, const struct ids *s, char between)
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
add_row(const struct tokenize_how *how, struct buf *out, const struct ids *s)
{
	size_t row = how->length * sizeof(*s->id);
	char *p = buf_reserve(out, how->label_size + row);

	if (p == NULL)
		return;
	memcpy(p, how->label, how->label_size);
	/* Labels and rows are multiples of 4 bytes: the row is aligned. */
	npu_clip_row(s->id, s->n, (int32_t *)(void *)(p + how->label_size),
	    how->length);
	out->n += how->label_size + row;
}

static void
add_tokens(const struct npu_bpe *bpe, struct buf *out, const struct ids *s)
{
	char token[NPU_TOKEN_SIZE];

	for (size_t i = 0; i < s->kept; i++) {
		/* Fails only for an invalid id, and these are valid. */
		npu_token(bpe, kept_id(s, i), token, NULL);
		if (i > 0)
			buf_add(out, " ", 1);
		buf_puts(out, token);
	}
}

static void
add_json(struct tokenizer *t, struct buf *out, const struct text_record *r,
    const struct ids *s)
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
    const struct ids *s)
{
	switch (t->how->format) {
	case TENSOR:
		add_row(t->how, out, s);
		return;
	case IDS: add_ids(out, s, ' '); break;
	case TOKENS: add_tokens(t->how->bpe, out, s); break;
	case JSONL: add_json(t, out, r, s); break;
	default: add_number(out, s->n);
	}
	buf_add(out, "\n", 1);
}

/* ---- Too many ids ------------------------------------------------------ */

/*
 * Characters that must not reach a terminal and may survive cleaning: controls
 * and those that change the direction of writing.
 */
static bool
talks_to_terminals(uint32_t c)
{
	return utf8_is_control(c) || c == 0x61c ||
	    c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	    (c >= 0x2066 && c <= 0x2069);
}

/* The beginning of a text: whole characters that may be displayed. */
static void
show(const char *text, size_t n, char shown[SHOWN + 4])
{
	size_t at = 0, i = 0, len;
	uint32_t c = 0;

	/* From npu_decode(), so it is UTF-8. */
	for (; i < n; i += len) {
		len = utf8_decode(text + i, n - i, &c);
		if (i + len > SHOWN)
			break;
		if (talks_to_terminals(c))
			shown[at++] = '?';
		for (size_t k = 0; k < len && !talks_to_terminals(c); k++)
			shown[at++] = text[i + k];
	}
	strcpy(shown + at, i < n ? "..." : "");
}

/*
 * The text of the ids from the given one on.  A token has at least one byte,
 * so no more of them are read than bytes are shown.  Invalidates *s.
 */
static bool
show_ids(struct tokenizer *t, const struct ids *s, size_t from,
    char shown[SHOWN + 4], struct npu_err *err)
{
	size_t ids = s->n - from < SHOWN ? s->n - from : SHOWN + 1, n;
	int32_t some[SHOWN + 2];
	const char *text;

	/* npu_decode() leaves out a start, but only the first one. */
	some[0] = NPU_CLIP_START;
	memcpy(some + 1, s->id + from, ids * sizeof(*some));
	if (npu_decode(t->tokenizer, some, ids + 1, &text, &n, err) < 0)
		return false;
	show(text, n, shown);
	return true;
}

/* The first id that is left out; a row's last id is the end. */
static size_t
first_over(const struct tokenizer *t)
{
	return t->how->overlong == SKIP ? 1 : t->how->length - 1;
}

static bool
refuse(struct tokenizer *t, const struct ids *s, struct npu_err *err)
{
	size_t limit = t->how->length;
	char shown[SHOWN + 4];

	if (show_ids(t, s, first_over(t), shown, err))
		npu_fail(err, NPU_EUSAGE, "%zu tokens, limit %zu (%zu of "
		    "text); shorten it%s; over it: %s", s->n, limit, limit - 2,
		    t->how->no_choice ? "" : ", or see --overlong", shown);
	return false;
}

static bool
add_note(struct tokenizer *t, struct buf *notes, const struct text_record *r,
    const struct ids *s, struct npu_err *err)
{
	char shown[SHOWN + 4];

	if (!show_ids(t, s, first_over(t), shown, err))
		return false;
	buf_printf(notes, "%s: %s %llu: %zu tokens, %s %zu; dropped: %s",
	    r->name, r->unit, (unsigned long long)r->number, s->n,
	    t->how->overlong == SKIP ? "left out for the limit of" : "cut to",
	    t->how->length, shown);
	buf_add(notes, "", 1);
	return true;
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
	buf_add(out, &t->how->delimiter, 1);
	return true;
}

static bool
check(const struct text_record *r, struct npu_err *err)
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
	const struct tokenize_how *how = t->how;
	struct ids s;

	if (how->strict && !check(r, err))
		return false;
	if (how->format == CLEAN)
		return add_clean(t, r, out, err);
	if (npu_encode(t->tokenizer, r->p, r->n, &s.id, &s.n, err) < 0)
		return false;
	s.kept = s.n;
	if (how->format == COUNT || s.n <= how->length) {
		add_text(t, out, r, &s);
		return true;
	}
	if (how->overlong == REFUSE)
		return refuse(t, &s, err);
	s.kept = how->length;
	if (how->overlong == TRUNCATE)
		add_text(t, out, r, &s);
	return how->quiet || add_note(t, notes, r, &s, err);
}
