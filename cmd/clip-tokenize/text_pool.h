/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts through threads, many at a time: what they become is written in the
 * order in which they came, and so are the lines on stderr.
 */
#ifndef CLIP_TOKENIZE_TEXT_POOL_H
#define CLIP_TOKENIZE_TEXT_POOL_H

#include "clip/tokenize.h"

struct text_pool_spec {
	/*
	 * Adds what a text becomes to *out, and lines for the user, each with
	 * a NUL at its end, to *notes.  False after writing *err: the program
	 * dies of it when all before this text is written, and nothing after
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
void text_pool_close(struct text_pool *p);

#endif
