// SPDX-License-Identifier: Apache-2.0
/* From runs to verdicts: which are compared, and how lib/stats judges them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "compare.h"
#include "gate.h"
#include "stats/gate.h"
#include "stats/median.h"
#include "stats/percentile.h"

/* ---- Pairs ------------------------------------------------------------ */

/* before[i] is compared with after[i]. */
struct pairs {
	struct bench_points fresh;
	struct bench_subject *before, *after;
	size_t n;
	struct bench_values a, b;
};

/* A is before, B is after. */
static void
pair_sides(struct pairs *c, struct bench_verdicts *v)
{
	size_t n = compare_subjects(&c->fresh, 'A', c->before);

	c->n = compare_subjects(&c->fresh, 'B', c->after);
	if (c->n == n && n > 0)
		return;
	snprintf(v->why, sizeof(v->why), n == 0 || c->n == 0 ?
	    "no run of %s succeeded" : "A and B are of different numbers of "
	    "models", n == 0 ? "A" : "B");
	c->n = 0;
}

static void
pair_stored(struct pairs *c, const struct bench_gate *g,
    struct bench_verdicts *v)
{
	struct bench_subject *stored = cmd_alloc(g->stored.n *
	    sizeof(*stored));
	size_t n = compare_subjects(&g->stored, 0, stored);
	const struct bench_subject *near;
	struct buf differ = { 0 };

	c->n = compare_subjects(&c->fresh, 0, c->after);
	for (size_t i = 0; i < c->n; i++) {
		near = compare_nearest(stored, n, &c->after[i]);
		if (near == NULL)
			break;
		c->before[i] = *near;
		compare_fingerprints(near, &c->after[i], &differ);
	}
	/* Without the list, those that differ would be compared. */
	if (differ.failed)
		cmd_die("out of memory");
	if (n == 0 || c->n == 0)
		snprintf(v->why, sizeof(v->why), "no run of %s succeeded",
		    n == 0 ? "the baseline" : "these");
	else if (differ.n > 0)
		snprintf(v->why, sizeof(v->why), "%.*s", (int)differ.n,
		    differ.p);
	if (n == 0 || (differ.n > 0 && !g->force))
		c->n = 0;
	buf_free(&differ);
	free(stored);
}

/* ---- A metric --------------------------------------------------------- */

/* "infer p99 ucb". */
static void
name_metric(const struct bench_metric *m, char name[40])
{
	snprintf(name, 40, "%s%s%s", m->stage, *m->stat != '\0' ? " " : "",
	    m->stat);
	for (char *p = name; *p != '\0'; p++)
		if (*p == '_')
			*p = ' ';
}

/* Leaves a metric out because a run does not have it. */
static void
explain_missing(struct bench_gated *v, const struct bench_metric *m,
    const struct bench_values *a, const struct bench_values *b)
{
	uint64_t n = a->least < b->least ? a->least : b->least;
	size_t need = bench_gate_need(m);

	v->verdict = BENCH_NO_GATE;
	if (n < need)
		snprintf(v->why, sizeof(v->why), "a run has %" PRIu64
		    " samples, %zu are needed", n, need);
	else
		snprintf(v->why, sizeof(v->why), "%s does not have it",
		    compare_known(a) ? "a run" : "a run to compare with");
}

/* The values of a metric; false, with a reason in *v, if a run has none. */
static bool
collect_values(struct pairs *c, size_t i, const struct bench_gate *g,
    unsigned k, struct bench_gated *v)
{
	const struct bench_metric *m = &g->metrics.metric[k];
	bool sum = v->higher = *m->stat == '\0';

	name_metric(m, v->metric);
	v->model = c->after[i].first->model;
	v->config = c->after[i].first->config;
	v->inflight = c->after[i].first->inflight;
	v->before = v->after = v->change = v->bound = v->limit = NAN;
	compare_values(&c->before[i], k, sum, &c->a);
	compare_values(&c->after[i], k, sum, &c->b);
	if (c->after[i].first->side != 0)
		compare_pair(&c->a, &c->b);
	if (compare_known(&c->a) && compare_known(&c->b))
		return true;
	explain_missing(v, m, &c->a, &c->b);
	return false;
}

static double
median(struct bench_values *v)
{
	return v->n > 0 ? stats_median(v->x, v->n) : NAN;
}

static const enum bench_verdict verdicts[] = {
	[GATE_PASS] = BENCH_PASS, [GATE_NONE] = BENCH_UNSURE,
	[GATE_REGRESSION] = BENCH_REGRESSION,
};

/* m: the number of metrics that are judged, of all subjects. */
static void
judge_metric(struct pairs *c, bool paired, const struct bench_gate *g,
    unsigned m, struct bench_gated *v)
{
	struct gate_rule rule = { g->regress, v->higher ? 0 : g->min_delta_ms,
	    m, v->higher };
	struct gate_result r;
	struct gate_line line;

	if (paired)
		gate_pairs(c->a.x, c->b.x, c->a.n, &rule, &r);
	else
		gate_baseline(c->a.x, c->a.n, c->b.x, c->b.n, &rule, &r);
	gate_line_of(&r, &line);
	v->change = line.change;
	v->bound = line.bound;
	v->limit = line.limit;
	v->at_least = line.at_least;
	v->verdict = verdicts[r.verdict];
	if (c->a.n < GATE_LEAST || c->b.n < GATE_LEAST)
		snprintf(v->why, sizeof(v->why), "%zu runs, %d are needed",
		    c->a.n < c->b.n ? c->a.n : c->b.n, GATE_LEAST);
	else if (isnan(r.change))
		snprintf(v->why, sizeof(v->why), "a run measured 0");
	else if (r.verdict == GATE_PASS && r.high > r.limit)
		snprintf(v->why, sizeof(v->why), "less than --min-delta");
	/* The medians sort the runs, and so come last. */
	v->before = median(&c->a);
	v->after = median(&c->b);
}

/* ---- All metrics ------------------------------------------------------ */

static void
judge_all(struct pairs *c, const struct bench_gate *g,
    struct bench_verdicts *v)
{
	struct bench_gated *one;
	unsigned judged = 0, at = 0;

	v->n = 0;
	for (size_t i = 0; i < c->n; i++)
		for (unsigned k = 0; k < g->metrics.n && v->n < BENCH_GATED;
		    k++)
			judged += collect_values(c, i, g, k, &v->gated[v->n++]);
	for (size_t i = 0; i < c->n; i++)
		for (unsigned k = 0; k < g->metrics.n && at < v->n; k++) {
			one = &v->gated[at++];
			if (collect_values(c, i, g, k, one))
				judge_metric(c, c->after[i].first->side != 0,
				    g, judged, one);
		}
	if (v->n > 0 && judged == 0)
		snprintf(v->why, sizeof(v->why), "no metric could be compared");
}

/* The first run whose window a limit ended before it had enough samples. */
static const struct bench_run *
cut_short(const struct bench *b)
{
	for (unsigned i = 0; i < b->runs; i++)
		if (b->run[i]->rc == 0 &&
		    b->run[i]->window.n < b->plan->wanted_n)
			return b->run[i];
	return NULL;
}

static void
sum_up(const struct bench *b, struct bench_verdicts *v)
{
	const struct bench_run *cut = cut_short(b);
	bool any = false, unsure = false;

	for (unsigned i = 0; i < v->n; i++) {
		any = any || v->gated[i].verdict != BENCH_NO_GATE;
		unsure = unsure || v->gated[i].verdict == BENCH_UNSURE;
		if (v->gated[i].verdict == BENCH_REGRESSION) {
			v->verdict = BENCH_REGRESSION;
			return;
		}
	}
	v->verdict = any && !unsure ? BENCH_PASS : BENCH_UNSURE;
	if (v->verdict != BENCH_PASS || cut == NULL)
		return;
	v->verdict = BENCH_UNSURE;
	snprintf(v->why, sizeof(v->why), "run %u was cut short: %" PRIu64
	    " samples of %" PRIu64, cut->run + 1, cut->window.n,
	    b->plan->wanted_n);
}

/* The most runs of a subject. */
static unsigned
count_runs(const struct bench_points *p)
{
	unsigned most = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->point[i].run >= most)
			most = p->point[i].run + 1;
	return most;
}

void
bench_gate_judge(const struct bench_gate *g, struct bench *b)
{
	struct bench_verdicts *v = &b->verdicts;
	struct pairs *c = cmd_alloc(sizeof(*c));

	memset(v, 0, sizeof(*v));
	v->verdict = BENCH_UNSURE;
	compare_points(b, &g->metrics, &c->fresh);
	c->before = cmd_alloc(c->fresh.n * sizeof(*c->before));
	c->after = cmd_alloc(c->fresh.n * sizeof(*c->after));
	if (g->baseline == NULL)
		pair_sides(c, v);
	else
		pair_stored(c, g, v);
	v->against = g->baseline != NULL ? g->baseline : "A against B";
	v->runs = count_runs(&c->fresh);
	v->stored = count_runs(&g->stored);
	judge_all(c, g, v);
	sum_up(b, v);
	baseline_free(&c->fresh);
	free(c->before);
	free(c->after);
	free(c);
}
