/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a text to its ids in one of several formats, or to the cleaned text
 * that is split into words. */
#ifndef CLIP_TOKENIZE_FORMATS_H
#define CLIP_TOKENIZE_FORMATS_H

#include "base/json.h"
#include "clip/token_row.h"

enum tokenize_format { TENSOR, IDS, JSONL, TOKENS, COUNT, CLEAN };

/* The options, shared by all threads. */
struct tokenize_options {
	const struct npu_bpe *bpe;
	enum tokenize_format format;
	struct token_limit limit;	/* COUNT: length is SIZE_MAX */
	bool strict;			/* text that is not UTF-8 is an error */
	bool plain;			/* "<|endoftext|>" is plain text */
	char delimiter;			/* written after a cleaned text */
	uint8_t label[NPU_LABEL_SIZE];	/* the label of a row */
	size_t label_size;		/* 0: rows without labels */
};

/* The state of one thread. */
struct tokenizer {
	const struct tokenize_options *options;
	struct npu_tokenizer *tokenizer;	/* owned */
	struct buf valid;
	struct json json;
};

/* Sets options->label to the label of a row of limit.length ids. */
void tokenize_label(struct tokenize_options *options);
/* Returns the number of records in a batch.  With long rows it is smaller,
 * which bounds the size of a batch's output. */
size_t tokenize_records(const struct tokenize_options *options);

void tokenizer_open(struct tokenizer *t,
    const struct tokenize_options *options);
void tokenizer_close(struct tokenizer *t);

/* A work function of struct text_pool_spec; worker is a struct tokenizer.  Adds
 * the text's output to *out, and notes, if any, to *notes. */
bool tokenize(void *worker, const struct text_record *r, struct buf *out,
    struct buf *notes, struct npu_err *err);

#endif
