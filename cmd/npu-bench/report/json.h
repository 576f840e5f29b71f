/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the document npu-bench/1, from json_run.c for json.c. */
#ifndef NPU_BENCH_REPORT_JSON_H
#define NPU_BENCH_REPORT_JSON_H

#include "base/json.h"
#include "report.h"
#include "run_groups.h"

/* Adds "side"; 0 becomes null. */
void json_side(struct json *j, char side);
/* Adds b->run[i], with its statistics. */
void json_run(struct json *j, const struct bench *b,
    const struct bench_stats *s, unsigned i);
/* Adds "energy" of b->run[i], and "energy_reason" if it is null. */
void json_energy(struct json *j, const struct bench *b, unsigned i);
/* Adds "warnings": an array of codes. */
void json_warnings(struct json *j, unsigned warnings);

#endif
