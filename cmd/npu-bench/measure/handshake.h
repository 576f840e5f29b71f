/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a process of a run says where it is, and hears that it may go.  Its
 * program sleeps meanwhile: it is woken by a phase, and twice a second to look
 * at the machine, so that nothing disturbs what is measured.
 */
#ifndef NPU_BENCH_MEASURE_HANDSHAKE_H
#define NPU_BENCH_MEASURE_HANDSHAKE_H

#include "npu-bench/bench.h"

/* In the process: the ends of two pipes, to ring and to be let go. */
void handshake_open(int phases, int go);

/* The process has come to phase.  Without a bell it is only stored. */
void handshake_phase(struct bench_run *r, enum bench_phase phase);

/*
 * After PHASE_READY: returns when r->go is set, asleep until then.  False if
 * cmd_stop was set instead, or nobody is there any more who could set it.
 */
bool handshake_await_go(struct bench_run *r);

#endif
