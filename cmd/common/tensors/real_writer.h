/* SPDX-License-Identifier: Apache-2.0 */
/* Writes tensors of real numbers in one of several formats. */
#ifndef CMD_TENSORS_REAL_WRITER_H
#define CMD_TENSORS_REAL_WRITER_H

#include "cmd.h"

enum real_format {
	REAL_UNSET,		/* -F was not given */
	REAL_LABEL,		/* f32 after a label */
	REAL_RAW,		/* f32 */
	REAL_NPY,
	REAL_JSONL,		/* schema "NAME/1", one object for each
				   tensor */
	REAL_TEXT,		/* one line for each tensor, with blanks
				   between numbers */
};

extern const char *const real_formats[];
/* Returns the format called arg; another name is a usage error. */
enum real_format real_format_parse(const char *arg);

struct real_writer {
	struct output *o;
	enum real_format format;
	bool first;		/* the next number is the first of its tensor */
	uint64_t before;	/* number of frames in the previous files */
};

/* Writes the header of one f32 tensor, in frame frame of its file.  jsonl, text
 * and raw do not need the size. */
void real_writer_begin(struct real_writer *v, const struct npu_label *l,
    uint64_t frame);
void real_writer_put(struct real_writer *v, const float *x, size_t n);
void real_writer_end(struct real_writer *v);

#endif
