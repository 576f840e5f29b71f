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

struct index_writer {
	const char *path;		/* NULL: no index */
	struct index *index;
	pthread_mutex_t lock;		/* of index; decoding threads ask */
	float *found;			/* owned: what they found */
	char *folder;			/* owned: of the last picture, and */
	char *folder_path;		/* its absolute path */
	uint64_t made, renamed, known;
};

/* Opens it for vectors of c's, or dies if the two do not agree. */
void index_writer_open(struct index_writer *x, struct clip *c, bool normalised);
/* Whether the model has to run; arg is a struct index_writer. */
bool index_writer_wanted(void *arg, const uint8_t sha256[32]);
/* Adds r's vector, unless it is there.  Fails if this vector cannot be added;
 * dies if something is wrong with the file. */
int index_writer_put(struct index_writer *x, const struct clip_result *r,
    struct npu_err *err);
/* Prints how many were new. */
void index_writer_close(struct index_writer *x);

#endif
