/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's fingerprint. */
#ifndef NPU_BENCH_MEASURE_MACHINE_H
#define NPU_BENCH_MEASURE_MACHINE_H

#include "npu-bench/bench.h"

/*
 * Fills in *m, except temp_end.  root: "", or a folder that has proc and sys.
 * Anything unknown is "", 0 or NAN; nothing fails.
 */
void machine_read(struct bench_machine *m, const char *root);

/* The hottest sensor, in degrees Celsius; NAN: there is none. */
double machine_hottest(const char *root);

#endif
