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

/* ---- Statistics ------------------------------------------------------- */

/* Adds a comma and the number; nothing after the comma if it is unknown. */
static void
number(struct buf *out, double v)
{
	char s[40] = "";

	if (isfinite(v))
		num_format_double(v, s, sizeof(s));
	buf_printf(out, ",%s", s);
}

/* Treats a duration that is too short for the clock as unknown. */
static void
duration(struct buf *out, double ms, double floor)
{
	number(out, ms >= floor ? ms : NAN);
}

static void
header(struct buf *out, const struct bench_plan *p)
{
	char key[13];

	buf_puts(out, "model,config,run,process,side,scenario,inflight,rate,"
	    "stage,n,mean_ms,sd_ms,cov,min_ms,max_ms");
	for (unsigned i = 0; i < p->percentiles; i++) {
		bench_percent_key(p->percentile[i], key);
		buf_printf(out, ",%s_ms,%s_ucb_ms,%s_low_ms,%s_high_ms", key,
		    key, key, key);
	}
	buf_puts(out, ",throughput,inverse_latency,failed,gops,peak_pct\n");
}

static void
run_columns(struct buf *out, const struct bench_run *r, const char *stage)
{
	buf_printf(out, ",%u,%u,%u,%.1s,%s,%u", r->config, r->run, r->process,
	    (char[]){ r->side, '\0' }, bench_scenarios[r->load.scenario],
	    r->load.inflight);
	number(out, r->load.scenario == SERVER ? r->load.rate : NAN);
	buf_printf(out, ",%s", stage);
}

static void
rate_columns(struct buf *out, const struct bench *b,
    const struct bench_run *r, const struct bench_stats *s)
{
	number(out, s->throughput);
	number(out, s->inverse_latency);
	buf_printf(out, ",%" PRIu64, r->window.failed);
	number(out, operations_gops(b->plan, s->throughput));
	number(out, operations_share(b->plan, s->throughput));
	buf_puts(out, "\n");
}

/* Adds a stage that was timed once; ns is 0 if it was not reached. */
static void
once_row(struct buf *out, const struct bench *b, const struct bench_run *r,
    const struct bench_stats *s, const char *stage, uint64_t ns)
{
	const double ms = ns == 0 ? NAN : (double)ns / MS;

	run_columns(out, r, stage);
	buf_printf(out, ",%d", ns != 0);
	duration(out, ms, s->floor_ms);
	buf_puts(out, ",,");
	duration(out, ms, s->floor_ms);
	duration(out, ms, s->floor_ms);
	for (unsigned i = 0; i < b->plan->percentiles; i++)
		buf_puts(out, ",,,,");
	rate_columns(out, b, r, s);
}

static void
stage_row(struct buf *out, const struct bench *b, const struct bench_run *r,
    const struct bench_stats *s, int i)
{
	const struct stage_stats *t = &s->stage[i];

	run_columns(out, r, stage_names[i]);
	buf_printf(out, ",%zu", t->summary.n);
	duration(out, t->summary.mean, s->floor_ms);
	number(out, t->summary.sd);
	number(out, t->summary.cov);
	duration(out, t->summary.min, s->floor_ms);
	duration(out, t->summary.max, s->floor_ms);
	for (unsigned k = 0; k < b->plan->percentiles; k++) {
		duration(out, t->percentile[k].value, s->floor_ms);
		duration(out, t->percentile[k].ucb, s->floor_ms);
		duration(out, t->percentile[k].low, s->floor_ms);
		duration(out, t->percentile[k].high, s->floor_ms);
	}
	rate_columns(out, b, r, s);
}

struct csv_rows {
	struct buf *out;
	struct buf row;		/* the rest of a row; only the model's name
				   can contain a comma */
	char separator;
};

/* Ends a row.  model NULL: the row is the header. */
static void
end_row(struct csv_rows *t, const char *model)
{
	cmd_check_buf(&t->row);
	if (model != NULL)
		(t->separator == ',' ? csv_text : tsv_text)(t->out, model);
	for (size_t i = 0; i < t->row.n; i++)
		if (t->row.p[i] == ',')
			t->row.p[i] = t->separator;
	buf_add(t->out, t->row.p, t->row.n);
	t->row.n = 0;
}

static void
add_rows(struct csv_rows *t, const struct bench *b, const struct bench_run *r,
    const struct bench_stats *s)
{
	const struct {
		const char *stage;
		uint64_t ns;
	} once[] = {
		{ "init", r->startup.init_ns },
		{ "load", r->startup.load_ns },
		{ "first", r->startup.first.end },
	};

	for (size_t i = 0; i < sizeof(once) / sizeof(*once); i++) {
		once_row(&t->row, b, r, s, once[i].stage, once[i].ns);
		end_row(t, r->model.path);
	}
	for (int k = 0; k < STAGES; k++) {
		if (s->stage[k].summary.n == 0)
			continue;
		stage_row(&t->row, b, r, s, k);
		end_row(t, r->model.path);
	}
}

void
bench_table(struct buf *out, const struct bench *b,
    const struct bench_stats *s, char separator)
{
	struct csv_rows t = { .out = out, .separator = separator };

	header(&t.row, b->plan);
	end_row(&t, NULL);
	for (unsigned i = 0; i < b->runs; i++)
		add_rows(&t, b, b->run[i], &s[i]);
	buf_free(&t.row);
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
