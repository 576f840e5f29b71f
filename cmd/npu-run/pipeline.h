/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames on their way through a model: a thread reads the next ones, a thread
 * writes the results, and the program's own has only the model to think of.
 * All in order, and none waits for the one after it.
 *
 *	f = flow_open(&spec);
 *	for (;;) {
 *		if (queue is not full && (in = flow_next(f, in flight)))
 *			begin it, flow_begun(f);
 *		else if (some are in flight)
 *			end the oldest into flow_room(f), flow_write(f);
 *		else
 *			break;
 *	}
 *	flow_finish(f);
 *	flow_close(f);
 */
#ifndef NPU_RUN_PIPELINE_H
#define NPU_RUN_PIPELINE_H

#include "cmd.h"
#include "tensors/frame_reader.h"

struct flow_spec {
	const struct npu *npu;
	struct frame_reader *frames;
	struct output *out;	/* a thread's, until flow_finish() */
	bool raw;		/* no labels */
	unsigned depth;		/* most in flight */
};

struct flow;

/* Dies where no thread can be started.  Memory: two frames, and the results of
 * two more than may be in flight. */
struct flow *flow_open(const struct flow_spec *spec);

/*
 * The next frame, if it is there, and room for its result beside the running
 * ones'; so none that runs ever waits for the writing.  With none running it is
 * waited for, and NULL is the end: of the input, by an error, or a signal.
 */
const void *flow_next(struct flow *f, unsigned running);
/* That frame was begun, and its bytes are not needed any longer. */
void flow_begun(struct flow *f);

/* Where the result of the oldest that runs goes. */
void *flow_room(struct flow *f);
/* It is there: written while the program goes on.  Dies of an output that no
 * label can describe. */
void flow_write(struct flow *f);

/* Waits until all is written.  Dies of an error in that; ends the program when
 * a signal asked for it. */
void flow_finish(struct flow *f);
/* Dies of what ended the input, if it was an error.  After flow_finish(). */
void flow_close(struct flow *f);

#endif
