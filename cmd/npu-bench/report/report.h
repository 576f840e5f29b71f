/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reports of npu-bench: struct bench as text, JSON (npu-bench/1), CSV
 * and JUnit's XML.  s: bench_stats_all(b).
 */
#ifndef NPU_BENCH_REPORT_REPORT_H
#define NPU_BENCH_REPORT_REPORT_H

#include "base/buf.h"
#include "cmd.h"
#include "npu-bench/measure/stage_stats.h"

/* The default: a row for each stage, then a summary; of several configurations,
 * a row for each.  all: the stages of each configuration as well (-v). */
void bench_text(struct buf *out, const struct bench *b,
    const struct bench_stats *s, bool all);

/*
 * A complete document, even if runs failed or there are none.  error and
 * status, a message and the exit status, become the member "error"; error NULL:
 * nothing failed.
 */
void bench_json(struct buf *out, const struct bench *b,
    const struct bench_stats *s, const char *error, int status);

void bench_csv(struct buf *out, const struct bench *b,
    const struct bench_stats *s);

/* A metric's verdict, without a newline: "infer p50 +6.1% (>= +4.4%, limit +5%)
 * inconclusive". */
void verdict_line(struct buf *out, const struct bench_gated *v);
/* A line for each verdict and one for the overall verdict; nothing without a
 * gate. */
void verdict_text(struct buf *out, const struct bench *b);

/*
 * Verdicts as JUnit's XML: a suite for each model, a case for each metric.
 * error: why there is no comparison, or NULL.
 */
void bench_junit(struct buf *out, const struct bench *b,
    enum bench_unsure unsure, const char *error);

/* --samples: a line for each sample of each run; closes *o. */
void bench_write_samples(struct output *o, const struct bench *b);

#endif
