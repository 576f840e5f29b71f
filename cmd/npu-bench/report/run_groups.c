// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "run_groups.h"
#include "stats/median.h"
#include "table.h"

/* ---- One run ---------------------------------------------------------- */

static bool
same_run(const struct bench_run *a, const struct bench_run *b)
{
	return a->config == b->config && a->run == b->run &&
	    a->side == b->side;
}

static uint64_t
window_start(struct bench_run *r)
{
	return r->window.at + bench_samples(r)->begin;
}

/* Returns the number of samples of r that ended between begin and end. */
static uint64_t
completed(struct bench_run *r, uint64_t begin, uint64_t end)
{
	const struct bench_sample *x = bench_samples(r);
	uint64_t n = 0;

	for (size_t i = 0; i < bench_samples_of(r); i++) {
		uint64_t at = r->window.at + x[i].end;

		n += at > begin && at <= end;
	}
	return n;
}

void
bench_together_of(const struct bench *b, unsigned i, struct bench_together *t)
{
	uint64_t begin = 0, end = UINT64_MAX;

	while (i > 0 && same_run(b->run[i - 1], b->run[i]))
		i--;
	*t = (struct bench_together){ .first = i, .throughput = NAN };
	for (; i < b->runs && same_run(b->run[i], b->run[t->first]); i++) {
		struct bench_run *r = b->run[i];

		t->n++;
		if (bench_samples_of(r) == 0) {
			end = 0;
			continue;
		}
		if (window_start(r) > begin)
			begin = window_start(r);
		if (window_start(r) + r->window.ns < end)
			end = window_start(r) + r->window.ns;
	}
	if (begin >= end)
		return;
	for (i = t->first; i < t->first + t->n; i++)
		t->completed += completed(b->run[i], begin, end);
	t->seconds = (double)(end - begin) / 1e9;
	t->throughput = (double)t->completed / t->seconds;
}

bool
bench_energy_of(const struct bench *b, unsigned i, struct bench_energy *e)
{
	const struct bench_readings *m = &b->run[i]->readings;
	struct bench_together t;

	*e = (struct bench_energy){ NAN, NAN, NAN, NAN };
	if (*m->power == '\0' || !(m->watts > 0) || isnan(m->joules))
		return false;
	bench_together_of(b, i, &t);
	e->gross = m->joules;
	e->net = m->joules * (1 - m->idle_watts / m->watts);
	e->gross_each = m->watts / t.throughput;
	e->net_each = (m->watts - m->idle_watts) / t.throughput;
	return true;
}

double
process_cores(const struct bench_run *r)
{
	return r->window.ns == 0 ? NAN :
	    (double)r->window.cpu_ns / (double)r->window.ns;
}

/* ---- Several runs ----------------------------------------------------- */

static bool
same_group(const struct bench_run *a, const struct bench_run *b)
{
	return a->config == b->config && a->side == b->side &&
	    strcmp(a->model.path, b->model.path) == 0;
}

static struct run_group *
group_for(struct run_groups *g, const struct bench *b,
    const struct bench_run *r)
{
	struct run_group *new;

	for (unsigned i = 0; i < g->n; i++)
		if (same_group(g->group[i].head, r))
			return &g->group[i];
	new = &g->group[g->n++];
	*new = (struct run_group){ .head = r, .least_n = UINT64_MAX };
	new->at = cmd_alloc(b->runs * sizeof(*new->at));
	return new;
}

static void
join(struct run_group *g, const struct bench *b, unsigned i)
{
	const struct bench_run *r = b->run[i];

	if (r->run + 1 > g->runs)
		g->runs = r->run + 1;
	g->processes++;
	if (r->window.n == 0)
		return;
	g->at[g->n++] = i;
	if (r->window.n < g->least_n)
		g->least_n = r->window.n;
	if (r->window.n > g->most_n)
		g->most_n = r->window.n;
}

/* Sets a field of g->median. */
static void
median_of(struct run_group *g, const struct bench_stats *s, double *field)
{
	size_t at = (size_t)((char *)field - (char *)&g->median);
	double *x = cmd_alloc(g->n * sizeof(*x));
	bool all = true;

	for (unsigned i = 0; i < g->n; i++) {
		memcpy(&x[i], (const char *)&s[g->at[i]] + at, sizeof(*x));
		all &= !isnan(x[i]);
	}
	*field = all ? stats_median(x, g->n) : NAN;
	free(x);
}

static void
medians_of(struct run_group *g, const struct bench_plan *p,
    const struct bench_stats *s)
{
	struct bench_stats *m = &g->median;

	*m = s[g->at[0]];
	for (unsigned i = 1; i < g->n; i++)
		m->warnings |= s[g->at[i]].warnings;
	median_of(g, s, &m->throughput);
	median_of(g, s, &m->inverse_latency);
	median_of(g, s, &m->floor_ms);
	for (int i = 0; i < STAGES; i++) {
		struct summary *of = &m->stage[i].summary;
		double *field[] = { &of->mean, &of->sd, &of->cov, &of->median,
		    &of->mad, &of->min, &of->max };

		for (size_t k = 0; k < sizeof(field) / sizeof(*field); k++)
			median_of(g, s, field[k]);
		for (unsigned k = 0; k < p->percentiles; k++) {
			struct percentile *q = &m->stage[i].percentile[k];

			median_of(g, s, &q->value);
			median_of(g, s, &q->ucb);
			median_of(g, s, &q->low);
			median_of(g, s, &q->high);
		}
	}
}

static int
by_config(const void *a, const void *b)
{
	const struct bench_run *x = ((const struct run_group *)a)->head;
	const struct bench_run *y = ((const struct run_group *)b)->head;

	if (x->config != y->config)
		return (x->config > y->config) - (x->config < y->config);
	if (x->side != y->side)
		return x->side - y->side;
	return (x->process > y->process) - (x->process < y->process);
}

void
run_groups_of(const struct bench *b, const struct bench_stats *s,
    struct run_groups *g)
{
	*g = (struct run_groups){ .n = 0 };
	g->group = cmd_alloc((b->runs + 1) * sizeof(*g->group));
	for (unsigned i = 0; i < b->runs; i++)
		join(group_for(g, b, b->run[i]), b, i);
	for (unsigned i = 0; i < g->n; i++)
		if (g->group[i].n > 0)
			medians_of(&g->group[i], b->plan, s);
	qsort(g->group, g->n, sizeof(*g->group), by_config);
}

void
run_groups_free(struct run_groups *g)
{
	for (unsigned i = 0; i < g->n; i++)
		free(g->group[i].at);
	free(g->group);
	*g = (struct run_groups){ .n = 0 };
}

double
stat_of_run(const struct bench *b, unsigned i, const void *what)
{
	const struct stage_stat *s = what;

	return bench_stat(b->run[i], s->stage, s->stat);
}

double
cores_of_run(const struct bench *b, unsigned i, const void *what)
{
	(void)what;
	return process_cores(b->run[i]);
}

void
run_spread_of(const struct bench *b, const struct run_group *g,
    double (*of)(const struct bench *b, unsigned i, const void *what),
    const void *what, struct run_spread *d)
{
	double *x = cmd_alloc((g->n + 1) * sizeof(*x)), *sorted;
	struct summary s;
	bool all = g->n > 0;

	*d = (struct run_spread){ NAN, NAN, NAN, NAN };
	for (unsigned i = 0; i < g->n; i++) {
		x[i] = of(b, g->at[i], what);
		all &= isfinite(x[i]);
	}
	if (all) {
		sorted = cmd_alloc(g->n * sizeof(*sorted));
		summary_of(x, g->n, sorted, &s);
		*d = (struct run_spread){ s.median, s.min, s.max, s.cov };
		free(sorted);
	}
	free(x);
}

/* ---- All runs --------------------------------------------------------- */

unsigned
bench_warnings(const struct bench *b, const struct bench_stats *s)
{
	unsigned all = 0;

	for (unsigned i = 0; i < b->runs; i++)
		all |= s[i].warnings;
	return all;
}

void
bench_warn(const struct bench *b, const struct bench_stats *s)
{
	for (int k = 0; k < WARNINGS; k++) {
		unsigned n = 0;

		for (unsigned i = 0; i < b->runs; i++)
			n += (s[i].warnings & 1u << k) != 0;
		if (n > 0 && b->runs > 1)
			cmd_note("%s: %s (%u of %u)", warning_texts[k].code,
			    warning_texts[k].text, n, b->runs);
		else if (n > 0)
			cmd_note("%s: %s", warning_texts[k].code,
			    warning_texts[k].text);
	}
}

void
model_name(char s[200], const struct bench *b, const char *model,
    size_t widest)
{
	const char *base = strrchr(model, '/'), *other;

	for (unsigned i = 0; base != NULL && i < b->runs; i++) {
		other = strrchr(b->run[i]->model.path, '/');
		if (strcmp(other != NULL ? other + 1 : b->run[i]->model.path,
		    base + 1) == 0 && strcmp(b->run[i]->model.path, model) != 0)
			base = NULL;
	}
	format_name(s, base != NULL ? base + 1 : model, widest);
}
