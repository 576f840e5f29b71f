// SPDX-License-Identifier: Apache-2.0
/*
 * Writes the default report; text_lines.c writes the lines around its tables.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "operations.h"
#include "report.h"
#include "run_groups.h"
#include "table.h"
#include "text_lines.h"

/* ---- Stages of a group ------------------------------------------------ */

static void
title(struct buf *out, const struct bench *b, const struct run_group *g)
{
	const struct bench_run *r = g->head;
	char name[200];

	model_name(name, b, r->model.path, 40);
	if (r->side != 0)
		buf_printf(out, "%c: ", r->side);
	buf_printf(out, "%s, %s", name, bench_scenarios[r->load.scenario]);
	if (r->load.scenario == SERVER)
		buf_printf(out, " at %.6g/s", r->load.rate);
	buf_printf(out, ", %u in flight", r->load.inflight);
	if (g->processes > g->runs)
		buf_printf(out, ", %u processes", g->processes / g->runs);
	if (g->runs > 1)
		buf_printf(out, ", %u runs", g->runs);
	buf_puts(out, "\n");
}

/* Returns the decimals for the longest duration in the tables of g. */
static int
decimals_of(const struct run_group *g)
{
	double most = 0;

	for (int i = 0; i < STAGES; i++)
		if (g->median.stage[i].summary.n > 0)
			most = fmax(most, g->median.stage[i].summary.max);
	return format_decimals(most);
}

static void
stage_row(struct text_table *t, const struct bench_plan *p,
    const struct bench_stats *m, int stage, int decimals)
{
	const struct summary *s = &m->stage[stage].summary;

	table_cell(t, "%s", stage_names[stage]);
	table_ms(t, s->mean, m->floor_ms, decimals);
	table_ms(t, s->mean < m->floor_ms ? NAN : s->sd, 0, decimals);
	table_ms(t, s->min, m->floor_ms, decimals);
	for (unsigned k = 0; k < p->percentiles; k++)
		table_ms(t, m->stage[stage].percentile[k].value, m->floor_ms,
		    decimals);
	table_ms(t, s->max, m->floor_ms, decimals);
}

static void
stages(struct buf *out, const struct bench_plan *p,
    const struct run_group *g)
{
	struct text_table t = { .columns = 5 + p->percentiles, .left = 1 };
	char percent[11];

	table_cell(&t, "ms");
	table_cell(&t, "mean");
	table_cell(&t, "sd");
	table_cell(&t, "min");
	for (unsigned k = 0; k < p->percentiles; k++) {
		bench_percent(p->percentile[k], percent);
		table_cell(&t, "p%s", percent);
	}
	table_cell(&t, "max");
	for (int i = 0; i < STAGES; i++)
		if (g->median.stage[i].summary.n > 0)
			stage_row(&t, p, &g->median, i, decimals_of(g));
	table_print(out, &t);
}

/* ---- Percentiles ------------------------------------------------------ */

static void
percentile_row(struct text_table *t, const struct bench_stats *m, int stage,
    const struct percentile *p, int decimals)
{
	char percent[11];

	bench_percent(p->p, percent);
	table_cell(t, "%s", stage_names[stage]);
	table_cell(t, "p%s", percent);
	table_ms(t, p->value, m->floor_ms, decimals);
	table_ms(t, p->ucb, m->floor_ms, decimals);
	table_ms(t, p->low, m->floor_ms, decimals);
	table_ms(t, p->high, m->floor_ms, decimals);
	if (p->need > 0)
		table_cell(t, "%zu", p->need);
	else
		table_cell(t, "-");
}

static void
percentiles(struct buf *out, const struct bench_plan *p,
    const struct run_group *g)
{
	static const char *const head[] = { "ms", "", "value", "ucb",
	    "95% from", "to", "needs n" };
	static const enum bench_stage shown[] = { STAGE_INFER, STAGE_E2E,
	    STAGE_QUERY };
	struct text_table t = { .columns = 7, .left = 2 };

	for (size_t i = 0; i < 7; i++)
		table_cell(&t, "%s", head[i]);
	for (size_t i = 0; i < 3; i++) {
		const struct stage_stats *s = &g->median.stage[shown[i]];

		for (unsigned k = 0; s->summary.n > 0 && k < p->percentiles;
		    k++)
			percentile_row(&t, &g->median, (int)shown[i],
			    &s->percentile[k], decimals_of(g));
	}
	buf_puts(out, "\n");
	table_print(out, &t);
}

/* ---- Configurations side by side -------------------------------------- */

static double
of_median(const struct bench *b, const struct run_group *g,
    const char *stage, const char *stat)
{
	struct run_spread d;

	run_spread_of(b, g, stat_of_run,
	    &(struct stage_stat){ stage, stat }, &d);
	return d.median;
}

/* The table has room for few digits. */
static void
operations_cells(struct text_table *t, const struct bench_plan *p,
    double throughput)
{
	double gops = operations_gops(p, throughput);

	table_number(t, gops, gops < 100 ? 1 : 0);
	table_number(t, operations_share(p, throughput), 2);
}

static void
compared_row(struct text_table *t, const struct bench *b,
    const struct run_group *g, int decimals)
{
	const struct bench_run *r = g->head;
	const double floor = g->median.floor_ms;
	struct run_spread rate;
	char name[200];

	model_name(name, b, r->model.path, 40);
	table_cell(t, "%s%s%s", r->side != 0 ? (char[]){ r->side, '\0' } : "",
	    r->side != 0 ? ": " : "", name);
	table_cell(t, "%s", bench_scenarios[r->load.scenario]);
	table_cell(t, "%u", r->load.inflight);
	table_cell(t, "%u", g->n);
	/* With several in flight the number is too low if the device runs them
	 * in parallel. */
	table_ms(t, r->load.inflight > 1 ? (double)NAN :
	    of_median(b, g, "infer", "p50"), floor, decimals);
	table_ms(t, of_median(b, g, "e2e", "p50"), floor, decimals);
	table_ms(t, of_median(b, g, "e2e", "p99_ucb"), floor, decimals);
	run_spread_of(b, g, cores_of_run, NULL, &rate);
	table_number(t, rate.median, 3);
	run_spread_of(b, g, stat_of_run,
	    &(struct stage_stat){ "throughput", "" }, &rate);
	table_number(t, rate.median, 2);
	table_number(t, 100 * rate.sd, 1);
	if (b->plan->ops > 0)
		operations_cells(t, b->plan, rate.median);
}

static void
compared(struct buf *out, const struct bench *b,
    const struct run_groups *g)
{
	static const char *const head[] = { "ms", "scenario", "j", "runs",
	    "infer p50", "e2e p50", "e2e p99 ucb", "cores", "inf/s",
	    "sd %", "GOPS", "peak %" };
	struct text_table t = { .columns = b->plan->ops > 0 ? 12 : 10,
	    .left = 2 };
	int decimals = 5;
	bool queueing = false;

	for (unsigned i = 0; i < g->n; i++)
		if (g->group[i].n > 0 && decimals_of(&g->group[i]) < decimals)
			decimals = decimals_of(&g->group[i]);
	for (size_t i = 0; i < t.columns; i++)
		table_cell(&t, "%s", head[i]);
	for (unsigned i = 0; i < g->n; i++)
		compared_row(&t, b, &g->group[i], decimals);
	table_print(out, &t);
	for (unsigned i = 0; i < g->n; i++)
		queueing |= g->group[i].head->load.inflight > 1;
	if (queueing)
		buf_puts(out, "e2e includes queueing where several are in "
		    "flight.\n");
}

/* ---- The report ------------------------------------------------------- */

static void
group_text(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	title(out, b, g);
	if (g->n > 0) {
		stages(out, b->plan, g);
		percentiles(out, b->plan, g);
		buf_puts(out, "\n");
		text_group_lines(out, b, g);
	}
}

/* Once for all groups of a run, because workers are released together. */
static void
together(struct buf *out, const struct bench *b, const struct run_groups *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		const struct run_group *a = &g->group[i];

		if (i == 0 || a->head->config != a[-1].head->config ||
		    a->head->side != a[-1].head->side)
			text_together_line(out, b, a->head);
	}
}

void
bench_text(struct buf *out, const struct bench *b,
    const struct bench_stats *s, bool all)
{
	struct run_groups g;

	run_groups_of(b, s, &g);
	text_machine_lines(out, b);
	if (g.n > 1)
		compared(out, b, &g);
	for (unsigned i = 0; i < g.n; i++) {
		if (all || g.n == 1) {
			buf_puts(out, g.n > 1 ? "\n" : "");
			group_text(out, b, &g.group[i]);
		}
		text_failure_lines(out, b, &g.group[i]);
	}
	together(out, b, &g);
	verdict_text(out, b);
	buf_puts(out, "LoadGen-style scenario; not an MLPerf result.\n");
	run_groups_free(&g);
}
