// SPDX-License-Identifier: Apache-2.0
/* Tests statistics of runs whose samples are defined by a formula. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "npu-bench/report/run_groups.h"
#include "npu-bench/report/table.h"
#include "tap.h"

const struct program program = { .name = "stage_stats" };

#define MS UINT64_C(1000000)	/* ns */

static const struct bench_plan plan = { .wanted_n = 100, .percentiles = 2,
    .percentile = { 50 * PERCENT, 99 * PERCENT } };

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

/*
 * Makes a run of n inferences, one after the other.  Inference i, from 1 to n,
 * takes 2 ms for create, 0.5 ms for put, i ms for infer, 0.1 ms for get and 0.4
 * ms for clean, which makes e2e i + 3 ms.  The caller frees the run.
 */
static struct bench_run *
ramp(uint64_t n)
{
	struct bench_run *r = cmd_alloc(sizeof(*r) +
	    (n + 1) * sizeof(struct bench_sample));
	uint64_t now = 0;

	*r = (struct bench_run){ .room = n, .window.n = n, .load.inflight = 1,
	    .startup.clock_ns = 25, .model.path = "m.cix" };
	for (uint64_t i = 0; i < n; i++) {
		struct bench_sample *x = &bench_samples(r)[i];

		*x = (struct bench_sample){ now, now, now + (i + 4) * MS,
		    2 * MS, 500000, (i + 1) * MS, 100000, 400000 };
		now = x->end;
	}
	r->window.ns = now;
	return r;
}

/* ---- Names ------------------------------------------------------------ */

static void
percentages(void)
{
	static const struct {
		uint32_t p;
		const char *words, *key;
	} row[] = {
		{ 50000000, "50", "p50" }, { 99900000, "99.9", "p999" },
		{ 100000000, "100", "p100" }, { 5000000, "5", "p05" },
		{ 500000, "0.5", "p005" }, { 9990000, "9.99", "p0999" },
		{ 99999999, "99.999999", "p99999999" },
		{ 1, "0.000001", "p00000001" },
	};
	char words[11], key[13], stat[20];
	const char *rest;
	uint32_t p;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		bench_percent(row[i].p, words);
		bench_percent_key(row[i].p, key);
		snprintf(stat, sizeof(stat), "p%s_ucb", words);
		ok(strcmp(words, row[i].words) == 0 &&
		    strcmp(key, row[i].key) == 0 &&
		    bench_stat_percentile(stat, &p, &rest) &&
		    p == row[i].p && strcmp(rest, "_ucb") == 0,
		    "the percentile %s has the key %s",
		    row[i].words, row[i].key);
	}
}

/* Tests that a name that is too long loses its first characters. */
static void
names(void)
{
	static const struct {
		const char *name, *shown;
	} row[] = {
		{ "abcdefgh", "abcdefgh" }, { "abcdefghi", "...efghi" },
		{ "\xc3\xa4" "bcdefgh", "\xc3\xa4" "bcdefgh" },
		{ "\xc3\xa4" "bcdefghi", "...efghi" },
		{ "\xff" "bcdefghi", "...efghi" },
		{ "a\xff\xff" "defghi", "...efghi" },
	};
	char s[200];

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		format_name(s, row[i].name, 8);
		if (!ok(strcmp(s, row[i].shown) == 0,
		    "name %zu is whole, or shortened to 8 characters", i))
			diag("%s", s);
	}
}

static void
stats(void)
{
	static const char *const bad[][2] = { { "infer", "" }, { "infer", "p" },
	    { "infer", "p0" }, { "infer", "p101" }, { "infer", "50" },
	    { "infer", "p50_" }, { "infer", "p50_ucbs" }, { "infer", "p5x" },
	    { "infer", "p00000000000000000000050" }, { "init", "p50" },
	    { "", "p50" }, { "throughput", "p50" }, { "infer", "modus" } };
	struct bench_run *r = ramp(200);

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(!bench_is_stat(bad[i][0], bad[i][1]) &&
		    isnan(bench_stat(r, bad[i][0], bad[i][1])),
		    "the statistic '%s' of stage '%s' does not exist",
		    bad[i][1], bad[i][0]);
	ok(bench_is_stat("clean", "p99.9_low") && bench_is_stat("query", "sd")
	    && bench_is_stat("throughput", ""),
	    "the statistics clean:p99.9_low, query:sd and throughput exist");
	free(r);
}

/* ---- Durations -------------------------------------------------------- */

/* Tests three queries of 3, 3 and 1 samples, due at 0, 30 and 60 ms. */
static void
queries(void)
{
	static const uint64_t due[] = { 0, 0, 0, 30, 30, 30, 60 };
	static const uint64_t end[] = { 9, 25, 19, 41, 42, 50, 65 };
	struct bench_run *r = ramp(7);
	double *ms;
	size_t n;

	for (int i = 0; i < 7; i++) {
		bench_samples(r)[i].due = due[i] * MS;
		bench_samples(r)[i].end = end[i] * MS;
	}
	r->load.scenario = MULTI_STREAM;
	ms = bench_durations(r, STAGE_QUERY, &n);
	ok(n == 3 && ms[0] == 25 && ms[1] == 20 && ms[2] == 5,
	    "a query lasts until its last sample ends");
	free(ms);
	r->load.scenario = SERVER;
	ms = bench_durations(r, STAGE_QUERY, &n);
	ok(n == 7 && ms[0] == 9 && ms[1] == 25 && ms[5] == 20 && ms[6] == 5,
	    "in a server's run, each sample is a query, from when it was due");
	free(ms);
	r->load.scenario = SINGLE_STREAM;
	ok(bench_durations(r, STAGE_QUERY, &n) == NULL && n == 0,
	    "a single-stream run has no queries");
	r->window.n = 9;
	ms = bench_durations(r, STAGE_INFER, &n);
	ok(n == 7, "no more samples are used than the run has room for");
	free(ms);
	free(r);
}

static void
of_ramp(void)
{
	struct bench_run *r = ramp(662);

	ok(near(bench_stat(r, "infer", "mean"), 331.5) &&
	    near(bench_stat(r, "infer", "sd"), sqrt(662 * 663 / 12.0)) &&
	    bench_stat(r, "infer", "median") == 331.5 &&
	    bench_stat(r, "infer", "mad") == 165.5 &&
	    bench_stat(r, "infer", "min") == 1 &&
	    bench_stat(r, "infer", "max") == 662,
	    "mean, sd, median, mad, min and max of 1 to 662 ms are correct");
	/*
	 * The percentiles are at positions ceil(331) and ceil(655.38); the
	 * upper bound of p99 is the largest.  The least number of samples is
	 * 662 for p99 and 6636 for p99.9 (npu-bench(1)).
	 */
	ok(bench_stat(r, "infer", "p50") == 331 &&
	    bench_stat(r, "infer", "p99") == 656 &&
	    bench_stat(r, "infer", "p99_ucb") == 662 &&
	    isnan(bench_stat(r, "infer", "p99.9")) &&
	    isnan(bench_stat(r, "infer", "p99.9_ucb")),
	    "percentiles are correct, or NAN with too few samples");
	ok(near(bench_stat(r, "create", "mean"), 2) &&
	    near(bench_stat(r, "put", "p50"), 0.5) &&
	    near(bench_stat(r, "get", "p50"), 0.1) &&
	    near(bench_stat(r, "clean", "p50"), 0.4) &&
	    near(bench_stat(r, "e2e", "p50"), 334),
	    "each stage has its own statistics");
	ok(near(bench_stat(r, "throughput", ""), 1e3 / 334.5),
	    "throughput is the number of samples divided by the window");
	r->window.n = 661;
	ok(isnan(bench_stat(r, "infer", "p99")) &&
	    bench_stat(r, "infer", "p50") == 331,
	    "with one sample fewer than 662, p99 is NAN");
	free(r);
}

static void
whole(void)
{
	struct bench_run *r = ramp(99);
	struct bench_stats s;

	bench_stats_of(r, &plan, &s);
	ok(s.stage[STAGE_INFER].summary.n == 99 &&
	    s.stage[STAGE_INFER].percentile[0].value == 50 &&
	    isnan(s.stage[STAGE_INFER].percentile[1].value) &&
	    s.stage[STAGE_INFER].percentile[1].need == 662 &&
	    s.stage[STAGE_QUERY].summary.n == 0,
	    "the percentiles of the plan are computed for each stage");
	ok(near(s.throughput, 1e3 / 53) && near(s.inverse_latency, 1e3 / 53) &&
	    near(s.floor_ms, 0.00125), "throughput is right for one at a time; "
	    "the floor is 50 times 25 ns");
	ok(s.warnings == (1u << WARNING_COV | 1u << WARNING_DRIFT |
	    1u << WARNING_AUTO | 1u << WARNING_SHORT), "a ramp of 99 samples "
	    "gives warnings: spread, drift, autocorrelation, short");
	for (int i = 0; i < 99; i++)
		bench_samples(r)[i].put = 40 * MS;
	bench_stats_of(r, &plan, &s);
	/* 42.5 of 50 ms */
	ok(s.warnings & 1u << WARNING_HOST,
	    "a host that takes 0.85 of the time gives a warning");
	r->window.n = 0;
	bench_stats_of(r, &plan, &s);
	ok(s.stage[STAGE_INFER].summary.n == 0 && isnan(s.throughput) &&
	    isnan(s.inverse_latency) && s.warnings == 0 &&
	    isnan(bench_stat(r, "infer", "mean")) &&
	    isnan(bench_stat(r, "throughput", "")),
	    "a run without samples has no statistics and no warnings");
	free(r);
}

/* Tests the latency bound with latencies of 1 to 700 ms.  With 662 to 838
 * samples, the upper bound of the 99th percentile is the longest latency. */
static void
bound(void)
{
	struct bench_plan p = { .bound_ns = 700 * MS,
	    .bound_percentile = 99 * PERCENT };
	struct bench_run *r = ramp(700);

	for (unsigned i = 0; i < 700; i++)
		bench_samples(r)[i].end = bench_samples(r)[i].due +
		    (i + 1) * MS;
	ok(bench_bound_kept(r, &p) == -1, "a bound applies only to a server");
	r->load.scenario = SERVER;
	ok(bench_bound_kept(r, &p) == 1,
	    "a bound is kept if the longest latency is equal to it");
	p.bound_ns--;
	ok(bench_bound_kept(r, &p) == 0,
	    "a bound is not kept if the longest latency exceeds it");
	p.bound_ns = 1000 * MS;
	r->window.left = 1;
	ok(bench_bound_kept(r, &p) == 0,
	    "a bound is not kept if an arrival was dropped");
	r->window.left = 0;
	r->window.failed = 1;
	ok(bench_bound_kept(r, &p) == 0,
	    "a bound is not kept if an inference failed");
	r->window.failed = 0;
	r->window.n = 661;
	ok(bench_bound_kept(r, &p) == -1,
	    "with 661 samples, it is unknown if a bound is kept");
	r->window.left = 1;
	ok(bench_bound_kept(r, &p) == 0,
	    "with 661 samples and one dropped arrival, a bound is not kept");
	r->window.left = 0;
	r->window.n = 50;
	ok(bench_bound_kept(r, &p) == -1,
	    "with 50 samples, all in time, it is unknown if a bound is kept");
	p.bound_ns = 49 * MS;
	ok(bench_bound_kept(r, &p) == 0,
	    "with 50 samples, one of which is late, a bound is not kept");
	p.bound_ns = 1000 * MS;
	r->window.n = 0;
	ok(bench_bound_kept(r, &p) == -1,
	    "without samples, it is unknown if a bound is kept");
	r->window.n = 700;
	r->window.left = 138;
	p.bound_percentile = 1 * PERCENT;
	ok(bench_bound_kept(r, &p) == 1, "a bound on the first percentile is "
	    "kept although most arrivals were dropped");
	p.bound_ns = 0;
	ok(bench_bound_kept(r, &p) == -1,
	    "without a bound, nothing is decided");
	free(r);
}

/* ---- Several processes ------------------------------------------------ */

/* Makes a run whose window begins at ms at, with n samples of 10 ms from the
 * window's beginning. */
static struct bench_run *
steady(unsigned run, unsigned process, uint64_t at, uint64_t n)
{
	struct bench_run *r = ramp(n);

	r->run = run;
	r->process = process;
	r->window.at = at * MS;
	r->window.ns = n * 10 * MS;
	for (uint64_t i = 0; i < n; i++) {
		bench_samples(r)[i].begin = i * 10 * MS;
		bench_samples(r)[i].end = (i + 1) * 10 * MS;
	}
	return r;
}

static void
together(void)
{
	/*
	 * Both processes of run 0 measured from 1.05 s to 2 s, and each
	 * completed 95 inferences in this time.  Processes of the next run do
	 * not count.
	 */
	struct bench_run *run[] = { steady(0, 0, 1000, 100),
	    steady(0, 1, 1050, 100), steady(1, 0, 1000, 100),
	    steady(1, 1, 9000, 100), steady(2, 0, 9000, 10),
	    steady(2, 1, 9000, 0) };
	struct bench b = { .plan = &plan, .run = run, .runs = 6 };
	struct bench_together t;

	bench_together_of(&b, 1, &t);
	ok(t.first == 0 && t.n == 2 && t.completed == 190 &&
	    near(t.seconds, 0.95) && near(t.throughput, 200),
	    "inferences count that both processes completed while both "
	    "measured");
	bench_together_of(&b, 3, &t);
	ok(t.first == 2 && t.n == 2 && t.seconds == 0 && isnan(t.throughput),
	    "processes that never measured at the same time have no joint "
	    "throughput");
	bench_together_of(&b, 4, &t);
	ok(t.n == 2 && isnan(t.throughput),
	    "a process without samples leaves no joint throughput");
	b.runs = 1;
	bench_together_of(&b, 0, &t);
	ok(t.n == 1 && t.completed == 100 && near(t.throughput, 100),
	    "a single process has its own throughput");
	for (int i = 0; i < 6; i++)
		free(run[i]);
}

static void
energy(void)
{
	struct bench_run *run[] = { steady(0, 0, 1000, 100),
	    steady(0, 1, 1050, 100) };
	struct bench b = { .plan = &plan, .run = run, .runs = 2 };
	struct bench_readings *readings = &run[1]->readings;
	struct bench_energy e;

	readings->watts = 6;
	readings->idle_watts = 2;
	readings->joules = 1200;
	ok(!bench_energy_of(&b, 1, &e) && isnan(e.gross_each),
	    "without a power sensor, energy is unknown");
	strcpy(readings->power, "vdd");
	/* 200 per second: 0.03 and 0.02 J each; 200 s at 6 and at 4 W. */
	ok(bench_energy_of(&b, 1, &e) && near(e.gross, 1200) &&
	    near(e.net, 800) && near(e.gross_each, 0.03) &&
	    near(e.net_each, 0.02),
	    "energy per inference counts the inferences of all processes");
	readings->idle_watts = NAN;
	ok(bench_energy_of(&b, 1, &e) && isnan(e.net) && isnan(e.net_each) &&
	    near(e.gross_each, 0.03),
	    "without idle power, only the net energy is unknown");
	readings->joules = NAN;
	ok(!bench_energy_of(&b, 1, &e),
	    "if the sensor did not answer, energy is unknown");
	run[0]->window.cpu_ns = run[0]->window.ns / 4;
	ok(process_cores(run[0]) == 0.25,
	    "a process that used 250 ms of 1 s used 0.25 processors");
	free(run[0]);
	free(run[1]);
}

static double
the_mean(const struct bench *b, unsigned i, const void *stage)
{
	return bench_stat(b->run[i], stage, "mean");
}

/* The sides are B A A B B A. B has runs of 11, 12 and 3 samples; A has runs of
 * 30, 10 and 0 samples. */
static void
groups(void)
{
	static const uint64_t n[] = { 11, 30, 10, 12, 3, 0 };
	struct bench_run *run[6];
	struct bench b = { .plan = &plan, .run = run, .runs = 6 };
	struct run_groups g;
	struct run_spread d;
	struct bench_stats *s;

	for (unsigned i = 0; i < 6; i++) {
		run[i] = ramp(n[i]);
		run[i]->run = i / 2;
		run[i]->side = "BAABAA"[i];
	}
	run[4]->side = 'B';
	s = bench_stats_all(&b);
	run_groups_of(&b, s, &g);
	ok(g.n == 2 && g.group[0].head == run[1] && g.group[0].n == 2 &&
	    g.group[0].processes == 3 && g.group[0].runs == 3 &&
	    g.group[0].least_n == 10 && g.group[0].most_n == 30,
	    "group A is first, and includes a run without samples");
	ok(g.group[1].n == 3 && g.group[1].at[0] == 0 &&
	    g.group[1].at[1] == 3 && g.group[1].at[2] == 4, "group B follows");
	/* The means are 6, 6.5 and 2. */
	ok(near(g.group[1].median.stage[STAGE_INFER].summary.mean, 6) &&
	    near(g.group[1].median.stage[STAGE_INFER].summary.max, 11) &&
	    isnan(g.group[1].median.stage[STAGE_INFER].percentile[0].value),
	    "a group has the median of its runs, or NAN if one run lacks the "
	    "value");
	run_spread_of(&b, &g.group[1], the_mean, "infer", &d);
	/* The runs' means differ from their mean by 3.5 / 3, 5 / 3 and 8.5 /
	 * 3. */
	ok(near(d.median, 6) && near(d.min, 2) && near(d.max, 6.5) &&
	    near(d.sd, sqrt((12.25 + 25 + 72.25) / 18) * 3 / 14.5), "median, "
	    "minimum, maximum and relative sd of a group's runs are correct");
	run_spread_of(&b, &g.group[1], the_mean, "query", &d);
	ok(isnan(d.median) && isnan(d.min),
	    "a statistic that no run has gives NAN");
	run_groups_free(&g);
	free(s);
	for (unsigned i = 0; i < 6; i++)
		free(run[i]);
}

int
main(void)
{
	percentages();
	names();
	stats();
	queries();
	of_ramp();
	whole();
	bound();
	together();
	energy();
	groups();
	return done();
}
