/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses a side of a comparison: the words of --ab, which may be variables,
 * options or models.  Without a comparison, the common side is the only side.
 */
#ifndef NPU_BENCH_SIDES_H
#define NPU_BENCH_SIDES_H

#include "npu-bench/measure/sweep.h"

/* Adds an option to a side.  Returns false if the option cannot be set for a
 * single side. */
bool side_parse_option(struct bench_side *side, int opt, const char *arg);

/* Parses words of --ab.  Models, numbers in flight and the scenario come from
 * *common if the words do not have them.  Returns true if the words have
 * models. */
bool side_parse(struct bench_side *side, char name, const char *words,
    const struct bench_side *common);

#endif
