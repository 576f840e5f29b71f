// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "cmd.h"
#include "npu-bench/measure/stage_stats.h"
#include "slowdown.h"
#include "stats/median.h"

/*
 * A factor of the limit at which detection is certain: 8 % if the limit is 5 %.
 */
#define MARGIN 1.6

double
slowdown_fraction(const struct bench_gate *g)
{
	return MARGIN * g->regress;
}

double
slowdown_infer_ms(const struct bench *same, const struct bench_gate *g,
    const struct bench_run *r)
{
	double *ms = cmd_alloc(same->runs * sizeof(*ms)), usual;
	size_t n = 0;

	for (unsigned i = 0; i < same->runs; i++) {
		struct bench_run *s = same->run[i];

		if (s->config == r->config && s->process == r->process)
			ms[n++] = bench_stat(s, stage_names[STAGE_INFER],
			    "median");
	}
	usual = stats_median(ms, n);
	free(ms);
	/* Add more than --min-delta ignores. */
	usual = fmax(usual, 4 * g->min_delta_ms / slowdown_fraction(g));
	return r->side == 'B' ? usual * (1 + slowdown_fraction(g)) : usual;
}
