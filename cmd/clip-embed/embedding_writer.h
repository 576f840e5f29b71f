/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of texts and pictures, as clip-embed writes them. */
#ifndef CLIP_EMBED_EMBEDDING_WRITER_H
#define CLIP_EMBED_EMBEDDING_WRITER_H

#include "base/json.h"
#include "clip/clip.h"
#include "tensors/real_writer.h"

enum on_error { ON_ERROR_NAN, ON_ERROR_SKIP, ON_ERROR_FAIL };

struct embedding {
	const char *id;
	size_t id_n;
	const struct clip *by;
	const char *error;	/* why there is none; NULL: there is one */
	const float *x;		/* by->dim numbers */
	double length;		/* of it, before it was normalised */
};

struct embedding_writer {
	/* Options. */
	enum real_format format;
	enum on_error on_error;
	bool normalise;
	bool null;		/* ids end with NUL */
	const char *output, *ids, *about;

	struct output out, ids_out, about_out;
	struct real_writer values;	/* label, raw, text */
	struct json json;
	struct buf matrix;	/* npy: all rows, as the header has how many */
	size_t dim;
	float *nan;		/* owned: the row written for a failure */
	uint64_t rows;
	struct json made;	/* about: an object a model, a line each */
	uint64_t described;	/* rows that it covers so far */
};

/* On a terminal JSON lines, else labelled floats, unless an option chose;
 * opens what is written to. */
void embedding_writer_open(struct embedding_writer *w);
/* Called once the width of the vectors is known. */
void embedding_writer_width(struct embedding_writer *w, size_t dim);
/* Writes a vector, or the placeholder for one that failed. */
void embedding_writer_put(struct embedding_writer *w,
    const struct embedding *v);
/* All vectors of by were written: describes them in the file about. */
void embedding_writer_describe(struct embedding_writer *w,
    const struct clip *by);
void embedding_writer_close(struct embedding_writer *w);

#endif
