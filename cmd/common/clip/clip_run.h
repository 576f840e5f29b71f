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
	uint64_t number;	/* number of a text, or of a picture in a
				   stream; else 0 */
	const char *error;	/* why the vector is missing; NULL: x is set */
	float *x;		/* clip->dim numbers, not normalised */
	uint8_t sha256[32];	/* of the text or the file, if run.wanted is
				   set */
	bool known;		/* run.wanted() returned false: x is not set */
};

struct clip_run {
	/* Set by the caller. */
	void (*done)(void *arg, const struct clip_result *r);
	void *arg;
	/* Returns whether to run the model for a text or picture with that
	 * SHA-256; called in any thread.  NULL: runs it for all. */
	bool (*wanted)(void *arg, const uint8_t sha256[32]);
	void *wanted_arg;
	struct pictures pictures;
	struct picture_inference images;	/* the caller sets spec:
						   threads and limits */

	struct clip *clip;		/* the loaded encoder */
	uint64_t skipped;		/* number of texts skipped by
					   --overlong=skip */
	uint64_t wait_texts_ns;		/* total time spent waiting for the
					   text model */
};

/* Opens the pictures.  Options that exclude each other are usage errors. */
void clip_run_pictures_open(struct clip_run *r, char *const *operands);

/* Loads c's model. */
void clip_run_begin(struct clip_run *r, struct clip *c);
void clip_run_text(struct clip_run *r, const struct text_record *text);
/* Waits for all texts in progress. */
void clip_run_texts_drain(void *clip_run);
void clip_run_pictures(struct clip_run *r);
/* Unloads the model, once all results are handed out. */
void clip_run_end(struct clip_run *r);

#endif
