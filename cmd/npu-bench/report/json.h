/* SPDX-License-Identifier: Apache-2.0 */
/* Between the two files that write npu-bench/1. */
#ifndef NPU_BENCH_REPORT_JSON_H
#define NPU_BENCH_REPORT_JSON_H

#include "base/json.h"
#include "report.h"
#include "run_groups.h"

/* "side" of a run: 0 is null. */
void json_side(struct json *j, char side);
/* One process of b->run, with its statistics. */
void json_run(struct json *j, const struct bench *b,
    const struct bench_stats *s, unsigned i);
/* "energy" of a run, and why it is null. */
void json_energy(struct json *j, const struct bench *b, unsigned i);
/* "warnings": their codes. */
void json_warnings(struct json *j, unsigned warnings);

#endif
