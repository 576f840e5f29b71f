// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "monitor.h"
#include "stage_stats.h"
#include "stats/median.h"

#define MS 1e6			/* ns */

const char *const stage_names[STAGES] = {
	[STAGE_CREATE] = "create", [STAGE_PUT] = "put",
	[STAGE_INFER] = "infer", [STAGE_GET] = "get",
	[STAGE_CLEAN] = "clean", [STAGE_E2E] = "e2e",
	[STAGE_QUERY] = "query",
};

/* ---- Durations -------------------------------------------------------- */

size_t
bench_samples_of(const struct bench_run *r)
{
	return r->window.n < r->room ? r->window.n : r->room;
}

static double
duration(const struct bench_sample *x, enum bench_stage stage)
{
	const uint64_t ns[STAGES] = {
		[STAGE_CREATE] = x->create, [STAGE_PUT] = x->put,
		[STAGE_INFER] = x->infer, [STAGE_GET] = x->get,
		[STAGE_CLEAN] = x->clean, [STAGE_E2E] = x->end - x->begin,
		[STAGE_QUERY] = x->end - x->due,
	};

	return (double)ns[stage] / MS;
}

/* Finds the longest sample of each query.  A query's samples are neighbours
 * that were due at the same time.  Returns the number of queries. */
static size_t
by_query(const struct bench_sample *x, size_t n, double *ms)
{
	size_t queries = 0;

	for (size_t i = 0; i < n; i++) {
		double d = duration(&x[i], STAGE_QUERY);

		if (i > 0 && x[i].due == x[i - 1].due)
			ms[queries - 1] = fmax(ms[queries - 1], d);
		else
			ms[queries++] = d;
	}
	return queries;
}

double *
bench_durations(struct bench_run *r, enum bench_stage stage, size_t *n)
{
	const struct bench_sample *x = bench_samples(r);
	double *ms;

	*n = bench_samples_of(r);
	if (*n == 0 || (stage == STAGE_QUERY && r->load.scenario != SERVER &&
	    r->load.scenario != MULTI_STREAM)) {
		*n = 0;
		return NULL;
	}
	ms = cmd_alloc(*n * sizeof(*ms));
	if (stage == STAGE_QUERY && r->load.scenario == MULTI_STREAM) {
		*n = by_query(x, *n, ms);
		return ms;
	}
	for (size_t i = 0; i < *n; i++)
		ms[i] = duration(&x[i], stage);
	return ms;
}

/* Returns the median of the host's work around each inference. */
static double
host_median(struct bench_run *r)
{
	const struct bench_sample *x = bench_samples(r);
	size_t n = bench_samples_of(r);
	double *ms = cmd_alloc(n * sizeof(*ms)), median;

	for (size_t i = 0; i < n; i++)
		ms[i] = (double)(x[i].create + x[i].put + x[i].get +
		    x[i].clean) / MS;
	median = stats_median(ms, n);
	free(ms);
	return median;
}

int
bench_bound_kept(struct bench_run *r, const struct bench_plan *p)
{
	const struct bench_sample *x = bench_samples(r);
	uint64_t late = r->window.failed + r->window.left;
	size_t n = bench_samples_of(r), all = n + late, over;

	if (p->bound_ns == 0 || r->load.scenario != SERVER)
		return -1;
	for (size_t i = 0; i < n; i++)
		late += x[i].end - x[i].due > p->bound_ns;
	over = percentile_over(p->bound_percentile, all);
	if (over > 0 && (late < over || r->search.n == 0))
		return late < over;
	/* Even few samples show whether the observed percentile is late. */
	return late > all - percentile_rank(p->bound_percentile, all) ? 0 : -1;
}

/* ---- Statistics ------------------------------------------------------- */

static void
stage_stats_of(struct bench_run *r, enum bench_stage stage,
    const struct bench_plan *p, struct stage_stats *s)
{
	size_t n;
	double *ms = bench_durations(r, stage, &n), *sorted;

	*s = (struct stage_stats){ .summary.n = 0 };
	if (n == 0)
		return;
	sorted = cmd_alloc(n * sizeof(*sorted));
	summary_of(ms, n, sorted, &s->summary);
	for (unsigned i = 0; i < p->percentiles; i++)
		percentile_of(sorted, n, p->percentile[i], &s->percentile[i]);
	histogram_of(sorted, &s->summary, STAGE_BINS, &s->histogram);
	free(sorted);
	free(ms);
}

static double
throughput_of(const struct bench_run *r)
{
	return r->window.n == 0 || r->window.ns == 0 ? NAN :
	    (double)r->window.n / ((double)r->window.ns / 1e9);
}

void
bench_stats_of(struct bench_run *r, const struct bench_plan *p,
    struct bench_stats *s)
{
	const struct summary *infer = &s->stage[STAGE_INFER].summary;
	double e2e;

	for (int i = 0; i < STAGES; i++)
		stage_stats_of(r, (enum bench_stage)i, p, &s->stage[i]);
	e2e = s->stage[STAGE_E2E].summary.mean;
	s->throughput = throughput_of(r);
	s->inverse_latency = infer->n == 0 || e2e == 0 ? NAN : 1e3 / e2e;
	s->floor_ms = STAGE_CLOCKS * (double)r->startup.clock_ns / MS;
	s->warnings = infer->n == 0 ? 0 :
	    warnings_of(infer, host_median(r), p->wanted_n);
}

struct bench_stats *
bench_stats_all(const struct bench *b)
{
	struct bench_stats *s = cmd_alloc((b->runs + 1) * sizeof(*s));

	for (unsigned i = 0; i < b->runs; i++) {
		bench_stats_of(b->run[i], b->plan, &s[i]);
		s[i].warnings |= monitor_warnings(&b->machine,
		    &b->run[i]->readings);
	}
	return s;
}

/* ---- One statistic ---------------------------------------------------- */

static const struct {
	const char *name;
	size_t at;
} summary_stats[] = {
	{ "mean", offsetof(struct summary, mean) },
	{ "sd", offsetof(struct summary, sd) },
	{ "min", offsetof(struct summary, min) },
	{ "median", offsetof(struct summary, median) },
	{ "mad", offsetof(struct summary, mad) },
	{ "max", offsetof(struct summary, max) },
};

static const struct {
	const char *suffix;
	size_t at;
} percentile_stats[] = {
	{ "", offsetof(struct percentile, value) },
	{ "_ucb", offsetof(struct percentile, ucb) },
	{ "_low", offsetof(struct percentile, low) },
	{ "_high", offsetof(struct percentile, high) },
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static double
member(const void *p, size_t at)
{
	double v;

	memcpy(&v, (const char *)p + at, sizeof(v));
	return v;
}

static bool
parse_percentile(const char *stat, uint32_t *p, size_t *at)
{
	const char *suffix;

	if (!bench_stat_percentile(stat, p, &suffix))
		return false;
	for (size_t i = 0; i < COUNT(percentile_stats); i++) {
		if (strcmp(suffix, percentile_stats[i].suffix) == 0) {
			*at = percentile_stats[i].at;
			return true;
		}
	}
	return false;
}

static bool
parse_summary(const char *stat, size_t *at)
{
	for (size_t i = 0; i < COUNT(summary_stats); i++) {
		if (strcmp(stat, summary_stats[i].name) == 0) {
			*at = summary_stats[i].at;
			return true;
		}
	}
	return false;
}

static int
stage_of(const char *name)
{
	int i = 0;

	while (i < STAGES && strcmp(name, stage_names[i]) != 0)
		i++;
	return i;
}

bool
bench_is_stat(const char *stage, const char *stat)
{
	uint32_t p;
	size_t at;

	if (strcmp(stage, "throughput") == 0)
		return *stat == '\0';
	return stage_of(stage) < STAGES && (parse_summary(stat, &at) ||
	    parse_percentile(stat, &p, &at));
}

/* Sorts the durations. */
static double
percentile_stat(double *ms, size_t n, const char *stat)
{
	struct percentile q;
	uint32_t p = 0;
	size_t at = 0;

	parse_percentile(stat, &p, &at);
	stats_median(ms, n);
	percentile_of(ms, n, p, &q);
	return member(&q, at);
}

static double
summary_stat(const double *ms, size_t n, size_t at)
{
	double *sorted = cmd_alloc(n * sizeof(*sorted));
	struct summary s;

	summary_of(ms, n, sorted, &s);
	free(sorted);
	return member(&s, at);
}

double
bench_stat(struct bench_run *r, const char *stage, const char *stat)
{
	double *ms, v = NAN;
	size_t n, at;

	if (!bench_is_stat(stage, stat))
		return NAN;
	if (strcmp(stage, "throughput") == 0)
		return throughput_of(r);
	ms = bench_durations(r, (enum bench_stage)stage_of(stage), &n);
	if (n > 0)
		v = parse_summary(stat, &at) ? summary_stat(ms, n, at) :
		    percentile_stat(ms, n, stat);
	free(ms);
	return v;
}
