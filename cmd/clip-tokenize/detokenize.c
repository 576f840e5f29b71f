// SPDX-License-Identifier: Apache-2.0
/* detokenize.c - converts ids, in lines or in tensors, back to texts. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "detokenize.h"

enum { MOST_PAYLOAD = 64 << 20 };

static bool
reserve(struct detokenizer *u, size_t n)
{
	size_t cap = n < 128 ? 128 : n * 2;
	int32_t *id;

	if (n <= u->cap)
		return true;
	if ((id = realloc(u->id, cap * sizeof(*id))) == NULL)
		return false;
	u->id = id;
	u->cap = cap;
	return true;
}

void
detokenizer_free(struct detokenizer *u)
{
	free(u->id);
	*u = (struct detokenizer){ 0 };
}

/* ---- One text ---------------------------------------------------------- */

static bool
is_separator(char c)
{
	return c == ' ' || c == ',' || c == '\t' || c == '\r';
}

/* Parses the decimal number at *p into *v, and advances *p.  False if *p is not
 * a number that a separator (is_separator()) or the end follows. */
static bool
parse_number(const char **p, const char *end, int32_t *v)
{
	const char *s = *p;
	int32_t n = 0;

	while (s < end && *s >= '0' && *s <= '9' && n < 1000000)
		n = n * 10 + (*s++ - '0');
	if (s == *p || (s < end && !is_separator(*s)))
		return false;
	*p = s;
	*v = n;
	return true;
}

/* Sets *err and returns false.  The message quotes the beginning of the word;
 * bytes that are not printable ASCII are shown as '?'. */
static bool
refuse_word(size_t i, const char *p, const char *end, struct npu_err *err)
{
	char word[24];
	size_t n = 0;

	while (n + 1 < sizeof(word) && p + n < end && !is_separator(p[n])) {
		word[n] = '?';
		if (p[n] > ' ' && p[n] <= '~')
			word[n] = p[n];
		n++;
	}
	word[n] = '\0';
	npu_fail(err, NPU_EFORMAT, "word %zu, '%s'%s, is not an id from 0 to "
	    "%d", i, word, p + n < end && !is_separator(p[n]) ? "..." : "",
	    NPU_CLIP_END);
	return false;
}

static bool
read_ids(struct detokenizer *u, const char *p, const char *end,
    struct npu_err *err)
{
	for (u->n = 0;;) {
		while (p < end && is_separator(*p))
			p++;
		if (p == end)
			return true;
		if (!reserve(u, u->n + 1)) {
			npu_fail(err, NPU_ESYSTEM, "out of memory");
			return false;
		}
		if (!parse_number(&p, end, &u->id[u->n]))
			return refuse_word(u->n + 1, p, end, err);
		u->n++;
	}
}

bool
detokenize(void *worker, const struct text_record *r, struct buf *out,
    struct buf *notes, struct npu_err *err)
{
	struct detokenizer *u = worker;
	const int32_t *id = (const void *)r->p;
	size_t ids = r->n / sizeof(*id), bytes;
	const char *text;

	(void)notes;
	if (!r->raw) {
		if (!read_ids(u, r->p, r->p + r->n, err))
			return false;
		id = u->id;
		ids = u->n;
	}
	if (npu_decode(u->tokenizer, id, ids, &text, &bytes, err) < 0)
		return false;
	buf_add(out, text, bytes);
	buf_add(out, &u->delimiter, 1);
	return true;
}

/* ---- Labelled tensors -------------------------------------------------- */

/* A stream of labelled tensors. */
struct tensors {
	struct lines *l;
	struct text_pool *o;
	uint64_t number;		/* the current tensor, from 1 */
	struct buf payload;
};

static _Noreturn void
refuse(const struct tensors *s, const char *reason)
{
	text_pool_flush(s->o);
	if (s->l->err.code != 0)
		reason = s->l->err.msg;
	cmd_die("%s: tensor %llu: %s", s->l->name,
	    (unsigned long long)s->number, reason);
}

static bool
read_label(struct tensors *s, struct npu_label *label)
{
	uint8_t bytes[NPU_LABEL_SIZE];
	size_t got = lines_read(s->l, bytes, sizeof(bytes));
	struct npu_err err;

	if (got == 0)
		return false;
	s->number++;
	if (got < sizeof(bytes))
		refuse(s, "cut within its label");
	if (npu_label_decode(bytes, label, &err) < 0)
		refuse(s, err.msg);
	return true;
}

static void
read_payload(struct tensors *s, const struct npu_tensor *t)
{
	char reason[200];
	size_t got;
	void *p;

	if (t->dtype != NPU_S32 || t->size > MOST_PAYLOAD) {
		char what[120];

		npu_tensor_format(t, what, sizeof(what));
		snprintf(reason, sizeof(reason), "%s, expected ids: s32, at "
		    "most %d bytes", what, MOST_PAYLOAD);
		refuse(s, reason);
	}
	buf_clear(&s->payload);
	if ((p = buf_reserve(&s->payload, (size_t)t->size)) == NULL)
		cmd_die("out of memory");
	got = s->payload.n = lines_read(s->l, p, (size_t)t->size);
	if (got < t->size) {
		snprintf(reason, sizeof(reason), "cut after %zu of %llu bytes",
		    got, (unsigned long long)t->size);
		refuse(s, reason);
	}
}

/* Adds each row of the tensor as a text; the last dimension is the length of a
 * row. */
static void
add_rows(struct tensors *s, const struct npu_tensor *t)
{
	size_t row = t->ndim == 0 ? s->payload.n :
	    t->dim[t->ndim - 1] * sizeof(int32_t);

	if (row == 0)
		refuse(s, "no ids in it");
	for (size_t i = 0; i + row <= s->payload.n; i += row)
		text_pool_add(s->o, &(struct text_record){ .name = s->l->name,
		    .unit = "tensor", .number = s->number, .raw = true,
		    .p = s->payload.p + i, .n = row });
}

bool
detokenize_labelled(struct lines *l)
{
	const char *p = lines_peek(l, 1);

	/* Look at one byte first: a line of ids may be shorter than the magic
	 * number, but does not begin with its letter. */
	return p != NULL && *p == *NPU_LABEL_MAGIC &&
	    (p = lines_peek(l, 8)) != NULL &&
	    memcmp(p, NPU_LABEL_MAGIC, 8) == 0;
}

void
detokenize_tensors(struct lines *l, struct text_pool *o)
{
	struct tensors s = { .l = l, .o = o };
	struct npu_label label;

	while (read_label(&s, &label)) {
		read_payload(&s, &label.tensor);
		add_rows(&s, &label.tensor);
	}
	buf_free(&s.payload);
}
