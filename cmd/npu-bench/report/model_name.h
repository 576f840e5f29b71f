/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a model in a report. */
#ifndef NPU_BENCH_REPORT_MODEL_NAME_H
#define NPU_BENCH_REPORT_MODEL_NAME_H

#include <stddef.h>

struct bench;

/* The name of its file, or its path if the file of another model of b has the
 * same name; cut as format_name() does. */
void model_name(char s[200], const struct bench *b, const char *model,
    size_t widest);

#endif
