/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index file as clip-embed fills it: what it holds already is not made
 * again, and what it holds under another name is only given the new one.
 */
#ifndef CLIP_EMBED_INDEX_WRITER_H
#define CLIP_EMBED_INDEX_WRITER_H

#include <pthread.h>

#include "clip/clip_run.h"
#include "store/index.h"

struct indexed {
	const char *path;		/* NULL: none is wanted */
	struct index *index;
	pthread_mutex_t lock;		/* of index: decoding threads ask */
	float *found;			/* owned: what they found */
	uint64_t made, renamed, known;
};

/* Opens it for vectors of c's, or dies of what does not agree. */
void indexed_open(struct indexed *x, struct clip *c, bool normalised);
/* Whether the model has to run; arg is a struct indexed. */
bool indexed_wanted(void *arg, const char *id, size_t n,
    const uint8_t sha256[32]);
/* Adds what r says, unless it is there.  Fails for this one alone; dies of what
 * is wrong with the file. */
int indexed_put(struct indexed *x, const struct clip_result *r,
    struct npu_err *err);
/* Tells what was new. */
void indexed_close(struct indexed *x);

#endif
