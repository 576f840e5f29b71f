/* SPDX-License-Identifier: Apache-2.0 */
/* What machine this is: the fingerprint of npu-bench. */
#ifndef NPU_BENCH_MEASURE_MACHINE_H
#define NPU_BENCH_MEASURE_MACHINE_H

#include "npu-bench/bench.h"

/*
 * All of *h but temp_end.  root: "" is this machine, else the folder that
 * holds proc and sys.  What cannot be known is "", 0 or NAN; nothing fails.
 */
void machine_read(struct bench_machine *m, const char *root);

/* The hottest sensor, degrees Celsius; NAN: there is none. */
double machine_hottest(const char *root);

#endif
