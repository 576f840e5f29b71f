/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves frames through a model: a thread reads the next ones, a thread writes
 * the results, and the program's own thread feeds the model.  Frames stay in
 * order, and a frame never waits for a later frame.
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
	struct output *out;	/* used by a thread until pipeline_finish() */
	enum { RESULT_LABELLED, RESULT_NPY, RESULT_RAW } form;
	bool floats;		/* results are dequantised to 32-bit floats */
	unsigned depth;		/* most inferences in flight */
};

struct pipeline;

/* Starts the threads; dies if it cannot.  Uses memory for two frames, and for
 * two results more than may be in flight. */
struct pipeline *pipeline_open(const struct pipeline_spec *spec);

/*
 * Returns the next frame, if it was read and its result has room besides the
 * results of running frames: a running frame then never waits for the writer.
 * If no frame is running, waits for the next; NULL then means the end: of
 * input, an error or a signal.
 */
const void *pipeline_next(struct pipeline *p, unsigned running);
/* Reports that the model has copied that frame. */
void pipeline_started(struct pipeline *p);

/* Returns the buffer for the result of the oldest running frame. */
void *pipeline_room(struct pipeline *p);
/* Writes the result in pipeline_room() while the program continues.  Dies if
 * the output's form cannot describe it. */
void pipeline_write(struct pipeline *p);

/* Waits until all results are written.  Dies of a write error; ends the program
 * when a signal asked for it. */
void pipeline_finish(struct pipeline *p);
/* Dies of the error that ended the input, if any.  Call after
 * pipeline_finish(). */
void pipeline_close(struct pipeline *p);

#endif
