/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the vectors of texts and pictures in the formats of clip-embed. */
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
	const char *error;	/* why it failed, or NULL */
	const float *x;		/* by->dim numbers */
	double length;		/* of x before x was normalised */
};

struct embedding_writer {
	/* Set by the caller. */
	enum real_format format;
	enum on_error on_error;
	bool normalise;
	bool null;		/* ids end with NUL */
	const char *output, *ids, *about;

	struct output out, ids_out, about_out;
	struct real_writer values;	/* for formats label, raw, text */
	struct json json;
	struct buf matrix;	/* npy: all rows; the header counts them */
	size_t dim;
	float *nan;		/* owned: row of NaN for a failed input */
	uint64_t rows;
	struct json made;	/* --about: a line of JSON for each model */
	uint64_t described;	/* rows that made covers so far */
};

/* Opens the outputs.  Without a format option, the format is JSON lines on a
 * terminal, else labelled floats. */
void embedding_writer_open(struct embedding_writer *w);
/* Sets the number of elements of the vectors that follow. */
void embedding_writer_width(struct embedding_writer *w, size_t dim);
/* Writes a vector.  If it failed, writes a row of NaN or an error record in its
 * place, or nothing, as --on-error says. */
void embedding_writer_put(struct embedding_writer *w,
    const struct embedding *v);
/* Call when all vectors of the model by are written: adds a line about them to
 * the file of --about. */
void embedding_writer_describe(struct embedding_writer *w,
    const struct clip *by);
void embedding_writer_close(struct embedding_writer *w);

#endif
