/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files that write what people read. */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include "bench_group.h"
#include "bench_report.h"
#include "bench_table.h"

/* Numbers of one process, for bench_spread_of(): of struct stage_stat, as
 * bench_stat() has it; processors that it kept busy. */
struct stage_stat {
	const char *stage, *stat;
};
double bench_of_stat(const struct bench *b, unsigned i, const void *what);
double bench_of_cores(const struct bench *b, unsigned i, const void *what);

/* What machine and library it is. */
void bench_machine_lines(struct buf *out, const struct bench *b);
/* What is said of a group below its table: a line each, which begins with what
 * it is of. */
void bench_lines(struct buf *out, const struct bench *b,
    const struct bench_group *g);
/* Why runs of a group failed. */
void bench_failure_lines(struct buf *out, const struct bench *b,
    const struct bench_group *g);
/* The throughput of the processes that were released with head, if there are
 * several. */
void bench_together_line(struct buf *out, const struct bench *b,
    const struct bench_run *head);

#endif
