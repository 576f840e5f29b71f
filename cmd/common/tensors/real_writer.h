/* SPDX-License-Identifier: Apache-2.0 */
/* Real numbers: how they are written, and what can be said about them. */
#ifndef CMD_TENSORS_REAL_WRITER_H
#define CMD_TENSORS_REAL_WRITER_H

#include "cmd.h"

/* ---- Written ---------------------------------------------------------- */

enum real_format {
	REAL_UNSET,
	REAL_LABEL,		/* f32 behind a label */
	REAL_RAW,		/* f32 */
	REAL_NPY,
	REAL_JSONL,		/* schema "NAME/1", an object a tensor */
	REAL_TEXT,		/* a line a tensor, blanks between */
};

extern const char *const real_formats[];
/* The format called arg, or a usage error. */
enum real_format real_format_parse(const char *arg);

struct real_writer {
	struct output *o;
	enum real_format format;
	bool first;		/* no number of this tensor was written yet */
	uint64_t before;	/* frames of the files before */
};

/* The head of one f32 tensor of frame frame of its file; jsonl, text and raw
 * need no size. */
void real_writer_begin(struct real_writer *v, const struct npu_label *l,
    uint64_t frame);
void real_writer_put(struct real_writer *v, const float *x, size_t n);
void real_writer_end(struct real_writer *v);

/* ---- Summed up -------------------------------------------------------- */

struct value_range {
	uint64_t tensors;
	uint64_t n, nan;	/* elements: numbers, and not */
	double min, max, sum, squares;
	uint64_t at_ends;	/* stored as the least or largest of the type */
	/* Distinct stored values, of types of 8 and 16 bits. */
	bool has_levels;
	uint8_t *seen;		/* one flag each, 65536 */
};

void summary_add(struct value_range *s, const float *x, size_t n);
/* The same elements as stored. */
void summary_stored(struct value_range *s, uint32_t dtype, const void *q,
    size_t n);
/* One line on stderr, even with -q: it was asked for. */
void summary_say(const struct value_range *s, const char *what);

/* ---- Explained -------------------------------------------------------- */

/* A stored integer at q as text. */
void values_stored(uint32_t dtype, const uint8_t *q, char *s, size_t n);

/* Lines for people: the formula with the numbers of *t, there and back. */
void explain(struct output *o, const char *name, const struct npu_tensor *t);

#endif
