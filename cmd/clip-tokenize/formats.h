/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of one text: its ids in each format, or the text cleaned. */
#ifndef CLIP_TOKENIZE_FORMATS_H
#define CLIP_TOKENIZE_FORMATS_H

#include "base/json.h"
#include "clip/token_row.h"

enum tokenize_format { TENSOR, IDS, JSONL, TOKENS, COUNT, CLEAN };

/* Options; the same for all threads. */
struct tokenize_options {
	const struct npu_bpe *bpe;
	enum tokenize_format format;
	struct token_limit limit;	/* COUNT: none, SIZE_MAX */
	bool strict;			/* what is not UTF-8 is an error */
	bool plain;			/* marks in a text are plain text */
	char delimiter;			/* after a cleaned text */
	uint8_t label[NPU_LABEL_SIZE];	/* of a row */
	size_t label_size;		/* 0: rows without labels */
};

/* One thread's. */
struct tokenizer {
	const struct tokenize_options *options;
	struct npu_tokenizer *tokenizer;	/* owned */
	struct buf valid;
	struct json json;
};

/* Fills options->label from the limit. */
void tokenize_label(struct tokenize_options *options);
/* Records in a batch, so that the size of its output is bounded. */
size_t tokenize_records(const struct tokenize_options *options);

void tokenizer_open(struct tokenizer *t,
    const struct tokenize_options *options);
void tokenizer_close(struct tokenizer *t);

/* Adds a text's output to *out, and a line for the user with its NUL to
 * *notes; worker is a struct tokenizer.  False after writing *err. */
bool tokenize(void *worker, const struct text_record *r, struct buf *out,
    struct buf *notes, struct npu_err *err);

#endif
