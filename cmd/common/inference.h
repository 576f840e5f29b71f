/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a model on one input after another, with as many in flight as possible;
 * results come back in the order of the inputs.
 *
 *	inference_open(&f, npu, depth);
 *	for each input {
 *		while (inference_full(&f))
 *			use(inference_take(&f, answer));
 *		inference_submit(&f, input, tag);
 *	}
 *	while (inference_waiting(&f) > 0)
 *		use(inference_take(&f, answer));
 */
#ifndef CMD_INFERENCE_H
#define CMD_INFERENCE_H

#include "cmd.h"

enum {
	INFERENCE_WAITING = NPU_QUEUE_MAX,	/* most that wait */
	INFERENCE_DEPTH = 3,	/* in flight, where no option says how many */
};

struct inference_result {
	void *tag;		/* that of inference_submit() */
	bool ran;		/* there was an input */
	int rc;			/* 0: the answer is there; else err */
	struct npu_err err;
	const struct npu_times *times;	/* where it ran */
};

struct inference {
	struct npu *npu;
	struct npu_queue *queue;
	struct {
		void *tag;
		bool ran;
		char *printed;	/* by the library when it was submitted; owned,
				   NULL: nothing */
	} waiting[INFERENCE_WAITING];
	uint64_t submitted, taken;
	struct inference_result result;
	char *printed;		/* owned: of result */
};

/* npu comes from cmd_open_model(), whose end closes the queue, too; depth: most
 * in flight.  Dies. */
void inference_open(struct inference *f, struct npu *npu, unsigned depth);

/* One must be taken before another is submitted. */
bool inference_full(const struct inference *f);
/* How many were submitted and not taken. */
unsigned inference_waiting(const struct inference *f);
/* The oldest of them can be taken without waiting for the model. */
bool inference_ready(const struct inference *f);

/* Reads the input, npu_input_size() bytes, before it returns.  NULL: nothing
 * is run, only the tag takes its turn.  Ends the program when a signal asked
 * for it. */
void inference_submit(struct inference *f, const void *input, void *tag);

/*
 * The result of the oldest, valid until the next call, with npu_output_size()
 * bytes at answer.  Shows what the library printed about it.  Its failure is
 * left to the caller, except if the device is gone: then the program ends, as
 * later inferences would fail alike.  It also ends when a signal asked for it.
 */
struct inference_result *inference_take(struct inference *f, void *answer);

/* For a caller with work to do before a failure is shown: takes the result
 * only; inference_show_printed() then prints what the library printed. */
struct inference_result *inference_take_only(struct inference *f,
    void *answer);
void inference_show_printed(struct inference *f);

#endif
