/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames on their way through a model: a thread reads the next ones, a thread
 * writes the results, and the program's own feeds the model.  All is in order,
 * and none waits for the one after it.
 *
 *	p = pipeline_open(&spec);
 *	for (;;) {
 *		if (model not full && (in = pipeline_next(p, in flight)))
 *			start it, pipeline_started(p);
 *		else if (some are in flight)
 *			end the oldest into pipeline_room(p), pipeline_write(p);
 *		else
 *			break;
 *	}
 *	pipeline_finish(p);
 *	pipeline_close(p);
 */
#ifndef NPU_RUN_PIPELINE_H
#define NPU_RUN_PIPELINE_H

#include "cmd.h"
#include "tensors/frame_reader.h"

struct pipeline_spec {
	const struct npu *npu;
	struct frame_reader *frames;
	struct output *out;	/* a thread's, until pipeline_finish() */
	bool raw;		/* no labels */
	unsigned depth;		/* most in flight */
};

struct pipeline;

/* Dies where no thread can be started.  Memory: two frames, and the results of
 * two more than may be in flight. */
struct pipeline *pipeline_open(const struct pipeline_spec *spec);

/*
 * The next frame, if it is there, and room for its result beside the running
 * ones'; so none that runs ever waits for the writing.  With none running it is
 * waited for, and NULL is the end: of the input, by an error, or a signal.
 */
const void *pipeline_next(struct pipeline *p, unsigned running);
/* The model has a copy of that frame. */
void pipeline_started(struct pipeline *p);

/* Where the result of the oldest that runs goes. */
void *pipeline_room(struct pipeline *p);
/* It is there, and is written while the program goes on.  Dies of an output
 * that no label can describe. */
void pipeline_write(struct pipeline *p);

/* Waits until all is written.  Dies of an error in that; ends the program when
 * a signal asked for it. */
void pipeline_finish(struct pipeline *p);
/* Dies of what ended the input, if it was an error.  Follows
 * pipeline_finish(). */
void pipeline_close(struct pipeline *p);

#endif
