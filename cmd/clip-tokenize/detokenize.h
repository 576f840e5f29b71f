/* SPDX-License-Identifier: Apache-2.0 */
/* Converts token ids back to texts: clip-tokenize -D. */
#ifndef CLIP_TOKENIZE_DETOKENIZE_H
#define CLIP_TOKENIZE_DETOKENIZE_H

#include "lines.h"
#include "text_pool.h"

/* The state of one thread. */
struct detokenizer {
	struct npu_tokenizer *tokenizer;	/* owned by the caller */
	char delimiter;			/* written after each text */
	int32_t *id;			/* owned; detokenizer_free() */
	size_t n, cap;			/* ids in id, and room in id */
};

/*
 * A work function of struct text_pool_spec; worker is a struct detokenizer.
 * Adds the text of a record to *out.  The record is a line of decimal ids or,
 * if r->raw is set, a row of a tensor.
 */
bool detokenize(void *worker, const struct text_record *r, struct buf *out,
    struct buf *notes, struct npu_err *err);
void detokenizer_free(struct detokenizer *u);

/* Returns true if the stream begins with a label of a tensor. */
bool detokenize_labelled(struct lines *l);
/* Reads all tensors of l, and adds each row to o as a record.  Dies if the
 * stream is not valid. */
void detokenize_tensors(struct lines *l, struct text_pool *o);

#endif
