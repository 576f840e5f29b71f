/* SPDX-License-Identifier: Apache-2.0 */
/* clip-tokenize -D. */
#ifndef CLIP_TOKENIZE_DETOKENIZE_H
#define CLIP_TOKENIZE_DETOKENIZE_H

#include "lines.h"
#include "text_pool.h"

/* One thread's. */
struct detokenizer {
	struct npu_tokenizer *tokenizer;	/* the caller's */
	char delimiter;			/* after a text */
	int32_t *id;			/* owned; detokenizer_free() */
	size_t n, cap;			/* ids */
};

/*
 * The work of struct text_pool_spec, worker being a struct detokenizer: a text
 * for a line of ids, or, if it is raw, for the ids of a row of a tensor.
 */
bool detokenize(void *worker, const struct text_record *r, struct buf *out,
    struct buf *notes, struct npu_err *err);
void detokenizer_free(struct detokenizer *u);

/* Whether a stream begins with a label. */
bool detokenize_labelled(struct lines *l);
/* Adds the rows of all tensors of l to o, each as a record. */
void detokenize_tensors(struct lines *l, struct text_pool *o);

#endif
