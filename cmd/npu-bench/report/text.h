/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files that write what people read. */
#ifndef NPU_BENCH_REPORT_TEXT_H
#define NPU_BENCH_REPORT_TEXT_H

#include "report.h"
#include "run_groups.h"
#include "table.h"

/* Numbers of one process, for run_spread_of(): of struct stage_stat, as
 * bench_stat() has it; processors that it kept busy. */
struct stage_stat {
	const char *stage, *stat;
};
double stat_of_run(const struct bench *b, unsigned i, const void *what);
double cores_of_run(const struct bench *b, unsigned i, const void *what);

/* A model's name in a table: that of its file, unless another one's is the
 * same; format_name(). */
void text_model_name(char s[200], const struct bench *b, const char *model,
    size_t widest);

/* What machine and library it is. */
void text_machine_lines(struct buf *out, const struct bench *b);
/* What is said of a group below its table: a line each, which begins with what
 * it is of. */
void text_group_lines(struct buf *out, const struct bench *b,
    const struct run_group *g);
/* Why runs of a group failed. */
void text_failure_lines(struct buf *out, const struct bench *b,
    const struct run_group *g);
/* The throughput of the processes that were released with head, if there are
 * several. */
void text_together_line(struct buf *out, const struct bench *b,
    const struct bench_run *head);

#endif
