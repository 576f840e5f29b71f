/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model at work on one stored input after the other, as many in flight as may
 * be; what they become, as floats, comes back in the order in which they went
 * in.
 *
 *	encoder_open(&e, npu);
 *	for each input {
 *		while (encoder_full(&e))
 *			use(encoder_take(&e));
 *		encoder_add(&e, input, item);
 *	}
 *	while (encoder_waiting(&e))
 *		use(encoder_take(&e));
 *	encoder_close(&e);
 */
#ifndef CMD_CLIP_ENCODER_H
#define CMD_CLIP_ENCODER_H

#include "cmd.h"

enum { ENCODER_ITEMS = 64 };	/* most that wait */

struct encoded {
	void *item;		/* what was given beside the input */
	const char *error;	/* the inference failed; NULL: it did not */
	float *x;		/* encoder.n of them; of no meaning where there
				   was nothing to run, or it failed */
};

struct encoder {
	struct npu_queue *queue;
	struct npu_tensor out;
	size_t n;		/* elements of an output */
	struct {
		void *item;
		bool runs;	/* there was something to run */
		char *words;	/* the library's when it was put; owned */
	} waiting[ENCODER_ITEMS];
	uint64_t added, taken;
	struct encoded result;
	struct npu_err err;	/* what result.error points to */
	uint8_t *answer;	/* owned */
	float *x;		/* owned: result.x */
};

/* npu has one input and one output, and is that of cmd_open_model(), whose
 * end closes the queue, too.  Dies. */
void encoder_open(struct encoder *e, struct npu *npu);
/* One must be taken before another is added. */
bool encoder_full(const struct encoder *e);
bool encoder_waiting(const struct encoder *e);
/* The oldest can be taken without waiting for the model. */
bool encoder_ready(const struct encoder *e);
/* Reads the input before it returns.  NULL: nothing to run, only item takes its
 * turn. */
void encoder_add(struct encoder *e, const void *input, void *item);
/* The oldest, valid until the next call.  One must wait.  Ends the program when
 * a signal asked for it. */
struct encoded *encoder_take(struct encoder *e);
void encoder_close(struct encoder *e);

#endif
