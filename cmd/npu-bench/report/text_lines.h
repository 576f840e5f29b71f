/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the lines of the text report above and below its tables. */
#ifndef NPU_BENCH_REPORT_TEXT_LINES_H
#define NPU_BENCH_REPORT_TEXT_LINES_H

#include "base/buf.h"
#include "run_groups.h"

/* Adds the machine and the library. */
void text_machine_lines(struct buf *out, const struct bench *b);
/* Adds labelled lines with what a group's tables do not show. */
void text_group_lines(struct buf *out, const struct bench *b,
    const struct run_group *g);
/* Adds the reasons why runs of a group failed. */
void text_failure_lines(struct buf *out, const struct bench *b,
    const struct run_group *g);
/* Adds the throughput of the processes that were released with head, if there
 * are several. */
void text_together_line(struct buf *out, const struct bench *b,
    const struct bench_run *head);

#endif
