/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the frames of a model from streams of tensors: npu-run's input. */
#ifndef CMD_TENSORS_FRAME_READER_H
#define CMD_TENSORS_FRAME_READER_H

#include "npu.h"

struct frame_reader;

/* The argument of one --input, [INPUT=]FILE; frame_reader_open() checks it. */
void frame_reader_add_input(const char *arg);
/* The argument of --fill: what an input without --input is in every frame. */
void frame_reader_fill(const char *arg);
/* The streams have 32-bit floats, which are quantised as each input says; it is
 * noted in the end how many were clipped. */
void frame_reader_take_floats(void);
/* The program has no --input for each input: messages do not advise it. */
void frame_reader_one_file(void);
/* Refuses --input or --fill with operands; for before the model is loaded. */
void frame_reader_check_inputs(char **files, int n);
/*
 * Opens the files of --input, the files, or stdin.  With --fill and without
 * --input there is one frame, and nothing is opened.  Dies when an --input does
 * not fit the model's inputs, or when it has none.
 */
struct frame_reader *frame_reader_open(const struct npu *npu, char **files,
    int n);
/*
 * Reads the next frame, npu_input_size() bytes: 1; 0 at the end and when
 * cmd_stop is set; negative for a tensor that does not fit, an incomplete frame
 * or an error of read().  Any one thread may call it: it neither prints nor
 * exits.
 */
int frame_reader_read(struct frame_reader *f, uint8_t *in, struct npu_err *err);
/* The name of the stream that was read last: the subject of that error. */
const char *frame_reader_name(const struct frame_reader *f);
void frame_reader_close(struct frame_reader *f);

#endif
