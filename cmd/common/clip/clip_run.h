/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs texts and pictures through one of CLIP's encoders.  Vectors are handed
 * out in the order of the texts or pictures.
 *
 *	run.done = use, run.arg = ...;
 *	clip_run_pictures_open(&run, operands);
 *	clip_run_begin(&run, &image);
 *	clip_run_pictures(&run);
 *	clip_run_end(&run);
 */
#ifndef CMD_CLIP_CLIP_RUN_H
#define CMD_CLIP_CLIP_RUN_H

#include "clip.h"
#include "pictures/picture_inference.h"

struct clip_result {
	const char *name;	/* in messages: "stdin: line 3" */
	const char *id;		/* the text itself, or the picture's name */
	size_t id_n;
	const char *file;	/* of a picture; NULL: it has no name */
	uint64_t number;	/* of a text; of a picture in a stream, or 0 */
	const char *error;	/* why there is no vector; NULL: there is one */
	float *x;		/* clip->dim numbers, not normalised */
	uint8_t sha256[32];	/* of the text or the file, with run.wanted */
	bool known;		/* run.wanted() was false: there is no vector */
};

struct clip_run {
	/* Set by the caller. */
	void (*done)(void *arg, const struct clip_result *r);
	void *arg;
	/* Whether the model is to be run for a text or picture of that
	 * content; called in any thread.  NULL: for all. */
	bool (*wanted)(void *arg, const uint8_t sha256[32]);
	void *wanted_arg;
	struct pictures pictures;
	struct picture_inference images;	/* spec: threads and limits */

	struct clip *clip;		/* the one at work */
	uint64_t skipped;		/* texts, by --overlong=skip */
	uint64_t wait_texts_ns;		/* for the model of texts, summed up */
};

/* Opens the pictures; options that exclude each other are usage errors. */
void clip_run_pictures_open(struct clip_run *r, char *const *operands);

/* Loads c's model. */
void clip_run_begin(struct clip_run *r, struct clip *c);
void clip_run_text(struct clip_run *r, const struct text_record *text);
/* Waits for all texts in progress. */
void clip_run_texts_drain(void *clip_run);
void clip_run_pictures(struct clip_run *r);
/* Unloads it, once all results are handed out. */
void clip_run_end(struct clip_run *r);

#endif
