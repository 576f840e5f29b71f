/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves frames through a model: a thread reads the next ones, a thread writes
 * the results, and the program's own feeds the model.  All is in order, and no
 * frame waits for the one after it.
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
	enum { RESULT_LABELLED, RESULT_NPY, RESULT_RAW } form;
	bool floats;		/* results are dequantised to 32-bit floats */
	unsigned depth;		/* most in flight */
};

struct pipeline;

/* Dies where no thread can be started.  Memory: two frames, and the results of
 * two more than may be in flight. */
struct pipeline *pipeline_open(const struct pipeline_spec *spec);

/*
 * The next frame, if it was read and there is room for its result beside those
 * of running frames, so that none that runs ever waits for the writing.  With
 * none running, waits for it; NULL is the end: of input, an error or a signal.
 */
const void *pipeline_next(struct pipeline *p, unsigned running);
/* The model has copied that frame. */
void pipeline_started(struct pipeline *p);

/* Where the result of the oldest running frame goes. */
void *pipeline_room(struct pipeline *p);
/* The result is there; it is written while the program continues.  Dies of an
 * output that its form cannot describe. */
void pipeline_write(struct pipeline *p);

/* Waits until all is written.  Dies of a write error; ends the program when
 * a signal asked for it. */
void pipeline_finish(struct pipeline *p);
/* Dies of the error that ended the input, if any.  Follows
 * pipeline_finish(). */
void pipeline_close(struct pipeline *p);

#endif
