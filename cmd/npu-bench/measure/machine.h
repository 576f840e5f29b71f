/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the machine's fingerprint. */
#ifndef NPU_BENCH_MEASURE_MACHINE_H
#define NPU_BENCH_MEASURE_MACHINE_H

#include "npu-bench/bench.h"

/*
 * Sets *m, except temp_end.  root is "", or a folder that has proc and sys.
 * Unknown values become "", 0 or NAN; the function does not fail.
 */
void machine_read(struct bench_machine *m, const char *root);

/* Returns the hottest sensor's temperature, in degrees Celsius; NAN without
 * sensors. */
double machine_hottest(const char *root);

#endif
