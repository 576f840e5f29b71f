/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds vectors to an index file.  The model does not run for a content that the
 * index has already: if the content has a new name, only the name is added.
 */
#ifndef CLIP_EMBED_INDEX_WRITER_H
#define CLIP_EMBED_INDEX_WRITER_H

#include <pthread.h>

#include "clip/clip_run.h"
#include "store/index.h"

struct index_writer {
	const char *path;		/* NULL: no index */
	struct index *index;
	pthread_mutex_t lock;		/* for index and found: decoding
					   threads search the index */
	float *found;			/* owned: the vector that was found */
	char *folder;			/* owned: last picture's folder as
					   it was named */
	char *folder_path;		/* owned: its absolute path */
	uint64_t made, renamed, known;
};

/* Opens the index for vectors of c's model.  Dies if the index has vectors of
 * another model. */
void index_writer_open(struct index_writer *x, struct clip *c, bool normalised);
/* Returns true if the model has to run, since the index has no vector for this
 * content.  arg is a struct index_writer; any thread may call this. */
bool index_writer_wanted(void *arg, const uint8_t sha256[32]);
/* Adds r's vector unless the index has it under this name.  Fails if the vector
 * cannot be added; dies if the index file cannot be written. */
int index_writer_put(struct index_writer *x, const struct clip_result *r,
    struct npu_err *err);
/* Closes the index, and prints how many vectors were added, renamed and
 * unchanged. */
void index_writer_close(struct index_writer *x);

#endif
