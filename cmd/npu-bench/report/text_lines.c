// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "operations.h"
#include "stats/median.h"
#include "table.h"
#include "text_lines.h"

#define MS 1e6			/* ns */

static void
add_label(struct buf *out, const char *what)
{
	buf_printf(out, "%-12s", what);
}

/* ---- Numbers of runs -------------------------------------------------- */

/* what: the number's offset in struct bench_run. */
static double
of_count(const struct bench *b, unsigned i, const void *what)
{
	uint64_t v;

	memcpy(&v, (const char *)b->run[i] + *(const size_t *)what, sizeof(v));
	return v == 0 ? NAN : (double)v;
}

static double
of_number(const struct bench *b, unsigned i, const void *what)
{
	double v;

	memcpy(&v, (const char *)b->run[i] + *(const size_t *)what, sizeof(v));
	return v;
}

static double
median(const struct bench *b, const struct run_group *g,
    double (*of)(const struct bench *, unsigned, const void *), size_t at)
{
	struct run_spread d;

	run_spread_of(b, g, of, &at, &d);
	return d.median;
}

#define COUNT_OF(b, g, member) \
	median(b, g, of_count, offsetof(struct bench_run, member))
#define NUMBER_OF(b, g, member) \
	median(b, g, of_number, offsetof(struct bench_run, member))

/* Formats a duration with its unit; "-" without a unit if it is unknown. */
static const char *
ms_text(char s[40], double ms, double floor)
{
	format_ms(s, ms, floor, format_decimals(fmax(ms, floor)));
	if (isfinite(ms))
		strcat(s, " ms");
	return s;
}

static const char *
number_text(char s[40], double v, const char *unit, int decimals)
{
	if (isfinite(v))
		snprintf(s, 40, "%.*f%s", decimals, v, unit);
	else
		snprintf(s, 40, "-");
	return s;
}

/* ---- The machine ------------------------------------------------------ */

static void
add_printable(struct buf *out, const char *before, const char *s,
    const char *after)
{
	size_t from;

	if (*s == '\0')
		return;
	buf_puts(out, before);
	from = out->n;
	buf_puts(out, s);
	if (!out->failed)
		cmd_printable(out->p + from, out->n - from);
	buf_puts(out, after);
}

void
text_machine_lines(struct buf *out, const struct bench *b)
{
	const struct bench_machine *m = &b->machine;
	const struct bench_run *r = b->runs > 0 ? b->run[0] : NULL;

	add_label(out, "machine");
	buf_puts(out, *m->board == '\0' ? "unknown board" : "");
	add_printable(out, "", m->board, "");
	if (m->cpus > 0)
		buf_printf(out, ", %u processors", m->cpus);
	add_printable(out, " (", m->cpu, ")");
	add_printable(out, ", kernel ", m->kernel, "");
	add_printable(out, ", governor ", m->governor, "");
	buf_puts(out, "\n");
	if (r == NULL || *r->library.path == '\0')
		return;
	add_label(out, "library");
	buf_puts(out, r->library.emulator ? "emulator, no hardware: " : "");
	add_printable(out, "", r->library.path, "");
	add_printable(out, ", version ", r->library.version, "");
	add_printable(out, ", driver ", r->library.driver, "");
	buf_puts(out, "\n");
}

/* ---- Samples and time ------------------------------------------------- */

static void
samples_line(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	uint64_t failed = 0, left = 0;
	const char *why = "";
	char s[40];

	for (unsigned i = 0; i < g->n; i++) {
		const struct bench_run *r = b->run[g->at[i]];

		why = failed == 0 && r->window.failed > 0 ? r->message : why;
		failed += r->window.failed;
		left += r->window.left;
	}
	add_label(out, "samples");
	buf_printf(out, "%" PRIu64, g->least_n);
	if (g->most_n != g->least_n)
		buf_printf(out, " to %" PRIu64, g->most_n);
	buf_printf(out, " in %s",
	    number_text(s, COUNT_OF(b, g, window.ns) / 1e9, " s", 3));
	if (isnan(COUNT_OF(b, g, startup.warm_n)))
		buf_puts(out, ", not warmed up");
	else
		buf_printf(out, ", after %.0f to warm up",
		    COUNT_OF(b, g, startup.warm_n));
	if (left > 0)
		buf_printf(out, "; %" PRIu64 " given up as they waited", left);
	buf_puts(out, "\n");
	if (failed == 0)
		return;
	add_label(out, "failed");
	buf_printf(out, "%" PRIu64, failed);
	add_printable(out, ", the first: ", why, "");
	buf_puts(out, "\n");
}

static void
throughput_line(struct buf *out, const struct run_group *g)
{
	char a[40], b[40];

	add_label(out, "throughput");
	buf_printf(out, "%s, measured; 1 / mean of e2e is %s\n",
	    number_text(a, g->median.throughput, "/s", 2),
	    number_text(b, g->median.inverse_latency, "/s", 2));
	if (g->head->load.inflight > 1) {
		add_label(out, "latency");
		buf_printf(out, "e2e includes queueing: %u are in flight\n",
		    g->head->load.inflight);
	}
}

static void
once_line(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	const double floor = g->median.floor_ms;
	char s[40];

	add_label(out, "first");
	buf_printf(out, "%s cold",
	    ms_text(s, COUNT_OF(b, g, startup.first.end) / MS, floor));
	buf_printf(out, ", of which infer %s",
	    ms_text(s, COUNT_OF(b, g, startup.first.infer) / MS, floor));
	buf_printf(out, "; init %s",
	    ms_text(s, COUNT_OF(b, g, startup.init_ns) / MS, floor));
	buf_printf(out, ", load %s\n",
	    ms_text(s, COUNT_OF(b, g, startup.load_ns) / MS, floor));
}

/* ---- Load on the machine ---------------------------------------------- */

static void
processor_line(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	struct run_spread cores;
	char s[40];

	run_spread_of(b, g, cores_of_run, NULL, &cores);
	add_label(out, "processor");
	buf_printf(out, "%s cores by the process",
	    number_text(s, cores.median, "", 3));
	buf_printf(out, "; system %s",
	    number_text(s, 100 * NUMBER_OF(b, g, readings.busy), "%", 1));
	buf_printf(out, ", idle before %s",
	    number_text(s, 100 * NUMBER_OF(b, g, readings.idle_busy), "%", 1));
	buf_printf(out, "; watching took %s\n",
	    number_text(s, NUMBER_OF(b, g, readings.monitor_cores), "", 4));
}

#define MIB 1048576.0

static void
memory_line(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	double model = COUNT_OF(b, g, model.load_memory);
	char s[40];

	add_label(out, "memory");
	buf_printf(out, "%s at most, without the samples\n", number_text(s,
	    COUNT_OF(b, g, hwm_kib) / 1024, " MiB", 1));
	if (isnan(model))
		return;
	add_label(out, "on device");
	buf_printf(out, "%s at least for the model", number_text(s,
	    model / MIB, " MiB", 1));
	buf_printf(out, ", and %s for each in flight\n", number_text(s,
	    COUNT_OF(b, g, model.job_memory) / MIB, " MiB", 1));
}

static double
of_gross(const struct bench *b, unsigned i, const void *what)
{
	struct bench_energy e;

	(void)what;
	bench_energy_of(b, i, &e);
	return e.gross_each;
}

static double
of_net(const struct bench *b, unsigned i, const void *what)
{
	struct bench_energy e;

	(void)what;
	bench_energy_of(b, i, &e);
	return e.net_each;
}

static void
energy_line(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	const struct bench_readings *m = &b->run[g->at[0]]->readings;
	char s[40];

	add_label(out, "energy");
	if (*m->power == '\0') {
		add_printable(out, "not measured: ", m->no_power, "\n");
		return;
	}
	buf_printf(out, "%s", number_text(s,
	    NUMBER_OF(b, g, readings.watts), " W", 2));
	buf_printf(out, ", idle %s", number_text(s,
	    NUMBER_OF(b, g, readings.idle_watts), " W", 2));
	buf_printf(out, "; an inference %s", number_text(s,
	    1e3 * median(b, g, of_gross, 0), " mJ", 2));
	buf_printf(out, ", above idle %s", number_text(s,
	    1e3 * median(b, g, of_net, 0), " mJ", 2));
	add_printable(out, " (", m->power, ")");
	buf_puts(out, "\n");
}

/* Adds each sensor's range over all runs of g. */
static void
items_line(struct buf *out, const struct bench *b,
    const struct run_group *g, size_t at, const char *what,
    const char *unit)
{
	const struct bench_sensors *first = (const struct bench_sensors *)
	    ((const char *)b->run[g->at[0]] + at), *t;
	char s[40];

	for (unsigned k = 0; k < first->n; k++) {
		double least = first->item[k].min, most = first->item[k].max;

		for (unsigned i = 1; i < g->n; i++) {
			t = (const struct bench_sensors *)
			    ((const char *)b->run[g->at[i]] + at);
			if (k >= t->n)
				continue;
			least = fmin(least, t->item[k].min);
			most = fmax(most, t->item[k].max);
		}
		add_label(out, k == 0 ? what : "");
		add_printable(out, "", first->item[k].name, ": ");
		buf_printf(out, "%s to ", number_text(s, least, "", 1));
		buf_printf(out, "%s %s\n", number_text(s, most, "", 1), unit);
	}
}

/* ---- Outputs, bound, spread ------------------------------------------- */

static void
outputs_line(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	const struct bench_run *r = b->run[g->at[0]];

	add_label(out, "outputs");
	buf_printf(out, "%schecksum %016" PRIx64,
	    r->rc == 0 ? "each the same, " : "", r->outputs.checksum);
	if (!isnan(r->outputs.ref_cos))
		buf_printf(out, "; cosine to the reference %.6f, largest "
		    "difference %g", r->outputs.ref_cos, r->outputs.ref_max);
	buf_puts(out, "\n");
}

static void
bound_line(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	const struct bench_plan *p = b->plan;
	unsigned answers[3] = { 0 };	/* counts of -1, 0 and 1 */
	char percent[11], s[40];

	if (p->bound_ns == 0 || g->head->load.scenario != SERVER)
		return;
	for (unsigned i = 0; i < g->n; i++)
		answers[bench_bound_kept(b->run[g->at[i]], p) + 1]++;
	bench_percent(p->bound_percentile, percent);
	add_label(out, "bound");
	buf_printf(out, "p%s of the query at most %s: %s", percent,
	    ms_text(s, (double)p->bound_ns / MS, 0),
	    answers[1] > 0 ? "not kept" :
	    answers[0] > 0 ? "too few samples" : "kept");
	if (g->n > 1)
		buf_printf(out, " (by %u of %u)", answers[2], g->n);
	buf_puts(out, "\n");
}

/* Adds the interval of --find-rate. */
static void
found_line(struct buf *out, const struct bench_run *r)
{
	char s[40], t[40];

	if (r->search.n == 0)
		return;
	number_text(s, r->search.low, "/s", 3);
	number_text(t, r->search.high, "/s", 3);
	add_label(out, "found");
	if (r->search.none)
		buf_puts(out, "no rate that keeps the bound");
	else if (r->search.low > 0 && isfinite(r->search.high))
		buf_printf(out, "from %s to %s keeps the bound", s, t);
	else if (r->search.low > 0)
		buf_printf(out, "%s or more keeps the bound", s);
	else if (isfinite(r->search.high))
		buf_printf(out, "less than %s keeps the bound, if any does", t);
	else
		buf_puts(out, "nothing yet: give it a longer --max-time");
	buf_puts(out, "\n");
}

static void
trial_lines(struct buf *out, const struct bench_run *r)
{
	char s[40];

	for (unsigned i = 0; i < r->search.n; i++) {
		const struct bench_trial *t = &r->search.trial[i];

		add_label(out, i == 0 ? "tried" : "");
		buf_printf(out, "%10.3f/s, %" PRIu64 " samples, %" PRIu64
		    " late: ucb %s, %s\n", t->rate, t->n, t->late,
		    ms_text(s, t->latency_ns == 0 ? NAN :
		    (double)t->latency_ns / MS, 0),
		    t->met ? "kept" : "not surely kept");
	}
}

static void
spread_lines(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	static const struct stage_stat of[] = { { "infer", "p50" },
	    { "e2e", "p50" }, { "throughput", "" } };
	struct run_spread d;
	const char *what = "spread";
	char s[40], t[40];

	for (size_t i = 0; g->n > 1 && i < sizeof(of) / sizeof(*of); i++) {
		const bool rate = *of[i].stat == '\0';

		run_spread_of(b, g, stat_of_run, &of[i], &d);
		if (isnan(d.median))
			continue;	/* too few samples */
		add_label(out, what);
		what = "";
		buf_printf(out, "%s%s%s from %s to %s, sd %s\n", of[i].stage,
		    rate ? "" : " ", of[i].stat,
		    rate ? number_text(s, d.min, "/s", 2) :
		    ms_text(s, d.min, g->median.floor_ms),
		    rate ? number_text(t, d.max, "/s", 2) :
		    ms_text(t, d.max, g->median.floor_ms),
		    number_text((char[40]){ 0 }, 100 * d.sd, "%", 2));
	}
}

void
text_together_line(struct buf *out, const struct bench *b,
    const struct bench_run *head)
{
	double *rate = cmd_alloc((b->runs + 1) * sizeof(*rate)), sum;
	struct bench_together t;
	unsigned n = 0, processes = 0;
	char s[40];

	for (unsigned i = 0; i < b->runs; i += t.n) {
		bench_together_of(b, i, &t);
		if (b->run[i]->config != head->config ||
		    b->run[i]->side != head->side || t.n < 2 ||
		    isnan(t.throughput))
			continue;
		rate[n++] = t.throughput;
		processes = t.n;
	}
	if (n > 0) {
		sum = stats_median(rate, n);
		add_label(out, "together");
		buf_printf(out, "%s by %u processes, while all "
		    "measured", number_text(s, sum, "/s", 2), processes);
		operations_text(out, b->plan, sum);
		buf_puts(out, "\n");
	}
	free(rate);
}

void
text_failure_lines(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	for (unsigned i = 0; i < b->runs; i++) {
		const struct bench_run *r = b->run[i];

		if (r->rc == 0 || r->config != g->head->config ||
		    r->side != g->head->side ||
		    strcmp(r->model.path, g->head->model.path) != 0)
			continue;
		add_label(out, "failed");
		buf_printf(out, "run %u: ", r->run + 1);
		add_printable(out, "", r->message, "");
		buf_puts(out, "\n");
	}
}

void
text_group_lines(struct buf *out, const struct bench *b,
    const struct run_group *g)
{
	samples_line(out, b, g);
	throughput_line(out, g);
	operations_line(out, b->plan, g->median.throughput);
	once_line(out, b, g);
	processor_line(out, b, g);
	memory_line(out, b, g);
	energy_line(out, b, g);
	items_line(out, b, g, offsetof(struct bench_run, readings.temps),
	    "temperature", "C");
	items_line(out, b, g, offsetof(struct bench_run, readings.freqs),
	    "frequency", "MHz");
	outputs_line(out, b, g);
	bound_line(out, b, g);
	found_line(out, b->run[g->at[0]]);
	trial_lines(out, b->run[g->at[0]]);
	spread_lines(out, b, g);
}
