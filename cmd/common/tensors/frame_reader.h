/* SPDX-License-Identifier: Apache-2.0 */
/* npu-run's input: streams of tensors, gathered into frames of a model. */
#ifndef CMD_TENSORS_FRAME_READER_H
#define CMD_TENSORS_FRAME_READER_H

#include "npu.h"

struct frame_reader;

/* The argument of an -i, [INPUT=]FILE; frame_reader_open() checks it. */
void frame_reader_add_input(const char *arg);
/* Before the model is loaded: -i and operands do not go together. */
void frame_reader_check_inputs(char **files, int n);
/*
 * The frames of the -i files, the files, or stdin.  Dies when an -i does not
 * fit the model's inputs, or it has none.
 */
struct frame_reader *frame_reader_open(const struct npu *npu, char **files,
    int n);
/*
 * The next frame, npu_input_size() bytes: 1; 0 at the end and when cmd_stop was
 * set; negative for a tensor that does not fit, a frame that is cut, or what
 * cannot be read.  Any one thread may call it: it neither prints nor exits.
 */
int frame_reader_read(struct frame_reader *f, uint8_t *in, struct npu_err *err);
/* Where what was read last is from: the subject of that error. */
const char *frame_reader_name(const struct frame_reader *f);
void frame_reader_close(struct frame_reader *f);

#endif
