// SPDX-License-Identifier: Apache-2.0
/* Writes the statistics as CSV or TSV, and the samples themselves as CSV. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "delimited.h"
#include "operations.h"
#include "report.h"

#define MS 1e6			/* ns */

enum { PER_PERCENTILE = 4 };	/* columns */

/* ---- Statistics ------------------------------------------------------- */

struct stats_table {
	struct buf *out;
	char separator;
	const struct bench_plan *plan;
};

/* Adds a field that is not the first and contains no separator. */
static void
word(struct stats_table *t, const char *s)
{
	buf_printf(t->out, "%c%s", t->separator, s);
}

static void
count(struct stats_table *t, uint64_t n)
{
	buf_printf(t->out, "%c%" PRIu64, t->separator, n);
}

static void
blank(struct stats_table *t, unsigned n)
{
	while (n-- > 0)
		word(t, "");
}

/* Adds a number, or an empty field if the number is unknown. */
static void
number(struct stats_table *t, double v)
{
	char s[40] = "";

	if (isfinite(v))
		num_format_double(v, s, sizeof(s));
	word(t, s);
}

/* Treats a duration that is too short for the clock as unknown. */
static void
duration(struct stats_table *t, double ms, double floor)
{
	number(t, ms >= floor ? ms : NAN);
}

static void
words(struct stats_table *t, const char *const *w)
{
	for (; *w != NULL; w++)
		word(t, *w);
}

static void
header(struct stats_table *t)
{
	static const char *const first[] = { "config", "run", "process",
	    "side", "scenario", "inflight", "rate", "stage", "n", "mean_ms",
	    "sd_ms", "cov", "min_ms", "max_ms", NULL };
	static const char *const last[] = { "throughput", "inverse_latency",
	    "failed", "gops", "peak_pct", NULL };
	static const char *const of_percentile[] = { "", "_ucb", "_low",
	    "_high" };
	char key[13];

	buf_puts(t->out, "model");
	words(t, first);
	for (unsigned i = 0; i < t->plan->percentiles; i++) {
		bench_percent_key(t->plan->percentile[i], key);
		for (size_t k = 0; k < PER_PERCENTILE; k++)
			buf_printf(t->out, "%c%s%s_ms", t->separator, key,
			    of_percentile[k]);
	}
	words(t, last);
	buf_puts(t->out, "\n");
}

static void
run_columns(struct stats_table *t, const struct bench_run *r,
    const char *stage)
{
	(t->separator == ',' ? csv_text : tsv_text)(t->out, r->model.path);
	count(t, r->config);
	count(t, r->run);
	count(t, r->process);
	word(t, (char[]){ r->side, '\0' });
	word(t, bench_scenarios[r->load.scenario]);
	count(t, r->load.inflight);
	number(t, r->load.scenario == SERVER ? r->load.rate : NAN);
	word(t, stage);
}

static void
rate_columns(struct stats_table *t, const struct bench_run *r,
    const struct bench_stats *s)
{
	number(t, s->throughput);
	number(t, s->inverse_latency);
	count(t, r->window.failed);
	number(t, operations_gops(t->plan, s->throughput));
	number(t, operations_share(t->plan, s->throughput));
	buf_puts(t->out, "\n");
}

/* Adds a stage that was timed once; ns is 0 if it was not reached. */
static void
once_row(struct stats_table *t, const struct bench_run *r,
    const struct bench_stats *s, const char *stage, uint64_t ns)
{
	const double ms = ns == 0 ? NAN : (double)ns / MS;

	run_columns(t, r, stage);
	count(t, ns != 0);
	duration(t, ms, s->floor_ms);
	blank(t, 2);
	duration(t, ms, s->floor_ms);
	duration(t, ms, s->floor_ms);
	blank(t, PER_PERCENTILE * t->plan->percentiles);
	rate_columns(t, r, s);
}

static void
stage_row(struct stats_table *t, const struct bench_run *r,
    const struct bench_stats *s, int i)
{
	const struct stage_stats *x = &s->stage[i];

	run_columns(t, r, stage_names[i]);
	count(t, x->summary.n);
	duration(t, x->summary.mean, s->floor_ms);
	number(t, x->summary.sd);
	number(t, x->summary.cov);
	duration(t, x->summary.min, s->floor_ms);
	duration(t, x->summary.max, s->floor_ms);
	for (unsigned k = 0; k < t->plan->percentiles; k++) {
		duration(t, x->percentile[k].value, s->floor_ms);
		duration(t, x->percentile[k].ucb, s->floor_ms);
		duration(t, x->percentile[k].low, s->floor_ms);
		duration(t, x->percentile[k].high, s->floor_ms);
	}
	rate_columns(t, r, s);
}

void
bench_table(struct buf *out, const struct bench *b,
    const struct bench_stats *s, char separator)
{
	struct stats_table t = { out, separator, b->plan };

	header(&t);
	for (unsigned i = 0; i < b->runs; i++) {
		const struct bench_run *r = b->run[i];

		once_row(&t, r, &s[i], "init", r->startup.init_ns);
		once_row(&t, r, &s[i], "load", r->startup.load_ns);
		once_row(&t, r, &s[i], "first", r->startup.first.end);
		for (int k = 0; k < STAGES; k++)
			if (s[i].stage[k].summary.n > 0)
				stage_row(&t, r, &s[i], k);
	}
}

/* ---- Samples ---------------------------------------------------------- */

enum { AT_ONCE = 256 };		/* lines written at a time */

static void
sample_line(struct buf *out, const struct bench_run *r, size_t i,
    const struct bench_sample *x)
{
	csv_text(out, r->model.path);
	buf_printf(out, ",%u,%u,%u,%.1s,%zu", r->config, r->run, r->process,
	    (char[]){ r->side, '\0' }, i);
	buf_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
	    ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", x->due,
	    x->begin, x->end, x->create, x->put, x->infer, x->get, x->clean);
}

void
bench_write_samples(struct output *o, const struct bench *b)
{
	struct buf lines = { 0 };

	buf_puts(&lines, "model,config,run,process,side,index,due_ns,begin_ns,"
	    "end_ns,create_ns,put_ns,infer_ns,get_ns,clean_ns\n");
	cmd_write_buf(o, &lines);
	for (unsigned i = 0; i < b->runs; i++) {
		struct bench_run *r = b->run[i];
		size_t n = bench_samples_of(r);

		for (size_t k = 0; k < n; k++) {
			sample_line(&lines, r, k, &bench_samples(r)[k]);
			if ((k + 1) % AT_ONCE == 0 || k + 1 == n)
				cmd_write_buf(o, &lines);
		}
	}
	cmd_close_output(o);
}
