/* SPDX-License-Identifier: Apache-2.0 */
/* Reads input frames from stdin into a job's buffers, and writes output frames
 * from its buffers. */
#ifndef XDNA_RUN_FRAMES_H
#define XDNA_RUN_FRAMES_H

#include "cmd.h"
#include "shapes.h"
#include "tensors/stream.h"

struct frames {
	struct stream in;
	const struct xdna_job *job;
	struct npu_tensor input[XDNA_BUFFERS];	/* plain bytes */
	unsigned in_buffer[XDNA_BUFFERS], inputs;
	unsigned out_buffer[XDNA_BUFFERS], outputs;
	uint8_t label[XDNA_BUFFERS][NPU_LABEL_SIZE];
	uint64_t in_size;	/* bytes of an input frame, with labels */
	struct output out;
	uint64_t flushed;	/* clock_ns() of the last flush */
	bool raw;		/* output without labels */
	bool once;		/* the job runs once, because it does not have
				   an input, and has not run yet */
};

/* Opens the output, but not stdin; dies on failure.  An output without a shape
 * in *s is written as bytes.  *job must stay valid. */
void frames_open(struct frames *f, const struct xdna_job *job,
    const struct shapes *s, bool raw, const char *output);
/* Opens stdin. */
int frames_begin(struct frames *f, struct npu_err *err);
/* Returns the number of frames in stdin, which was opened; 0: unknown. */
uint64_t frames_count(const struct frames *f);

/* Reads the next frame into the buffers of x.  Returns 1, or 0 at the end, or a
 * negative code, also if cmd_stop is set. */
int frames_read(struct frames *f, struct xdna *x, struct npu_err *err);
/* Writes the frame in the buffers of x. */
void frames_write(struct frames *f, struct xdna *x);

#endif
