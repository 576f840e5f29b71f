/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes all runs of all configurations.  A round makes one run of each
 * configuration, or one for each side: slow changes of the machine then affect
 * all alike.
 */
#ifndef NPU_BENCH_ROUNDS_H
#define NPU_BENCH_ROUNDS_H

#include "options.h"

struct rounds_result {
	int status;		/* EXIT_FAILED, EXIT_NODEVICE: a run failed */
	char message[BENCH_MESSAGE];	/* message of the first failure */
};

/*
 * Makes the runs: fills in b->run and, with a gate, b->verdicts; prints
 * failures on stderr.  A configuration that failed is not run again, and
 * without a device no configuration is.  argv is this program's.  A signal ends
 * the program.
 */
void rounds_run(struct bench *b, const struct npu_bench_options *o, char **argv,
    struct rounds_result *result);

#endif
