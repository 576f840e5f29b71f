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
	INFERENCE_WAITING = NPU_QUEUE_MAX,	/* most inputs that wait */
	INFERENCE_DEPTH = 3,	/* inputs in flight, where no option sets the
				   number */
};

struct inference_result {
	void *tag;		/* the tag passed to inference_submit() */
	bool ran;		/* the input was not NULL */
	int rc;			/* 0: the answer is valid; else see err */
	struct npu_err err;
	const struct npu_times *times;	/* where it ran */
};

struct inference {
	struct npu *npu;
	struct npu_queue *queue;
	struct {
		void *tag;
		bool ran;
		char *printed;	/* what the library printed at submission;
				   owned, NULL: nothing */
	} waiting[INFERENCE_WAITING];
	uint64_t submitted, taken;
	struct inference_result result;
	char *printed;		/* owned: the library's output for result */
};

/* Sets up *f and opens a queue.  npu comes from cmd_open_model(); closing the
 * model also closes the queue.  depth is the largest number of inputs in
 * flight.  Dies. */
void inference_open(struct inference *f, struct npu *npu, unsigned depth);

/* True if a result must be taken before the next input is submitted. */
bool inference_full(const struct inference *f);
/* Returns the number of inputs submitted and not yet taken. */
unsigned inference_waiting(const struct inference *f);
/* True if the oldest result can be taken without waiting for the model. */
bool inference_ready(const struct inference *f);

/* Reads the input, npu_input_size() bytes, before it returns.  With NULL
 * nothing is run, and only the tag takes its turn.  Ends the program when a
 * signal asked for it. */
void inference_submit(struct inference *f, const void *input, void *tag);

/*
 * Returns the oldest result, valid until the next call, and writes
 * npu_output_size() bytes to answer.  Prints what the library printed about the
 * inference.  The caller handles a failure, unless the device is gone: the
 * program then ends, because later inferences would fail in the same way.  It
 * also ends when a signal asked for it.
 */
struct inference_result *inference_take(struct inference *f, void *answer);

/* For a caller with work to do before a failure is shown: only takes the
 * result.  inference_show_printed() then prints what the library printed. */
struct inference_result *inference_take_only(struct inference *f,
    void *answer);
void inference_show_printed(struct inference *f);

#endif
