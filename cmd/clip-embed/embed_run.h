/* SPDX-License-Identifier: Apache-2.0 */
/* The work of clip-embed: runs the models on texts and pictures, and writes the
 * vectors. */
#ifndef CLIP_EMBED_EMBED_RUN_H
#define CLIP_EMBED_EMBED_RUN_H

#include "clip/clip_run.h"
#include "embedding_writer.h"
#include "index_writer.h"

struct embed_run {
	/* Set by the caller; in run, only pictures and images.spec. */
	struct embedding_writer writer;
	struct index_writer index;	/* used if it has a path; else writer */
	struct clip_run run;
	bool stats;

	struct clip text, image;	/* kind NULL: not used */
	uint64_t done, failed, begin;
};

/* Checks the operands of --lines: a usage error if stdin would be read twice,
 * or if it is a terminal and no file is named. */
void embed_run_check_lines(char *const *files);
/* Opens the outputs.  Call after clip_text_plan() and clip_image_plan(), and
 * before the functions below. */
void embed_run_open(struct embed_run *e);

void embed_run_texts(struct embed_run *e, char *const *text, size_t n);
/* Embeds each line of the files; without files, each line of stdin. */
void embed_run_lines(struct embed_run *e, char *const *files);
void embed_run_pictures(struct embed_run *e);

/* Closes the outputs.  Returns true if no input failed. */
bool embed_run_close(struct embed_run *e);

#endif
