/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many texts at a time through threads.  Results and the lines on stderr come
 * in the order of the texts.
 */
#ifndef CLIP_TOKENIZE_TEXT_POOL_H
#define CLIP_TOKENIZE_TEXT_POOL_H

#include "clip/token_row.h"

struct text_pool_spec {
	/*
	 * Adds what a text becomes to *out, and lines for the user, each with
	 * a NUL at its end, to *notes.  False with *err set: the program
	 * dies of it once all before this text is written, and nothing after
	 * it is.  worker is one of those below, never in two threads at once.
	 * Neither prints nor exits.
	 */
	bool (*work)(void *worker, const struct text_record *r,
	    struct buf *out, struct buf *notes, struct npu_err *err);
	void *const *worker;	/* as many as threads */
	unsigned threads;	/* 1: the caller's own */
	size_t records;		/* most in a batch, 1 to 256 */
};

struct text_pool;

/* out and spec->worker stay the caller's until text_pool_close().  Dies. */
struct text_pool *text_pool_open(struct output *out,
    const struct text_pool_spec *spec);
/* Copies r->p; r->name and r->unit must last until text_pool_flush(). */
void text_pool_add(struct text_pool *p, const struct text_record *r);
/* Writes all that was added; arg is a struct text_pool. */
void text_pool_flush(void *arg);
/* Drops what was not written; NULL is allowed. */
/* Says with -v how many texts were written; may_drop: and how many of them have
 * a note. */
void text_pool_detail(const struct text_pool *p, bool may_drop);
void text_pool_close(struct text_pool *p);

#endif
