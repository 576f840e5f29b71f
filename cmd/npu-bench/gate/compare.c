// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "compare.h"
#include "npu-bench/measure/stage_stats.h"

/* ---- Points ----------------------------------------------------------- */

static void
point_of(struct bench_run *r, const struct bench_plan *plan,
    const struct bench_metrics *metrics, struct bench_point *p)
{
	p->model = r->model.path;
	snprintf(p->sha256, sizeof(p->sha256), "%s", r->model.sha256);
	p->scenario = r->load.scenario;
	p->inflight = r->load.inflight;
	p->per_query = r->load.scenario == MULTI_STREAM ? plan->per_query : 0;
	p->rate = r->load.scenario == SERVER ? r->load.rate : 0;
	p->config = r->config;
	p->run = r->run;
	p->process = r->process;
	p->side = r->side;
	p->n = r->window.n;
	for (unsigned i = 0; i < metrics->n; i++)
		p->value[i] = bench_stat(r, metrics->metric[i].stage,
		    metrics->metric[i].stat);
}

void
compare_points(const struct bench *b, const struct bench_metrics *metrics,
    struct bench_points *points)
{
	struct bench_points p = { 0 };
	struct bench_environment *env = &p.environment;

	p.point = cmd_alloc((b->runs + 1) * sizeof(*p.point));
	snprintf(env->board, sizeof(env->board), "%s", b->machine.board);
	snprintf(env->processor, sizeof(env->processor), "%s", b->machine.cpu);
	snprintf(env->architecture, sizeof(env->architecture), "%s",
	    b->machine.machine);
	env->has_processor = true;
	env->processors = b->machine.cpus;
	snprintf(env->governor, sizeof(env->governor), "%s",
	    b->machine.governor);
	strcpy(env->arrivals, b->plan->steady ? "even" : "poisson");
	for (unsigned i = 0; i < b->runs; i++) {
		struct bench_run *r = b->run[i];

		if (r->rc != 0)
			continue;
		if (p.n == 0) {
			snprintf(env->driver, sizeof(env->driver), "%s",
			    r->library.driver);
			snprintf(env->library, sizeof(env->library), "%s",
			    r->library.version);
			strcpy(env->emulator,
			    r->library.emulator ? "yes" : "no");
		}
		point_of(r, b->plan, metrics, &p.point[p.n++]);
	}
	*points = p;
}

/* ---- Subjects --------------------------------------------------------- */

static bool
is_of_subject(const struct bench_point *p, const struct bench_point *first)
{
	return p->config == first->config && p->side == first->side &&
	    strcmp(p->model, first->model) == 0;
}

unsigned
compare_runs(const struct bench_points *p)
{
	unsigned most = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->point[i].run >= most)
			most = p->point[i].run + 1;
	return most;
}

/* Counts the workers of the first run, of any model. */
static unsigned
processes(const struct bench_points *p, const struct bench_point *first)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->point[i].config == first->config &&
		    p->point[i].side == first->side &&
		    p->point[i].run == first->run;
	return n;
}

size_t
compare_subjects(const struct bench_points *p, char side,
    struct bench_subject *s)
{
	size_t n = 0, k;

	for (size_t i = 0; i < p->n; i++) {
		const struct bench_point *one = &p->point[i];

		if (one->side != side)
			continue;
		for (k = 0; k < n; k++)
			if (is_of_subject(one, s[k].first))
				break;
		if (k == n)
			s[n++] = (struct bench_subject){ p, one,
			    processes(p, one) };
	}
	return n;
}

/* ---- Fingerprints ----------------------------------------------------- */

/* Adds a difference, unless it is already in the list. */
static void
add_difference(struct buf *out, const char *model, const char *name,
    const char *before, const char *after)
{
	char item[800];
	bool present;

	snprintf(item, sizeof(item), "%s%s%s was %s, is %s", model,
	    *model != '\0' ? ": " : "", name,
	    *before != '\0' ? before : "unknown",
	    *after != '\0' ? after : "unknown");
	buf_add(out, "", 1);
	if (out->failed)
		return;
	present = strstr(out->p, item) != NULL;
	out->n--;
	if (present)
		return;
	if (out->n > 0)
		buf_puts(out, "; ");
	buf_puts(out, item);
}

/* model: the model with the item; "": the item belongs to the machine. */
static unsigned
differ_text(struct buf *out, const char *model, const char *name,
    const char *before, const char *after)
{
	if (strcmp(before, after) == 0)
		return 0;
	if (out != NULL)
		add_difference(out, model, name, before, after);
	return 1;
}

static unsigned
differ_number(struct buf *out, const char *model, const char *name,
    double before, double after)
{
	char a[32] = "none", b[32] = "none";

	if (before != 0)
		snprintf(a, sizeof(a), "%.9g", before);
	if (after != 0)
		snprintf(b, sizeof(b), "%.9g", after);
	return differ_text(out, model, name, a, b);
}

/* Compares architecture and number of processors, if both sides know them. */
static unsigned
differ_processor(struct buf *out, const struct bench_environment *before,
    const struct bench_environment *after)
{
	const char *a = before->architecture, *b = after->architecture;
	unsigned n = 0;

	if (before->has_processor && after->has_processor)
		n += differ_text(out, "", "processor", before->processor,
		    after->processor);
	if (*a != '\0' && *b != '\0')
		n += differ_text(out, "", "architecture", a, b);
	if (before->processors != 0 && after->processors != 0)
		n += differ_number(out, "", "number of processors",
		    before->processors, after->processors);
	return n;
}

/* Compares the arrivals if both sides have a rate and the document states its
 * arrivals. */
static unsigned
differ_arrivals(struct buf *out, const char *model,
    const struct bench_subject *before, const struct bench_subject *after)
{
	const char *a = before->of->environment.arrivals;
	const char *b = after->of->environment.arrivals;

	if (before->first->rate == 0 || after->first->rate == 0 || *a == '\0')
		return 0;
	return differ_text(out, model, "arrival", a, b);
}

/* Compares checksums; shows only their first digits. */
static unsigned
differ_checksum(struct buf *out, const char *model, const char *before,
    const char *after)
{
	char a[16], b[16];

	if (strcmp(before, after) == 0)
		return 0;
	snprintf(a, sizeof(a), "%.12s...", before);
	snprintf(b, sizeof(b), "%.12s...", after);
	if (out != NULL)
		add_difference(out, model, "SHA-256", a, b);
	return 1;
}

unsigned
compare_fingerprints(const struct bench_subject *before,
    const struct bench_subject *after, bool named, struct buf *out)
{
	const struct bench_environment *p = &before->of->environment,
	    *q = &after->of->environment;
	const struct bench_point *a = before->first, *b = after->first;
	const char *m = named ? b->model : "";

	return differ_text(out, "", "board", p->board, q->board) +
	    differ_processor(out, p, q) +
	    differ_text(out, "", "driver", p->driver, q->driver) +
	    differ_text(out, "", "library", p->library, q->library) +
	    differ_text(out, "", "emulator", p->emulator, q->emulator) +
	    differ_text(out, "", "governor", p->governor, q->governor) +
	    differ_checksum(out, m, a->sha256, b->sha256) +
	    differ_text(out, m, "scenario", bench_scenarios[a->scenario],
	    bench_scenarios[b->scenario]) +
	    differ_number(out, m, "in flight", a->inflight, b->inflight) +
	    differ_number(out, m, "samples of a query", a->per_query,
	    b->per_query) +
	    differ_number(out, m, "rate", a->rate, b->rate) +
	    differ_arrivals(out, m, before, after) +
	    differ_number(out, m, "processes", before->processes,
	    after->processes);
}

const struct bench_subject *
compare_nearest(const struct bench_subject *s, size_t n,
    const struct bench_subject *after)
{
	const struct bench_subject *best = NULL;
	unsigned least = 0, d;

	for (size_t i = 0; i < n; i++) {
		d = compare_fingerprints(&s[i], after, false, NULL);
		if (best == NULL || d < least) {
			best = &s[i];
			least = d;
		}
	}
	return best;
}

/* ---- Values ----------------------------------------------------------- */

static int
by_run(const void *a, const void *b)
{
	const struct bench_point *const *p = a, *const *q = b;

	return ((*p)->run > (*q)->run) - ((*p)->run < (*q)->run);
}

/* Returns the points of one run, p[0] to p[n - 1]. */
static void
add_run(struct bench_values *v, const struct bench_point **p, size_t n,
    unsigned metric, bool sum)
{
	double x = 0;

	for (size_t i = 0; i < n; i++) {
		x += p[i]->value[metric];
		if (p[i]->n < v->least)
			v->least = p[i]->n;
	}
	v->run[v->n] = p[0]->run;
	v->x[v->n++] = sum ? x : x / (double)n;
}

void
compare_values(const struct bench_subject *s, unsigned metric, bool sum,
    struct bench_values *v)
{
	const struct bench_point **p = cmd_alloc(s->of->n * sizeof(*p));
	size_t n = 0, most = 0, k;

	v->n = 0;
	v->least = UINT64_MAX;
	for (size_t i = 0; i < s->of->n; i++)
		if (is_of_subject(&s->of->point[i], s->first))
			p[n++] = &s->of->point[i];
	qsort(p, n, sizeof(*p), by_run);
	for (size_t i = 0; i < n; i += k) {
		for (k = 1; i + k < n && p[i + k]->run == p[i]->run; k++)
			;
		most = k > most ? k : most;
	}
	/* The options and a baseline both limit the number to what fits. */
	for (size_t i = 0; i < n; i += k) {
		for (k = 1; i + k < n && p[i + k]->run == p[i]->run; k++)
			;
		if (k == most)
			add_run(v, p + i, k, metric, sum);
	}
	free(p);
}

bool
compare_known(const struct bench_values *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (isnan(v->x[i]))
			return false;
	return true;
}

void
compare_pair(struct bench_values *a, struct bench_values *b)
{
	size_t i = 0, k = 0, n = 0;

	while (i < a->n && k < b->n) {
		if (a->run[i] != b->run[k]) {
			if (a->run[i] < b->run[k])
				i++;
			else
				k++;
			continue;
		}
		a->x[n] = a->x[i++];
		b->x[n++] = b->x[k++];
	}
	a->n = b->n = n;
}
