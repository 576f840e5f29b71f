// SPDX-License-Identifier: Apache-2.0
/*
 * Derives verdicts from runs: selects the runs to compare and calls lib/stats.
 */
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

/* before[i] is compared with after[i].  The last `unlike` subjects are not
 * compared, because their fingerprints differ. */
struct pairs {
	struct bench_points fresh;
	struct bench_subject *before, *after;
	size_t n, unlike;
	struct bench_values a, b;
};

/* Side A is before, side B is after. */
static void
pair_sides(struct pairs *c, struct bench_verdicts *v)
{
	size_t n = compare_subjects(&c->fresh, 'A', c->before);

	c->n = compare_subjects(&c->fresh, 'B', c->after);
	if (c->n == n && n > 0)
		return;
	snprintf(v->why, sizeof(v->why), n == 0 || c->n == 0 ?
	    "no run of %s succeeded" : "A and B have different numbers of "
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
	struct bench_subject *all = cmd_alloc(c->fresh.n * sizeof(*all));
	size_t n_all = compare_subjects(&c->fresh, 0, all);
	const struct bench_subject *near;
	struct buf differ = { 0 };
	size_t at;

	for (size_t i = 0; i < n_all && n > 0; i++) {
		near = compare_nearest(stored, n, &all[i]);
		if (compare_fingerprints(near, &all[i], true, &differ) == 0 ||
		    g->force)
			at = c->n++;
		else
			at = n_all - ++c->unlike;
		c->before[at] = *near;
		c->after[at] = all[i];
	}
	if (n == 0 || n_all == 0)
		snprintf(v->why, sizeof(v->why), "no run of %s succeeded",
		    n == 0 ? "the baseline" : "these");
	else if (differ.failed)
		cmd_die("out of memory");
	else if (differ.n > 0 && (c->n == 0 || g->force))
		snprintf(v->why, sizeof(v->why), "%.*s", (int)differ.n,
		    differ.p);
	buf_free(&differ);
	free(stored);
	free(all);
}

/* ---- A metric --------------------------------------------------------- */

/* Formats a metric's name: "infer p99 ucb". */
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

static void
name_subject(const struct bench_subject *s, struct bench_gated *v)
{
	v->model = s->first->model;
	v->config = s->first->config;
	v->inflight = s->first->inflight;
	v->before = v->after = v->change = v->bound = v->limit = NAN;
}

/* Adds a verdict in place of the metrics of a subject. */
static void
explain_unlike(const struct bench_subject *before,
    const struct bench_subject *after, struct bench_gated *v)
{
	struct buf differ = { 0 };

	name_subject(after, v);
	strcpy(v->metric, "comparison");
	v->verdict = BENCH_UNSURE;
	v->final = true;
	compare_fingerprints(before, after, false, &differ);
	if (differ.failed)
		cmd_die("out of memory");
	snprintf(v->why, sizeof(v->why), "%.*s", (int)differ.n, differ.p);
	buf_free(&differ);
}

/* Computes the values of a metric.  Returns false, with a reason in *v, if a
 * run does not have the metric. */
static bool
collect_values(struct pairs *c, size_t i, const struct bench_gate *g,
    unsigned k, struct bench_gated *v)
{
	const struct bench_metric *m = &g->metrics.metric[k];
	bool sum = v->higher = *m->stat == '\0';

	name_metric(m, v->metric);
	name_subject(&c->after[i], v);
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

static void
explain_few(size_t runs, struct bench_gated *v)
{
	snprintf(v->why, sizeof(v->why), "%zu run%s, %d are needed", runs,
	    runs == 1 ? "" : "s", GATE_LEAST);
}

/* m is the number of metrics that are judged, for all subjects together. */
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
	v->final = !paired && c->a.n < GATE_LEAST;
	if (c->a.n < GATE_LEAST || c->b.n < GATE_LEAST)
		explain_few(c->a.n < c->b.n ? c->a.n : c->b.n, v);
	else if (isnan(r.change))
		snprintf(v->why, sizeof(v->why), "a run measured 0");
	else if (r.verdict == GATE_PASS && r.high > r.limit)
		snprintf(v->why, sizeof(v->why), "less than --min-delta");
	/* Compute the medians last: they sort the runs. */
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
	if (v->n == 0)		/* v->why covers all metrics */
		return;
	if (judged == 0)
		snprintf(v->why, sizeof(v->why), "no metric could be compared");
	for (size_t i = c->n + c->unlike; i > c->n && v->n < BENCH_GATED; i--)
		explain_unlike(&c->before[i - 1], &c->after[i - 1],
		    &v->gated[v->n++]);
}

/* Returns the first run whose window ended at a limit before it had enough
 * samples. */
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
	v->runs = compare_runs(&c->fresh);
	v->stored = compare_runs(&g->stored);
	judge_all(c, g, v);
	sum_up(b, v);
	baseline_free(&c->fresh);
	free(c->before);
	free(c->after);
	free(c);
}
