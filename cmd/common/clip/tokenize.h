/* SPDX-License-Identifier: Apache-2.0 */
/* Tokenizes one text, for clip-tokenize. */
#ifndef CMD_CLIP_TOKENIZE_H
#define CMD_CLIP_TOKENIZE_H

#include "base/json.h"
#include "cmd.h"

enum tokenize_format { TENSOR, IDS, JSONL, TOKENS, COUNT, CLEAN };
enum tokenize_overlong { REFUSE, TRUNCATE, SKIP };

struct text_record {
	const char *name;	/* where it is from: "stdin" */
	const char *unit;	/* "line" */
	uint64_t number;
	const char *p;		/* n bytes, in work aligned to 8 */
	size_t n;
	bool raw;		/* not text; not used here */
};

/* Options; the same for all threads. */
struct tokenize_how {
	const struct npu_bpe *bpe;
	enum tokenize_format format;
	enum tokenize_overlong overlong;
	bool no_choice;			/* there is no --overlong to name */
	bool strict;			/* what is not UTF-8 is an error */
	bool plain;			/* marks in a text are plain text */
	bool quiet;			/* no notes */
	char delimiter;			/* after a cleaned text */
	size_t length;			/* ids in a row */
	uint8_t label[NPU_LABEL_SIZE];	/* of a row */
	size_t label_size;		/* 0: rows without labels */
};

/* One thread's. */
struct tokenizer {
	const struct tokenize_how *how;
	struct npu_tokenizer *tokenizer;	/* owned */
	struct buf valid;
	struct json json;
};

/* Fills how->label from how->length. */
void tokenize_label(struct tokenize_how *how);
/* Records in a batch, so that the size of its output is bounded. */
size_t tokenize_records(const struct tokenize_how *how);

void tokenizer_open(struct tokenizer *t, const struct tokenize_how *how);
void tokenizer_close(struct tokenizer *t);

/* Adds a text's output to *out, and a line for the user with its NUL to
 * *notes; worker is a struct tokenizer.  False after writing *err. */
bool tokenize(void *worker, const struct text_record *r, struct buf *out,
    struct buf *notes, struct npu_err *err);

#endif
