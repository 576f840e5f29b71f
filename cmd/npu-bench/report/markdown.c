// SPDX-License-Identifier: Apache-2.0
/* -F guide: tables like those of the public guide to this NPU. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_name.h"
#include "report.h"
#include "run_groups.h"
#include "table.h"

/* "15.52 ms", as in the guide; longer and shorter ones with 4 digits. */
static int
decimals_of(double ms)
{
	return ms >= 1000 ? 0 : ms >= 100 ? 1 : ms >= 1 ? 2 : 4;
}

static void
duration(struct text_table *t, double ms, double floor, int decimals)
{
	char s[32];

	format_ms(s, ms, floor, decimals);
	table_cell(t, "%s%s", s, isfinite(ms) ? " ms" : "");
}

/* A '|' is escaped, as it would end the cell. */
static void
model(struct text_table *t, const struct bench *b,
    const struct run_groups *all, const struct run_group *g)
{
	const struct bench_run *r = g->head;
	char name[200], cell[400], inflight[20] = "";
	size_t n = 0;

	model_name(name, b, r->model.path, 16);
	for (const char *s = name; *s != '\0'; s++) {
		if (*s == '|')
			cell[n++] = '\\';
		cell[n++] = *s;
	}
	cell[n] = '\0';
	if (all->n > 1)
		snprintf(inflight, sizeof(inflight), " -j %u",
		    r->load.inflight);
	table_cell(t, "%s%s%s%s", r->side != 0 ? (char[]){ r->side, '\0' } :
	    "", r->side != 0 ? ": " : "", cell, inflight);
}

static double
percentile(const struct bench *b, const struct run_group *g,
    enum bench_stage stage, const char *stat)
{
	struct run_spread d;

	run_spread_of(b, g, stat_of_run,
	    &(struct stage_stat){ stage_texts[stage].name, stat }, &d);
	return d.median;
}

static void
table(struct buf *out, const struct bench *b, const struct run_groups *all,
    enum bench_stage stage)
{
	static const char *const head[] = { "Model", "Mean", "P50", "P95",
	    "Min", "Max", "Stddev", "Throughput" };
	struct text_table t = { .columns = 8, .left = 1 };

	for (size_t i = 0; i < 8; i++)
		table_cell(&t, "%s", head[i]);
	for (unsigned i = 0; i < all->n; i++) {
		const struct run_group *g = &all->group[i];
		const struct summary *s = &g->median.stage[stage].summary;
		const double floor = g->median.floor_ms;
		const int d = g->n > 0 ? decimals_of(s->mean) : 2;
		double rate = stage == STAGE_E2E ? g->median.throughput :
		    1e3 / s->mean;

		model(&t, b, all, g);
		duration(&t, g->n > 0 ? s->mean : NAN, floor, d);
		duration(&t, percentile(b, g, stage, "p50"), floor, d);
		duration(&t, percentile(b, g, stage, "p95"), floor, d);
		duration(&t, g->n > 0 ? s->min : NAN, floor, d);
		duration(&t, g->n > 0 ? s->max : NAN, floor, d);
		duration(&t, g->n > 0 ? s->sd : NAN, 0, d);
		if (g->n == 0 || !isfinite(rate))
			table_cell(&t, "-");
		else
			table_cell(&t, "%.1f inf/s", rate);
	}
	table_markdown(out, &t);
}

/* "662 iterations each", or from the least to the most. */
static void
iterations(struct buf *out, const struct run_groups *all)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (unsigned i = 0; i < all->n; i++) {
		const struct run_group *g = &all->group[i];

		if (g->n > 0 && g->least_n < least)
			least = g->least_n;
		if (g->n > 0 && g->most_n > most)
			most = g->most_n;
	}
	if (most == 0)
		least = 0;
	buf_printf(out, "%" PRIu64, least);
	if (most != least)
		buf_printf(out, " to %" PRIu64, most);
	buf_puts(out, " iterations each");
}

void
bench_markdown(struct buf *out, const struct bench *b,
    const struct bench_stats *s)
{
	struct run_groups g;

	run_groups_of(b, s, &g);
	buf_puts(out, "### Raw NPU Inference (");
	iterations(out, &g);
	buf_puts(out, ")\n\n");
	table(out, b, &g, STAGE_INFER);
	buf_puts(out, "\n### Full Pipeline (create job + load tensor + infer + "
	    "get + cleanup)\n\n");
	table(out, b, &g, STAGE_E2E);
	buf_puts(out, "\nThroughput: raw is 1 / mean, full is what was "
	    "measured.\nLoadGen-style scenario; not an MLPerf result.\n");
	verdict_text(out, b);
	run_groups_free(&g);
}
