/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All runs of all configurations.  A round makes one run of each, or one of
 * either side, so that what changes slowly meets all alike.
 */
#ifndef NPU_BENCH_ROUNDS_H
#define NPU_BENCH_ROUNDS_H

#include "options.h"

/* How it ended. */
struct rounds_result {
	int status;		/* EXIT_FAILED, EXIT_NODEVICE: a run failed */
	char message[BENCH_MESSAGE];	/* why the first one did */
};

/*
 * Fills in b->run, and b->verdicts where there is a gate; says on stderr what
 * fails.  A configuration that failed is not tried again; without a device
 * nothing more is.  argv: as this program got it.  Ends the program if a signal
 * asks for it.
 */
void rounds_run(struct bench *b, const struct npu_bench_options *o, char **argv,
    struct rounds_result *result);

#endif
