/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All runs of all configurations.  A round makes one run of each configuration,
 * or one for each side, so that slow changes of the machine affect all alike.
 */
#ifndef NPU_BENCH_ROUNDS_H
#define NPU_BENCH_ROUNDS_H

#include "options.h"

struct rounds_result {
	int status;		/* EXIT_FAILED, EXIT_NODEVICE: a run failed */
	char message[BENCH_MESSAGE];	/* of the first that failed */
};

/*
 * Makes the runs: fills in b->run and, if there is a gate, b->verdicts; prints
 * failures on stderr.  A configuration that failed is not run again, and
 * without a device none is.  argv: this program's.  A signal ends the program.
 */
void rounds_run(struct bench *b, const struct npu_bench_options *o, char **argv,
    struct rounds_result *result);

#endif
