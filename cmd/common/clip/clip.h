/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CLIP's two encoders, each with the preparation of its inputs: texts become
 * rows of token ids, pictures become tensors.
 *
 *	clip_text_plan(&c, "clip_txt.cix", REFUSE);
 *	clip_load(&c);
 *	... clip_row(), c.inference, clip_vector() ...
 *	clip_unload(&c);
 *
 * Only one model is loaded at a time.  All functions die if something is
 * wrong with a model.
 */
#ifndef CMD_CLIP_CLIP_H
#define CMD_CLIP_CLIP_H

#include "inference.h"
#include "pictures/preprocess_options.h"
#include "token_row.h"

#define CLIP_TEXT_MODEL "clip_txt.cix"
#define CLIP_IMAGE_MODEL "clip_visual.cix"

struct clip {
	const char *kind;	/* "text" or "image" */
	char *path;		/* the model's path; owned */
	const char *name;	/* last component of path */
	char sha256[65];	/* SHA-256 of the file, after clip_hash(); ""
				   before */
	struct npu_tensor in, out;	/* as the model file describes them */
	size_t dim;		/* numbers in a vector */
	struct buf preprocessing;	/* the recipe as a string */

	/* While the model is loaded. */
	struct inference inference;
	uint8_t *answer;	/* room for the output; owned */
	float *x;		/* room for a vector; owned */

	/* Texts. */
	const struct npu_bpe *bpe;
	struct npu_tokenizer *tokenizer;	/* owned */
	struct token_limit limit;
	struct buf row, notes;

	/* Pictures; threads may share it. */
	struct prep *prep;
};

/*
 * The values of --for of clip-embed and clip-classify, the default first: names
 * of recipes of img-tensor.
 */
extern const char *const clip_recipes[];

/* Reads the inputs and outputs of the text model, before anything is loaded. */
void clip_text_plan(struct clip *c, const char *model,
    enum overlong overlong);
/* Does the same for the image model.  preset is one of clip_recipes[]. */
void clip_image_plan(struct clip *c, const char *model, const char *preset,
    bool fast);
/* Dies if the widths differ, because such vectors cannot be compared. */
void clip_same_width(const struct clip *a, const struct clip *b);
/* Sets sha256, which takes a while for a large model. */
void clip_hash(struct clip *c);

void clip_load(struct clip *c);
void clip_unload(struct clip *c);
void clip_free(struct clip *c);

/*
 * Turns a text into a row of ids, c->row.p.  NULL with *err unset where
 * --overlong=skip leaves it out (*skipped); NULL with *err if it cannot be a
 * row.  Its notes were printed.
 */
const void *clip_row(struct clip *c, const struct text_record *text,
    bool *skipped, struct npu_err *err);

/* Converts the model's output to a vector, c->x. */
int clip_vector(struct clip *c, const void *answer, struct npu_err *err);

/* Returns the length |x|, summed in double. */
double clip_length(const float *x, size_t n);

#endif
