/* SPDX-License-Identifier: Apache-2.0 */
/* clip-embed at work: from texts and pictures to what is written. */
#ifndef CLIP_EMBED_EMBED_RUN_H
#define CLIP_EMBED_EMBED_RUN_H

#include "clip/clip_run.h"
#include "embedding_writer.h"
#include "index_writer.h"
#include "progress.h"

struct embed {
	/* What was said; of run: pictures and spec. */
	struct embedded writer;
	struct indexed index;	/* with a path, instead of writer */
	struct clip_run run;
	bool null;		/* texts end with NUL */
	bool stats;

	struct clip text, image;	/* kind NULL: not wanted */
	struct progress progress;
	uint64_t done, failed, begin;
};

/* Usage errors of the files with lines. */
void embed_check_lines(char *const *files);
/* After the plans of text and image, and before the rest. */
void embed_open(struct embed *e);

void embed_texts(struct embed *e, char *const *text, size_t n);
/* Lines of these files; none: of stdin. */
void embed_lines(struct embed *e, char *const *files);
void embed_pictures(struct embed *e);

/* True if nothing failed. */
bool embed_close(struct embed *e);

#endif
