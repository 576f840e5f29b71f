/* SPDX-License-Identifier: Apache-2.0 */
/* The slowdown that --self-check makes the gate find: side B of its second
 * comparison takes longer, by a known fraction. */
#ifndef NPU_BENCH_SLOWDOWN_H
#define NPU_BENCH_SLOWDOWN_H

#include "npu-bench/gate/gate.h"

/* Returns by how much longer: 0.08 is 8 %. */
double slowdown_fraction(const struct bench_gate *g);

/* Returns how long r's inferences should take on its side, in ms; on side A, as
 * long as the inferences of same did. */
double slowdown_infer_ms(const struct bench *same, const struct bench_gate *g,
    const struct bench_run *r);

#endif
