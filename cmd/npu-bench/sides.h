/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a side of a comparison is made of, and without one, all there is: words
 * that may be environment, options or models; and from these, and the lists of
 * models and of numbers in flight, the loads of every configuration.
 */
#ifndef NPU_BENCH_SIDES_H
#define NPU_BENCH_SIDES_H

#include "npu-bench/measure/sweep.h"

/* "1,2,4", "1-4", of -j; a usage error says what it may be. */
void jobs_parse(struct bench_jobs *jobs, const char *arg);

/* Whether option c may be said of one side alone, and is kept as given. */
bool side_parse_option(struct bench_side *side, int opt, const char *arg);

/* The words of --ab.  What they do not say of models, numbers in flight and the
 * scenario is as in *common.  Returns whether it has models of its own. */
bool side_parse(struct bench_side *side, char name, const char *words,
    const struct bench_side *common);

#endif
