/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reports of npu-bench: struct bench as text, JSON (npu-bench/1) and CSV.
 * All take the statistics of b's runs: bench_stats_all(b).
 */
#ifndef NPU_BENCH_REPORT_REPORT_H
#define NPU_BENCH_REPORT_REPORT_H

#include "base/buf.h"
#include "cmd.h"
#include "npu-bench/measure/stage_stats.h"

/* The default: a row a stage, then the summary; of several configurations a
 * row each.  all: each configuration's stages nevertheless (-v). */
void bench_text(struct buf *out, const struct bench *b,
    const struct bench_stats *s, bool all);

/* -F guide: a table of mean, p50, p95, min, max, stddev and inferences a
 * second, of the inference alone and of the full cycle. */
void bench_markdown(struct buf *out, const struct bench *b,
    const struct bench_stats *s);

/* -H: the durations of infer and of e2e, or of the query, in bins. */
void bench_histogram(struct buf *out, const struct bench *b);

/* --explain: each stage, statistic and warning in words. */
void bench_explain(struct buf *out);

/*
 * A whole document, also where runs failed, or where there are none.  error
 * NULL: nothing failed; else what did, and the exit status, which become the
 * member "error".
 */
void bench_json(struct buf *out, const struct bench *b,
    const struct bench_stats *s, const char *error, int status);

void bench_csv(struct buf *out, const struct bench *b,
    const struct bench_stats *s);

/* A metric's verdict, without a newline: "infer p50 +6.1% (>= +4.4%, limit +5%)
 * no verdict". */
void verdict_line(struct buf *out, const struct bench_gated *v);
/* A line for each verdict, and one for the verdict of all; nothing without a
 * gate. */
void verdict_text(struct buf *out, const struct bench *b);

/* Verdicts as JUnit's XML: a suite for each model, a case for each metric. */
void bench_junit(struct buf *out, const struct bench *b,
    enum bench_unsure unsure);

/* --samples: a line for each sample of each run, as it is; closes *o. */
void bench_write_samples(struct output *o, const struct bench *b);

/* The warnings of any run. */
unsigned bench_warnings(const struct bench *b, const struct bench_stats *s);
/* Says them on stderr, a line each. */
void bench_warn(const struct bench *b, const struct bench_stats *s);

#endif
