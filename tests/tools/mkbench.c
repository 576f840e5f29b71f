// SPDX-License-Identifier: Apache-2.0
/*
 * mkbench CASE FORMAT - writes a report of npu-bench about runs that were never
 * made, whose statistics follow from their definition.  Without arguments,
 * prints the names of the cases.
 *
 * FORMAT: text, all (text about each configuration), json, csv, samples,
 * warnings; failed: JSON about a failure after the runs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "npu-bench/report/report.h"
#include "npu-bench/report/run_groups.h"

const struct program program = { .name = "mkbench" };

#define MS UINT64_C(1000000)	/* ns */

static struct bench_plan plan = {
	.preset = "default", .least_ns = 10000 * MS, .least_n = 662,
	.most_ns = 600000 * MS, .most_n = 1000000, .wanted_n = 662,
	.warm_ns = 500 * MS, .warm_n = 5, .seed = 1, .per_query = 8,
	.percentile = { 50000000, 90000000, 95000000, 99000000, 99900000 },
	.percentiles = 5, .peak = 28.8e12,
};

static char *argv[] = { (char[]){ "npu-bench" }, (char[]){ "--json" },
    (char[]){ "a\"b.cix" }, NULL };
static struct bench_run *runs[16];
static struct bench b = { .argc = 3, .argv = argv, .plan = &plan,
    .configs = 1, .processes = 1, .run = runs, .time = 1000000000,
    .machine = { .temp_start = NAN, .temp_end = NAN } };

/* ---- Parts ------------------------------------------------------------ */

static struct bench_sensors
no_sensors(void)
{
	return (struct bench_sensors){ .n = 0 };
}

static struct bench_readings
no_readings(void)
{
	return (struct bench_readings){ .temps = no_sensors(),
	    .freqs = no_sensors(), .busy = NAN, .idle_busy = NAN,
	    .others = NAN, .monitor_cores = NAN, .watts = NAN,
	    .idle_watts = NAN, .joules = NAN, .no_power = "no sensor" };
}

/*
 * A run of n samples, one after the other.  Sample i, from 1 to n, takes:
 * create 2, put 0.5, infer i, get 0.0001, clean 0 ms, so e2e is i + 2.5001 ms.
 */
static struct bench_run *
ramp(const char *model, uint64_t n)
{
	struct bench_run *r = cmd_alloc(sizeof(*r) +
	    n * sizeof(struct bench_sample));
	uint64_t now = 0;

	*r = (struct bench_run){ .room = n,
	    .window = { .n = n, .at = 1000 * MS },
	    .load = { SINGLE_STREAM, .inflight = 1, .rate = NAN },
	    .startup = { .init_ns = 3 * MS, .load_ns = 40 * MS,
	    .first = { .end = 50 * MS, .infer = 45 * MS }, .warm_n = 5,
	    .warm_ns = 600 * MS, .clock_ns = 25 },
	    .outputs = { UINT64_C(0xfedcba9876543210), NAN, NAN },
	    .model = { .bytes = 71000000, .load_memory = 8 << 20,
	    .job_memory = 5 << 19 }, .hwm_kib = 20480,
	    .readings = no_readings(), .phase = PHASE_OVER };
	snprintf(r->model.path, sizeof(r->model.path), "%s", model);
	memset(r->model.sha256, 'a', 64);
	strcpy(r->library.path, "/usr/lib/libnoe.so");
	strcpy(r->library.version, "2.0.2");
	strcpy(r->library.driver, "5.11.0");
	for (uint64_t i = 0; i < n; i++) {
		struct bench_sample *x = &bench_samples(r)[i];

		*x = (struct bench_sample){ now, now,
		    now + (i + 1) * MS + 2500100, 2 * MS, 500000,
		    (i + 1) * MS, 100, 0 };
		now = x->end;
	}
	r->window.ns = now;
	r->window.cpu_ns = now / 4;
	r->run = b.runs;
	return runs[b.runs++] = r;
}

/* ---- Cases ------------------------------------------------------------ */

static void
of_ramp(void)
{
	strcpy(b.machine.board, "Orange Pi 6 Plus");
	strcpy(b.machine.kernel, "6.6.89");
	strcpy(b.machine.governor, "performance");
	b.machine.cpus = 12;
	b.machine.temp_start = 41.5;
	b.machine.temp_end = 43;
	ramp("clip_txt.cix", 662);
}

static void
of_few(void)
{
	ramp("few.cix", 200);
}

static void
of_one(void)
{
	ramp("one.cix", 1);
	runs[0]->startup.init_ns = 1249;	/* 49.96 times the clock */
	runs[0]->startup.load_ns = 1250;
}

/* The run ended before it had a sample or any other result. */
static void
of_zero(void)
{
	struct bench_run *r = ramp("zero.cix", 0);

	*r = (struct bench_run){ .rc = NPU_ENODEV, .load.rate = NAN,
	    .model.path = "zero.cix", .load.inflight = 1,
	    .message = "no such\ndevice",
	    .outputs = { .ref_cos = NAN, .ref_max = NAN },
	    .readings = no_readings() };
	r->readings.no_power[0] = '\0';
}

static void
of_none(void)
{
	plan.percentiles = 0;
}

/* All values are infinite or NaN, and the clock does not advance. */
static void
of_nan(void)
{
	struct bench_run *r = ramp("odd.cix", 3);
	struct bench_readings *m = &r->readings;

	for (int i = 0; i < 3; i++)
		bench_samples(r)[i] = (struct bench_sample){ 0 };
	r->window.ns = r->window.cpu_ns = r->startup.clock_ns = 0;
	m->temps.n = m->freqs.n = 1;
	m->temps.item[0] = m->freqs.item[0] = (struct bench_sensor){ "x", NAN,
	    INFINITY, NAN, NAN, -INFINITY };
	strcpy(m->power, "p");
	b.machine.temp_start = INFINITY;
	b.time = INT64_MAX;
}

static void
of_hostile(void)
{
	ramp("say \"x\",\r\n\t\x1b[31m\\|\xff\xc3\xa9.cix", 12);
	strcpy(b.machine.board, "a\nb\"\xfe");
	strcpy(runs[0]->readings.no_power, "no\n\"sensor\"");
	strcpy(runs[0]->readings.holder, "\xff\"\n (7)");
}

/* The medians of infer are 331, 341 and 351 ms; the power is 5, 6 and 7 W. */
static void
of_runs(void)
{
	struct bench_readings *m;

	for (int k = 0; k < 3; k++) {
		struct bench_run *r = ramp("clip_txt.cix", 662);

		for (int i = 0; i < 662; i++) {
			struct bench_sample *x = &bench_samples(r)[i];

			x->infer += (uint64_t)k * 10 * MS;
			x->begin += 662u * (uint64_t)k * 10 * MS;
			x->end += 662u * (uint64_t)k * 10 * MS;
		}
		m = &r->readings;
		m->busy = 0.125;
		m->idle_busy = 0.0625;
		m->monitor_cores = 0.001;
		m->watts = 5 + k;
		m->idle_watts = 2;
		m->joules = 1000;
		strcpy(m->power, "vdd");
		m->temps.n = 1;
		m->temps.item[0] = (struct bench_sensor){ "soc", 40, 44,
		    40 - k, 42, 44 + k };
	}
}

/*
 * Two processes in one run.  Their windows begin at 1 s and 1.05 s, and have
 * 100 samples of 10 ms each: both measured from 1.05 to 2 s, and each completed
 * 95 samples in this time.
 */
static void
of_together(void)
{
	b.processes = 2;
	for (unsigned k = 0; k < 2; k++) {
		struct bench_run *r = ramp(k == 0 ? "m/a.cix" : "m/b.cix", 100);

		r->run = 0;
		r->process = k;
		r->window.at = 1000 * MS + k * 50 * MS;
		r->window.ns = 1000 * MS;
		for (uint64_t i = 0; i < 100; i++)
			bench_samples(r)[i] = (struct bench_sample){
			    i * 10 * MS, i * 10 * MS, (i + 1) * 10 * MS,
			    MS, MS, 6 * MS, MS, MS };
	}
}

/* --ops=1T --peak=4T */
static void
of_operations(void)
{
	of_ramp();
	plan.ops = 1e12;
	plan.peak = 4e12;
}

/* -P 2 --ops=10G --peak=4T: each process completes 100 inferences in a second.
 */
static void
of_shared(void)
{
	of_together();
	strcpy(runs[1]->model.path, "m/a.cix");
	plan.ops = 10e9;
	plan.peak = 4e12;
}

/* -j 1,2: two configurations. */
static void
of_sweep(void)
{
	b.configs = 2;
	for (unsigned k = 0; k < 2; k++) {
		struct bench_run *r = ramp("clip_txt.cix", 662);

		r->run = 0;
		r->config = k;
		r->load.inflight = k + 1;
		r->load.scenario = OFFLINE;
	}
}

/* Does the same with --ops=1T --peak=4T. */
static void
of_sweep_operations(void)
{
	of_sweep();
	plan.ops = 1e12;
	plan.peak = 4e12;
}

/* Two models with the same name. */
static void
of_twins(void)
{
	of_sweep();
	strcpy(runs[0]->model.path, "one/m.cix");
	strcpy(runs[1]->model.path, "two/m.cix");
}

/* 80 queries of 8 samples.  Each sample begins 10 ms after the previous sample,
 * so a query takes 80 ms. */
static void
of_queries(void)
{
	struct bench_run *r = ramp("q.cix", 640);

	r->load.scenario = MULTI_STREAM;
	r->load.inflight = 3;
	r->window.ns = 6400 * MS;
	for (uint64_t i = 0; i < 640; i++)
		bench_samples(r)[i] = (struct bench_sample){ i / 8 * 80 * MS,
		    i * 10 * MS, (i + 1) * 10 * MS, MS, MS, 6 * MS, MS, MS };
}

/* Each sample arrives 5 ms before it can begin, and takes 10 ms. */
static void
of_server(void)
{
	struct bench_run *r = ramp("s.cix", 700);

	r->load.scenario = SERVER;
	r->load.rate = 50.5;
	r->window.ns = 13990 * MS;
	plan.bound_ns = 20 * MS;
	plan.bound_percentile = 99000000;
	r->search.n = 2;
	r->search.low = 50.5;
	r->search.high = 54;
	r->search.trial[0] = (struct bench_trial){ 25.25, 700, 1, 24.75,
	    15 * MS, true };
	r->search.trial[1] = (struct bench_trial){ 101, 10, 8, 60.5, 0, false };
	for (uint64_t i = 0; i < 700; i++)
		bench_samples(r)[i] = (struct bench_sample){ i * 20 * MS,
		    i * 20 * MS + 5 * MS, i * 20 * MS + 15 * MS,
		    MS, MS, 6 * MS, MS, MS };
}

/* The same with a given rate; one more sample was abandoned, and another
 * failed. */
static void
of_late(void)
{
	of_server();
	runs[0]->search.n = 0;
	runs[0]->window.left = 1;
	runs[0]->window.failed = 1;
	runs[0]->readings.hot = true;
	strcpy(b.machine.governor, "powersave");
	strcpy(runs[0]->message, "no answer\x1b[1m");
}

/* The percentiles from 7 to 22. */
static void
of_many(void)
{
	ramp("many.cix", 662);
	plan.percentiles = BENCH_PERCENTILES;
	for (unsigned i = 0; i < BENCH_PERCENTILES; i++)
		plan.percentile[i] = (7 + i) * PERCENT;
}

/* --ab, in the order A B B A. */
static void
of_sides(void)
{
	for (unsigned k = 0; k < 4; k++) {
		struct bench_run *r = ramp(k == 0 || k == 3 ? "a.cix" :
		    "b.cix", 662);

		r->run = k / 2;
		r->side = k == 0 || k == 3 ? 'A' : 'B';
	}
	b.verdicts = (struct bench_verdicts){ .verdict = BENCH_REGRESSION,
	    .n = 2, .runs = 2, .against = "A against B", .gated = {
	    { .model = "b.cix", .inflight = 1, .metric = "infer p50",
	      .before = 10, .after = 10.75, .change = 0.075, .bound = 0.061,
	      .limit = 0.05, .at_least = true,
	      .verdict = BENCH_REGRESSION },
	    { .model = "b.cix", .inflight = 1, .metric = "infer p99 ucb",
	      .before = NAN, .after = NAN, .change = NAN, .bound = NAN,
	      .limit = NAN, .verdict = BENCH_NO_GATE,
	      .why = "662 samples are wanted" } } };
}

/*
 * 12 and 11 inferences of 1 to 12 s, then 1500 inferences of 1 to 1500 ms.  One
 * failed in the first run, and two in the second, where a sensor did not
 * answer.
 */
static void
of_slow(void)
{
	b.configs = 2;
	for (unsigned k = 0; k < 2; k++) {
		struct bench_run *r = ramp("s.cix", 12 - k);

		for (unsigned i = 0; i < r->window.n; i++) {
			struct bench_sample *x = &bench_samples(r)[i];

			x->infer = (i + 1) * 1000 * MS;
			x->begin = i * (i + 1) / 2 * 1000 * MS;
			x->end = x->begin + x->infer;
		}
		r->window.ns = r->window.n * (r->window.n + 1) / 2 * 1000 * MS;
		r->window.failed = k + 1;
		strcpy(r->message, k == 0 ? "no answer" : "another");
		r->readings.temps.n = 2 - k;
		for (unsigned i = 0; i < 2; i++)
			r->readings.temps.item[i] = (struct bench_sensor){
			    "soc", 40, 40, 40 - k, 40, 50 + i + k };
		strcpy(r->readings.temps.item[1].name, "npu");
	}
	ramp("s.cix", 1500)->config = 1;
}

static struct bench_run *
fail(struct bench_run *r)
{
	r->rc = NPU_EDEVICE;
	r->window.n = 0;
	strcpy(r->message, "it broke");
	return r;
}

/* Some runs failed: one of two simultaneous processes, and one of two sides; a
 * server has too few samples for its bound. */
static void
of_partly(void)
{
	b.processes = 2;
	b.configs = 3;
	plan.bound_ns = 20 * MS;
	plan.bound_percentile = 99000000;
	ramp("m/a.cix", 20)->run = 0;
	fail(ramp("b.cix", 1))->run = 0;
	ramp("m/a.cix", 20)->side = 'A';
	fail(ramp("m/a.cix", 1))->side = 'B';
	for (unsigned k = 4; k < 6; k++)
		ramp("m/a.cix", 5)->load.scenario = SERVER;
	for (unsigned k = 2; k < 6; k++) {
		runs[k]->config = k / 2;
		runs[k]->run = k % 2;
		runs[k]->load.rate = 50;
	}
	runs[1]->process = 1;
}

static const struct {
	const char *name;
	void (*make)(void);
} cases[] = {
	{ "ramp", of_ramp }, { "few", of_few }, { "one", of_one },
	{ "zero", of_zero }, { "none", of_none }, { "nan", of_nan },
	{ "hostile", of_hostile }, { "runs", of_runs },
	{ "together", of_together }, { "sweep", of_sweep },
	{ "twins", of_twins }, { "queries", of_queries },
	{ "server", of_server }, { "late", of_late }, { "many", of_many },
	{ "operations", of_operations }, { "shared", of_shared },
	{ "sweep-operations", of_sweep_operations },
	{ "sides", of_sides }, { "slow", of_slow }, { "partly", of_partly },
};

/* ---- Reports ---------------------------------------------------------- */

static void
write_samples(void)
{
	struct output o;

	cmd_open_output(&o, NULL, false);
	bench_write_samples(&o, &b);
}

static void
report(const char *format)
{
	struct bench_stats *s = bench_stats_all(&b);
	struct buf out = { 0 };

	if (strcmp(format, "text") == 0 || strcmp(format, "all") == 0)
		bench_text(&out, &b, s, *format == 'a');
	else if (strcmp(format, "json") == 0)
		bench_json(&out, &b, s, NULL, 0);
	else if (strcmp(format, "failed") == 0)
		bench_json(&out, &b, s, "it's \"over\"\n", 1);
	else if (strcmp(format, "csv") == 0)
		bench_table(&out, &b, s, ',');
	else if (strcmp(format, "tsv") == 0)
		bench_table(&out, &b, s, '\t');
	else if (strcmp(format, "samples") == 0)
		write_samples();
	else if (strcmp(format, "warnings") == 0)
		bench_warn(&b, s);
	else
		exit(2);
	if (out.n > 0)
		fwrite(out.p, 1, out.n, stdout);
	buf_free(&out);
	free(s);
}

int
main(int argc, char **args)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (argc == 1)
			puts(cases[i].name);
		else if (argc == 3 && strcmp(args[1], cases[i].name) == 0) {
			cases[i].make();
			report(args[2]);
			for (unsigned k = 0; k < b.runs; k++)
				free(runs[k]);
			return 0;
		}
	}
	return argc == 1 ? 0 : 2;
}
