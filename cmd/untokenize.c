// SPDX-License-Identifier: Apache-2.0
/* untokenize.c - ids, as text or as tensors, back to texts. */
#include <stdlib.h>
#include <string.h>

#include "untokenize.h"

enum { MOST_PAYLOAD = 64 << 20 };

struct work {
	struct lines *l;
	struct npu_coder *coder;
	struct output *out;
	int32_t *id;			/* owned */
	size_t n, cap;			/* ids */
};

static _Noreturn void
refuse(const struct work *w, const char *unit, uint64_t number,
    const char *reason)
{
	cmd_die("%s: %s %llu: %s", w->l->name, unit,
	    (unsigned long long)number, reason);
}

static void
reserve(struct work *w, size_t n)
{
	if (n <= w->cap)
		return;
	w->cap = n < 128 ? 128 : n * 2;
	w->id = cmd_realloc(w->id, w->cap * sizeof(*w->id));
}

static void
write_text(struct work *w, const int32_t *id, size_t n, const char *unit,
    uint64_t number)
{
	struct npu_err err;
	const char *text;
	size_t bytes;

	if (npu_decode(w->coder, id, n, &text, &bytes, &err) < 0)
		refuse(w, unit, number, err.msg);
	if (bytes > 0)
		cmd_write(w->out, text, bytes);
	cmd_write(w->out, &w->l->delimiter, 1);
}

/* ---- Lines of ids ------------------------------------------------------ */

/* The number at *p, which ends with a space, a comma or the end. */
static bool
number(const char **p, const char *end, int32_t *v)
{
	const char *s = *p;
	int32_t n = 0;

	while (s < end && *s >= '0' && *s <= '9' && n < 1000000)
		n = n * 10 + (*s++ - '0');
	if (s == *p || (s < end && strchr(" \t\r,", *s) == NULL))
		return false;
	*p = s;
	*v = n;
	return true;
}

static void
read_ids(struct work *w, const char *p, const char *end)
{
	char reason[100];

	for (w->n = 0;;) {
		while (p < end && *p != '\0' && strchr(" \t\r,", *p) != NULL)
			p++;
		if (p == end)
			return;
		reserve(w, w->n + 1);
		if (number(&p, end, &w->id[w->n])) {
			w->n++;
			continue;
		}
		snprintf(reason, sizeof(reason), "word %zu is not an id from "
		    "0 to %d", w->n + 1, NPU_CLIP_END);
		refuse(w, lines_unit(w->l), w->l->number, reason);
	}
}

static void
do_lines(struct work *w)
{
	char *p;
	size_t n;

	while (lines_next(w->l, &p, &n)) {
		read_ids(w, p, p + n);
		write_text(w, w->id, w->n, lines_unit(w->l), w->l->number);
		if (lines_waiting(w->l))
			cmd_mark_record(w->out);
		else
			cmd_end_record(w->out);
	}
}

/* ---- Labelled tensors -------------------------------------------------- */

static void
read_payload(struct work *w, const struct npu_tensor *t, uint64_t number)
{
	char reason[200];
	size_t got;

	if (t->dtype != NPU_S32 || t->size > MOST_PAYLOAD) {
		char s[120];

		npu_tensor_format(t, s, sizeof(s));
		snprintf(reason, sizeof(reason), "%s, expected ids: s32, at "
		    "most %d bytes", s, MOST_PAYLOAD);
		refuse(w, "tensor", number, reason);
	}
	w->n = (size_t)t->size / sizeof(*w->id);
	reserve(w, w->n);
	got = lines_read(w->l, w->id, (size_t)t->size);
	if (got < t->size) {
		snprintf(reason, sizeof(reason), "cut after %zu of %llu bytes",
		    got, (unsigned long long)t->size);
		refuse(w, "tensor", number, reason);
	}
}

/* The last dimension is a row: a text. */
static void
do_tensors(struct work *w)
{
	uint8_t bytes[NPU_LABEL_SIZE];
	struct npu_label label;
	struct npu_err err;
	size_t got, row;

	for (uint64_t k = 1;; k++) {
		got = lines_read(w->l, bytes, sizeof(bytes));
		if (got == 0)
			return;
		if (got < sizeof(bytes))
			refuse(w, "tensor", k, "cut within its label");
		if (npu_label_decode(bytes, &label, &err) < 0)
			refuse(w, "tensor", k, err.msg);
		read_payload(w, &label.tensor, k);
		row = label.tensor.ndim == 0 ? w->n :
		    label.tensor.dim[label.tensor.ndim - 1];
		if (row == 0)
			refuse(w, "tensor", k, "no ids in it");
		for (size_t i = 0; i + row <= w->n; i += row)
			write_text(w, w->id + i, row, "tensor", k);
		cmd_end_record(w->out);
	}
}

void
untokenize(struct lines *l, struct npu_coder *coder, struct output *out)
{
	struct work w = { .l = l, .coder = coder, .out = out };
	const char *p = lines_peek(l, 1);

	/* A line of ids may be shorter than a magic, but has no letter. */
	if (p != NULL && *p == *NPU_LABEL_MAGIC &&
	    (p = lines_peek(l, 8)) != NULL &&
	    memcmp(p, NPU_LABEL_MAGIC, 8) == 0)
		do_tensors(&w);
	else
		do_lines(&w);
	free(w.id);
}
