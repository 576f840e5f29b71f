/* SPDX-License-Identifier: Apache-2.0 */
/* Writes tensors of real numbers in one of several formats. */
#ifndef CMD_TENSORS_REAL_WRITER_H
#define CMD_TENSORS_REAL_WRITER_H

#include "cmd.h"

enum real_format {
	REAL_UNSET,		/* no -F */
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
	bool first;		/* the next number is the first of a tensor */
	uint64_t before;	/* frames of the previous files */
};

/* Writes the head of one f32 tensor of frame frame of its file; jsonl, text and
 * raw need no size. */
void real_writer_begin(struct real_writer *v, const struct npu_label *l,
    uint64_t frame);
void real_writer_put(struct real_writer *v, const float *x, size_t n);
void real_writer_end(struct real_writer *v);

#endif
