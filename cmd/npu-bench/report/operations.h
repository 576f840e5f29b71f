/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in a second: from --ops or --onnx, and a throughput. */
#ifndef NPU_BENCH_REPORT_OPERATIONS_H
#define NPU_BENCH_REPORT_OPERATIONS_H

#include "base/buf.h"
#include "npu-bench/measure/stage_stats.h"

struct json;

/* Return 10^9 operations in a second, and their percentage of the peak; NAN:
 * unknown.  throughput: inferences in a second. */
double operations_gops(const struct bench_plan *p, double throughput);
double operations_share(const struct bench_plan *p, double throughput);

/* Adds ", 142 GOPS, 0.49% of the peak"; nothing if the operations are unknown.
 */
void operations_text(struct buf *out, const struct bench_plan *p,
    double throughput);
/* Adds a line of the text report, in the same way. */
void operations_line(struct buf *out, const struct bench_plan *p,
    double throughput);
/* Adds the members gops and peak_pct. */
void operations_json(struct json *j, const struct bench_plan *p,
    double throughput);

#endif
