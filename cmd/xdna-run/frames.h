/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of input from stdin into a job's buffers, and of output from them. */
#ifndef XDNA_RUN_FRAMES_H
#define XDNA_RUN_FRAMES_H

#include "cmd.h"
#include "shapes.h"
#include "tensors/stream.h"

struct frames {
	struct stream in;
	const struct xdna_job *job;
	struct npu_tensor input[XDNA_BUFFERS];	/* raw: bytes */
	unsigned in_buffer[XDNA_BUFFERS], inputs;
	unsigned out_buffer[XDNA_BUFFERS], outputs;
	uint8_t label[XDNA_BUFFERS][NPU_LABEL_SIZE];
	uint64_t in_size;	/* bytes of a frame, with labels */
	struct output out;
	uint64_t flushed;	/* clock_ns() */
	bool raw;		/* output without labels */
	bool once;		/* the job has no input, and has not run */
};

/* Opens the output, but not stdin; dies.  A job without an output's shape in *s
 * writes bytes.  *job must stay. */
void frames_open(struct frames *f, const struct xdna_job *job,
    const struct shapes *s, bool raw, const char *output);
/* Opens stdin. */
int frames_begin(struct frames *f, struct npu_err *err);

/* Reads the next frame into the buffers of x: 1; 0 at the end; or negative,
 * also where cmd_stop is set. */
int frames_read(struct frames *f, struct xdna *x, struct npu_err *err);
/* Writes the frame in the buffers of x. */
void frames_write(struct frames *f, struct xdna *x);

#endif
