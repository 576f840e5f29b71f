/* SPDX-License-Identifier: Apache-2.0 */
/* clip-tokenize -D. */
#ifndef CLIP_TOKENIZE_DETOKENIZE_H
#define CLIP_TOKENIZE_DETOKENIZE_H

#include "lines.h"
#include "text_pool.h"

/* One thread's. */
struct untokenizer {
	struct npu_tokenizer *tokenizer;	/* the caller's */
	char delimiter;			/* after a text */
	int32_t *id;			/* owned; untokenizer_free() */
	size_t n, cap;			/* ids */
};

/*
 * The work of struct text_pool_spec, worker being a struct untokenizer: a text
 * for a line of ids, or, if it is raw, for the ids of a row of a tensor.
 */
bool untokenize(void *worker, const struct text_record *r, struct buf *out,
    struct buf *notes, struct npu_err *err);
void untokenizer_free(struct untokenizer *u);

/* Whether a stream begins with a label. */
bool untokenize_labelled(struct lines *l);
/* Adds the rows of all tensors of l to o, each as a record. */
void untokenize_tensors(struct lines *l, struct text_pool *o);

#endif
