/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a model's frames from streams of tensors: the input of npu-run. */
#ifndef CMD_TENSORS_FRAME_READER_H
#define CMD_TENSORS_FRAME_READER_H

#include "npu.h"

struct frame_reader;

/* Takes the argument of one --input, [INPUT=]FILE; frame_reader_open() checks
 * it. */
void frame_reader_add_input(const char *arg);
/* Takes the argument of --fill: the data, in every frame, for inputs without
 * --input. */
void frame_reader_fill(const char *arg);
/* Announces streams of 32-bit floats, which are quantised as each input
 * specifies.  At the end, a note states how many values were clipped. */
void frame_reader_take_floats(void);
/* Announces that the program lacks --input: messages do not advise it. */
void frame_reader_one_file(void);
/* Refuses --input or --fill with operands.  Call before the model is loaded. */
void frame_reader_check_inputs(char **files, int n);
/*
 * Opens the files of --input, the operand files, or stdin.  With --fill and
 * without --input there is one frame, and nothing is opened.  Dies if an
 * --input does not fit the model's inputs, or if the model does not have
 * inputs.
 */
struct frame_reader *frame_reader_open(const struct npu *npu, char **files,
    int n);
/* Returns the number of frames that will be read; 0: unknown.  Call before the
 * first is read. */
uint64_t frame_reader_count(const struct frame_reader *f);
/*
 * Reads the next frame, npu_input_size() bytes.  Returns 1; 0 at the end and
 * when cmd_stop is set; negative for a tensor that does not fit, an incomplete
 * frame or an error of read().  May be called from any single thread: it does
 * not print or exit.
 */
int frame_reader_read(struct frame_reader *f, uint8_t *in, struct npu_err *err);
/* Returns the name of the stream that was read last, for an error message. */
const char *frame_reader_name(const struct frame_reader *f);
void frame_reader_close(struct frame_reader *f);

#endif
