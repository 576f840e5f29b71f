/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the reports of npu-bench: struct bench as text, JSON (npu-bench/1),
 * CSV and JUnit XML.  s is bench_stats_all(b).
 */
#ifndef NPU_BENCH_REPORT_REPORT_H
#define NPU_BENCH_REPORT_REPORT_H

#include "base/buf.h"
#include "cmd.h"
#include "npu-bench/measure/stage_stats.h"

/* Writes the default report: a row for each stage, then a summary; for several
 * configurations, a row for each.  all: also the stages of each configuration
 * (-v). */
void bench_text(struct buf *out, const struct bench *b,
    const struct bench_stats *s, bool all);

/*
 * Writes a complete document, even if runs failed or did not happen.  error and
 * status, a message and the exit status, become the member "error"; error NULL:
 * nothing failed.
 */
void bench_json(struct buf *out, const struct bench *b,
    const struct bench_stats *s, const char *error, int status);

/* Writes CSV (separator ',') or TSV ('\t'). */
void bench_table(struct buf *out, const struct bench *b,
    const struct bench_stats *s, char separator);

/* Adds a metric's verdict, without a newline: "infer p50 +6.1% (>= +4.4%, limit
 * +5%) inconclusive". */
void verdict_line(struct buf *out, const struct bench_gated *v);
/* Adds a line for each verdict and one for the overall verdict; nothing without
 * a gate. */
void verdict_text(struct buf *out, const struct bench *b);

/*
 * Writes verdicts as JUnit XML: a suite for each model, a case for each metric.
 * error: why the comparison failed, or NULL.
 */
void bench_junit(struct buf *out, const struct bench *b,
    enum bench_unsure unsure, const char *error);

/* --samples: writes a line for each sample of each run; closes *o. */
void bench_write_samples(struct output *o, const struct bench *b);

#endif
