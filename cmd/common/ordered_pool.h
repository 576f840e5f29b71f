/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records through threads: what they become is written in the order in which
 * they came, and so are the words on stderr.  One thread reads, adds and
 * writes; the others work on batches of records.
 */
#ifndef CMD_ORDERED_POOL_H
#define CMD_ORDERED_POOL_H

#include "cmd.h"

/* Most threads: what a machine of the kind has at most, and more. */
#define INORDER_THREADS 256

struct pool_record {
	const char *name;	/* where it is from: "stdin"; NULL: what is
				   said of it says so itself */
	const char *unit;	/* "line" */
	uint64_t number;
	const char *p;		/* n bytes, aligned to 8 */
	size_t n;
	bool raw;		/* not text; between adding and work */
};

/*
 * What is done with a record: what it becomes is added to *out, and lines for
 * the user, each with a NUL at its end, to *notes.  False after writing *err:
 * the program dies of it when all before this record is written, and nothing
 * after it is.  worker is one of those given: never in two threads at once.
 * It must neither print nor exit.
 */
struct inorder_job {
	bool (*work)(void *worker, const struct pool_record *r, struct buf *out,
	    struct buf *notes, struct npu_err *err);
	void *const *worker;	/* as many as threads */
	unsigned threads;	/* 1: the caller's own */
	size_t records;		/* most in a batch, 1 to 256 */
	bool loud;		/* notes are warnings: -q does not silence
				   them */
};

struct inorder;

/* What the argument of -j means; 0 is as many as there are processors. */
unsigned inorder_threads(const char *arg);

/* out, job->worker: the caller's, until inorder_close().  Dies. */
struct inorder *inorder_open(struct output *out,
    const struct inorder_job *job);
/* Copies r->p; name and unit must last until inorder_flush(). */
void inorder_add(struct inorder *o, const struct pool_record *r);
/* Nothing is held back any longer, until the next inorder_add(). */
void inorder_flush(void *o);
/* Drops what was not written; NULL is allowed. */
void inorder_close(struct inorder *o);

#endif
