/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker reports its phases to the program and waits to be released.  The
 * program sleeps meanwhile, to leave the measurement undisturbed: only a phase
 * wakes it, and twice a second the monitor's tick.
 */
#ifndef NPU_BENCH_MEASURE_HANDSHAKE_H
#define NPU_BENCH_MEASURE_HANDSHAKE_H

#include "npu-bench/bench.h"

/* In the worker: sets its ends of two pipes, to report phases and to be
 * released. */
void handshake_open(int phases, int go);

/* Reports phase; without handshake_open(), only stores it. */
void handshake_phase(struct bench_run *r, enum bench_phase phase);

/*
 * After PHASE_READY: sleeps until r->go is set.  Returns false if cmd_stop was
 * set instead, or the program that would set r->go has ended.
 */
bool handshake_await_go(struct bench_run *r);

#endif
