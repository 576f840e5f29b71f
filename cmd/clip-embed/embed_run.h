/* SPDX-License-Identifier: Apache-2.0 */
/* clip-embed at work: from texts and pictures to what is written. */
#ifndef CLIP_EMBED_EMBED_RUN_H
#define CLIP_EMBED_EMBED_RUN_H

#include "clip/clip_run.h"
#include "embedding_writer.h"
#include "index_writer.h"

struct embed_run {
	/* Options; of run: pictures and images.spec. */
	struct embedding_writer writer;
	struct index_writer index;	/* with a path, instead of writer */
	struct clip_run run;
	bool stats;

	struct clip text, image;	/* kind NULL: not wanted */
	uint64_t done, failed, begin;
};

/* Usage errors of the files with lines. */
void embed_run_check_lines(char *const *files);
/* After the plans of text and image, and before the rest. */
void embed_run_open(struct embed_run *e);

void embed_run_texts(struct embed_run *e, char *const *text, size_t n);
/* Lines of these files; none: of stdin. */
void embed_run_lines(struct embed_run *e, char *const *files);
void embed_run_pictures(struct embed_run *e);

/* True if nothing failed. */
bool embed_run_close(struct embed_run *e);

#endif
