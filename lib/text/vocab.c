// SPDX-License-Identifier: Apache-2.0
/*
 * Reads bpe_simple_vocab_16e6.txt: a line "#version: 0.2" (in OpenAI's file
 * after a name), then one merge of two tokens on each line.  A token is written
 * as one character for each byte (bytes_to_unicode() of simple_tokenizer.py),
 * and "</w>" follows the last character of a word.  Lines after the last merge
 * are not read, as in the original.
 */
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/utf8.h"
#include "text/vocab.h"

enum {
	MOST_LINE = 2048,
	CHARACTERS = 256 + 68,	/* 68 bytes are written from U+0100 on */
	NAMES = 1 << 17,
};

struct token {
	uint8_t p[VOCAB_MOST_TOKEN];
	size_t n;
	bool final;
};

/* Used only while a vocabulary is read. */
struct vocab_reader {
	struct npu_bpe *v;
	uint32_t tokens;		/* number so far */
	char *bytes;			/* owned; bytes of all tokens, one after
					 * another */
	uint32_t start[VOCAB_TOKENS + 1];	/* a token's offset in bytes */
	uint8_t final[VOCAB_TOKENS];	/* 1: the token ends a word */
	uint16_t name[NAMES];		/* tokens by text, id + 1; 0 is empty */
	uint16_t byte_of[CHARACTERS];	/* VOCAB_NONE: not a byte */
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

/* Returns the slot of t, or the empty slot for t. */
static uint16_t *
name_find(struct vocab_reader *r, const struct token *t)
{
	uint32_t i = name_hash(t);

	for (; r->name[i] != 0; i = (i + 1) % NAMES) {
		uint32_t id = r->name[i] - 1u;
		size_t n = r->start[id + 1] - r->start[id];

		if (n == t->n && r->final[id] == t->final &&
		    memcmp(r->bytes + r->start[id], t->p, n) == 0)
			break;
	}
	return &r->name[i];
}

/* Assigns the next id to t, in the slot place, which name_find() returned. */
static void
name_add(struct vocab_reader *r, const struct token *t, uint16_t *place)
{
	uint32_t id = r->tokens++;

	memcpy(r->bytes + r->start[id], t->p, t->n);
	r->start[id + 1] = r->start[id] + (uint32_t)t->n;
	r->final[id] = t->final;
	*place = (uint16_t)(id + 1);
}

/* Returns whether Latin-1 prints a byte as itself; these bytes come first. */
static bool
printable(unsigned b)
{
	return (b >= 33 && b <= 126) || (b >= 161 && b <= 255 && b != 173);
}

static void
add_bytes(struct vocab_reader *r)
{
	unsigned b, character = 256, id = 0;

	memset(r->v->bytes, 0xff, sizeof(r->v->bytes));	/* VOCAB_NONE */
	for (b = 0; b < CHARACTERS; b++)
		r->byte_of[b] = VOCAB_NONE;
	for (b = 0; b < 256; b++)
		if (printable(b))
			r->v->byte_id[b] = (uint16_t)id++;
	for (b = 0; b < 256; b++) {
		if (!printable(b))
			r->v->byte_id[b] = (uint16_t)id++;
		r->byte_of[printable(b) ? b : character++] = (uint16_t)b;
		r->v->byte_of[r->v->byte_id[b]] = (uint8_t)b;
	}
	for (id = 0; id < 512; id++) {
		struct token t = { .n = 1, .final = id >= 256 };

		t.p[0] = r->v->byte_of[id % 256];
		name_add(r, &t, name_find(r, &t));
	}
}

/* ---- Lines ------------------------------------------------------------- */

/* Reads the next line of *text, without its end, and moves *text past it. */
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

/* Converts the field s to the bytes that it represents. */
static bool
read_token(const struct vocab_reader *r, struct bytes s, struct token *t)
{
	size_t i = 0, len;
	uint32_t c;

	t->final = s.n > 4 && memcmp(s.p + s.n - 4, "</w>", 4) == 0;
	if (t->final)
		s.n -= 4;
	for (t->n = 0; i < s.n && t->n < VOCAB_MOST_TOKEN; i += len) {
		len = utf8_decode((const char *)s.p + i, s.n - i, &c);
		if (len == 0 || c >= CHARACTERS || r->byte_of[c] == VOCAB_NONE)
			return false;
		t->p[t->n++] = (uint8_t)r->byte_of[c];
	}
	return i == s.n && t->n > 0;
}

/* Reads the field s of a line as a token and finds its id. */
static int
read_half(struct vocab_reader *r, struct bytes s, struct token *t, uint16_t *id,
    struct npu_err *err)
{
	uint16_t *place;

	if (!read_token(r, s, t))
		return npu_fail(err, NPU_EFORMAT, "a field of %zu bytes is not "
		    "a token: 1 to %d of the 256 characters that stand for "
		    "bytes", s.n, VOCAB_MOST_TOKEN);
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
	uint32_t h = vocab_hash(left, right), i = vocab_slot(h);

	v->sieve[h / 64] |= UINT64_C(1) << h % 64;
	while (v->slot[i] != 0)
		i = (i + 1) % VOCAB_SLOTS;
	v->slot[i] = (uint64_t)left << 32 | (uint64_t)right << 16 | merged;
	v->half[merged] = (uint32_t)left << 16 | right;
	if (left < 256 && right < 256)
		v->bytes[v->byte_of[left]][v->byte_of[right]] =
		    (uint16_t)merged;
}

static int
read_merge(struct vocab_reader *r, struct bytes line, struct npu_err *err)
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
	if (left.final || left.n + right.n > VOCAB_MOST_TOKEN)
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

static int
read_lines(struct vocab_reader *r, struct bytes text, struct npu_err *err)
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
	return 0;
}

int
vocab_read(struct npu_bpe *v, struct bytes text, struct npu_err *err)
{
	/* Each merge's line spells its token, so the text is longer than all
	 * tokens together. */
	size_t room = 512 + text.n;
	struct vocab_reader *r = calloc(1, sizeof(*r));
	int rc;

	if (r == NULL || (r->bytes = malloc(room)) == NULL) {
		free(r);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	r->v = v;
	add_bytes(r);
	rc = read_lines(r, text, err);
	free(r->bytes);
	free(r);
	if (rc < 0)
		return rc;
	SHA256Data(text.p, text.n, v->sha256);
	word_table_fill(v);
	return 0;
}
