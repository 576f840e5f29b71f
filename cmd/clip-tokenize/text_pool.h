/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes texts in several threads.  Results and notes are written in the
 * order of the texts.
 */
#ifndef CLIP_TOKENIZE_TEXT_POOL_H
#define CLIP_TOKENIZE_TEXT_POOL_H

#include "clip/token_row.h"

struct text_pool_spec {
	/*
	 * Processes a text: adds its result to *out, and notes for the user,
	 * each with a NUL at its end, to *notes.  If it fails, it sets *err and
	 * returns false: the results before this text are written, then the
	 * program dies with that error.  worker is an element of the array
	 * below, which only one thread uses at a time.  Must not print or
	 * exit.
	 */
	bool (*work)(void *worker, const struct text_record *r,
	    struct buf *out, struct buf *notes, struct npu_err *err);
	void *const *worker;	/* an element for each thread */
	unsigned threads;	/* 1: work in the caller's thread */
	size_t records;		/* maximum in a batch, 1 to 256 */
};

struct text_pool;

/* Starts the threads; dies on failure.  out and spec->worker must stay valid
 * until text_pool_close(). */
struct text_pool *text_pool_open(struct output *out,
    const struct text_pool_spec *spec);
/* Adds a text.  Copies r->p; r->name and r->unit must stay valid until
 * text_pool_flush(). */
void text_pool_add(struct text_pool *p, const struct text_record *r);
/* Waits for all results and writes them.  arg is a struct text_pool. */
void text_pool_flush(void *arg);
/* With -v, prints the number of texts written and, if may_drop is set, the
 * number of texts that were cut off or left out. */
void text_pool_detail(const struct text_pool *p, bool may_drop);
/* Ends the threads and frees *p.  Drops results that were not written; call
 * text_pool_flush() before.  p may be NULL. */
void text_pool_close(struct text_pool *p);

#endif
