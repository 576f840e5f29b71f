// SPDX-License-Identifier: Apache-2.0
/*
 * Reading bpe_simple_vocab_16e6.txt: a line "#version: 0.2" (in OpenAI's file
 * after a name), then a merge a line, two tokens.  A token is written as one
 * character for each byte (bytes_to_unicode() of simple_tokenizer.py), "</w>"
 * behind the last of a word.  Lines past the last merge are not read, as
 * there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/utf8.h"
#include "text/gunzip.h"
#include "text/vocab.h"

enum {
	MOST_TOKEN = 256,	/* bytes; CLIP's longest has 37 */
	MOST_LINE = 2048,
	MOST_FILE = 64 << 20,	/* OpenAI's has 3.2 MB */
	CHARACTERS = 256 + 68,	/* 68 bytes are written from U+0100 on */
	NAMES = 1 << 17,
};

struct token {
	uint8_t p[MOST_TOKEN];
	size_t n;
	bool final;
};

/* What is needed only while a vocabulary is read. */
struct reader {
	struct npu_bpe *v;
	uint32_t tokens;		/* so far */
	uint16_t name[NAMES];		/* tokens by text, id + 1; 0 is empty */
	uint16_t byte_of[CHARACTERS];	/* VOCAB_NONE: of no byte */
};

/* ---- Tokens by their text ---------------------------------------------- */

static uint32_t
name_hash(const struct token *t)
{
	uint32_t h = 2166136261u + t->final;	/* FNV-1a */

	for (size_t i = 0; i < t->n; i++)
		h = (h ^ t->p[i]) * 16777619u;
	return (h ^ h >> 15) % NAMES;
}

/* Where t is, or the empty place where it would be. */
static uint16_t *
name_find(struct reader *r, const struct token *t)
{
	const struct npu_bpe *v = r->v;
	uint32_t i = name_hash(t);

	for (; r->name[i] != 0; i = (i + 1) % NAMES) {
		uint32_t id = r->name[i] - 1u;
		size_t n = v->start[id + 1] - v->start[id];

		if (n == t->n && v->final[id] == t->final &&
		    memcmp(v->bytes + v->start[id], t->p, n) == 0)
			break;
	}
	return &r->name[i];
}

/* Gives t the next id, at place, which name_find() answered. */
static void
name_add(struct reader *r, const struct token *t, uint16_t *place)
{
	struct npu_bpe *v = r->v;
	uint32_t id = r->tokens++;

	memcpy(v->bytes + v->start[id], t->p, t->n);
	v->start[id + 1] = v->start[id] + (uint32_t)t->n;
	v->final[id] = t->final;
	*place = (uint16_t)(id + 1);
}

/* Bytes that are printed as themselves in Latin-1, and come first. */
static bool
printable(unsigned b)
{
	return (b >= 33 && b <= 126) || (b >= 161 && b <= 255 && b != 173);
}

static void
add_bytes(struct reader *r)
{
	unsigned b, character = 256, id = 0;

	for (b = 0; b < CHARACTERS; b++)
		r->byte_of[b] = VOCAB_NONE;
	for (b = 0; b < 256; b++)
		if (printable(b))
			r->v->byte_id[b] = (uint16_t)id++;
	for (b = 0; b < 256; b++) {
		if (!printable(b))
			r->v->byte_id[b] = (uint16_t)id++;
		r->byte_of[printable(b) ? b : character++] = (uint16_t)b;
	}
	for (id = 0; id < 512; id++) {
		struct token t = { .n = 1, .final = id >= 256 };

		for (b = 0; r->v->byte_id[b] != id % 256; b++)
			continue;
		t.p[0] = (uint8_t)b;
		name_add(r, &t, name_find(r, &t));
	}
}

/* ---- Lines ------------------------------------------------------------- */

/* The next line of *text, which moves past it, without its end. */
static bool
next_line(struct bytes *text, struct bytes *line)
{
	const uint8_t *end;
	size_t n;

	if (text->n == 0)
		return false;
	end = memchr(text->p, '\n', text->n);
	n = end != NULL ? (size_t)(end - text->p) : text->n;
	*line = (struct bytes){ text->p, n };
	n += end != NULL;
	*text = (struct bytes){ text->p + n, text->n - n };
	if (line->n > 0 && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}

/* The bytes that the field s stands for. */
static bool
read_token(const struct reader *r, struct bytes s, struct token *t)
{
	size_t i = 0, len;
	uint32_t c;

	t->final = s.n > 4 && memcmp(s.p + s.n - 4, "</w>", 4) == 0;
	if (t->final)
		s.n -= 4;
	for (t->n = 0; i < s.n && t->n < MOST_TOKEN; i += len) {
		len = utf8_decode((const char *)s.p + i, s.n - i, &c);
		if (len == 0 || c >= CHARACTERS || r->byte_of[c] == VOCAB_NONE)
			return false;
		t->p[t->n++] = (uint8_t)r->byte_of[c];
	}
	return i == s.n && t->n > 0;
}

/* The id of the field s of a line, or a failure. */
static int
read_half(struct reader *r, struct bytes s, struct token *t, uint16_t *id,
    struct npu_err *err)
{
	uint16_t *place;

	if (!read_token(r, s, t))
		return npu_fail(err, NPU_EFORMAT, "a field of %zu bytes is not "
		    "a token: 1 to %d of the 256 characters that stand for "
		    "bytes", s.n, MOST_TOKEN);
	place = name_find(r, t);
	if (*place == 0)
		return npu_fail(err, NPU_EFORMAT,
		    "token '%.*s' is made by no line before", (int)s.n,
		    (const char *)s.p);
	*id = (uint16_t)(*place - 1);
	return 0;
}

static void
add_pair(struct npu_bpe *v, uint16_t left, uint16_t right, uint32_t merged)
{
	uint32_t i = vocab_hash(left, right);

	while (v->slot[i] != VOCAB_EMPTY)
		i = (i + 1) % VOCAB_SLOTS;
	v->slot[i] = (uint64_t)left << 32 | (uint64_t)right << 16 | merged;
}

static int
read_merge(struct reader *r, struct bytes line, struct npu_err *err)
{
	const uint8_t *space = memchr(line.p, ' ', line.n);
	struct token left, right;
	struct bytes a, b;
	uint16_t l, m, *place;
	int rc;

	if (line.n > MOST_LINE || space == NULL)
		return npu_fail(err, NPU_EFORMAT, "expected two tokens and one "
		    "space between, found %zu bytes%s", line.n,
		    space == NULL ? " without a space" : "");
	a = (struct bytes){ line.p, (size_t)(space - line.p) };
	b = (struct bytes){ space + 1, line.n - a.n - 1 };
	if ((rc = read_half(r, a, &left, &l, err)) < 0 ||
	    (rc = read_half(r, b, &right, &m, err)) < 0)
		return rc;
	if (left.final || left.n + right.n > MOST_TOKEN)
		return npu_fail(err, NPU_EFORMAT, left.final ?
		    "the left token ends a word" : "the token is too long");
	memcpy(left.p + left.n, right.p, right.n);
	left.n += right.n;
	left.final = right.final;
	place = name_find(r, &left);
	if (*place != 0)
		return npu_fail(err, NPU_EFORMAT,
		    "makes token %u a second time", *place - 1u);
	add_pair(r->v, l, m, r->tokens);
	name_add(r, &left, place);
	return 0;
}

/* Start and end: texts of their own, which no merge can make. */
static void
add_marks(struct npu_bpe *v)
{
	static const char *const marks[] = {
		"<|startoftext|>", "<|endoftext|>",
	};
	uint32_t id = NPU_CLIP_START;

	for (int i = 0; i < 2; i++, id++) {
		size_t n = strlen(marks[i]);

		memcpy(v->bytes + v->start[id], marks[i], n);
		v->start[id + 1] = v->start[id] + (uint32_t)n;
		v->final[id] = 1;
	}
}

static int
read_lines(struct reader *r, struct bytes text, struct npu_err *err)
{
	struct bytes line;
	int rc;

	if (!next_line(&text, &line) || line.n > MOST_LINE ||
	    memmem(line.p, line.n, "#version:", 9) == NULL)
		return npu_fail(err, NPU_EFORMAT, "line 1: expected "
		    "'#version: 0.2', the first line of CLIP's "
		    "bpe_simple_vocab_16e6.txt");
	for (uint32_t i = 0; i < VOCAB_MERGES; i++) {
		if (!next_line(&text, &line))
			return npu_fail(err, NPU_EFORMAT, "%u merges, expected "
			    "%d: the file is cut", i, VOCAB_MERGES);
		if ((rc = read_merge(r, line, err)) < 0)
			return npu_prefix(err, rc, "line %u", i + 2);
	}
	add_marks(r->v);
	return 0;
}

/* Gives back the room that the texts of the tokens did not need. */
static struct npu_bpe *
trim(struct npu_bpe *v)
{
	struct npu_bpe *t = realloc(v, sizeof(*v) + v->start[VOCAB_TOKENS]);

	return t != NULL ? t : v;
}

static int
read_vocab(struct npu_bpe **bpe, struct bytes text, struct npu_err *err)
{
	/* Each merge's line spells its token, so the text bounds them all. */
	size_t room = 512 + text.n + 64;
	struct reader *r = calloc(1, sizeof(*r));
	int rc;

	if (r == NULL || (r->v = malloc(sizeof(*r->v) + room)) == NULL) {
		free(r);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	memset(r->v->slot, 0xff, sizeof(r->v->slot));
	r->v->start[0] = 0;
	add_bytes(r);
	rc = read_lines(r, text, err);
	if (rc < 0)
		free(r->v);
	else
		*bpe = trim(r->v);
	free(r);
	return rc;
}

int
npu_bpe_open(struct npu_bpe **bpe, const void *file, size_t n,
    struct npu_err *err)
{
	struct bytes in = { file, n };
	struct buf text = { 0 };
	int rc;

	if (n > MOST_FILE)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes, more than %d: "
		    "not a vocabulary of CLIP", n, MOST_FILE);
	if (!is_gzip(in))
		return read_vocab(bpe, in, err);
	rc = gunzip(in, MOST_FILE, &text, err);
	if (rc == 0)
		rc = read_vocab(bpe, (struct bytes){ (uint8_t *)text.p,
		    text.n }, err);
	buf_free(&text);
	return rc;
}

void
npu_bpe_close(struct npu_bpe *bpe)
{
	free(bpe);
}
