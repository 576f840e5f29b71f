// SPDX-License-Identifier: Apache-2.0
/* Writes the document npu-bench/1; json_run.c writes its runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "json_error.h"
#include "operations.h"
#include "stats/median.h"

#define MS 1e6			/* ns */

/* ---- Common to all runs ----------------------------------------------- */

/* Returns a text of struct bench_run if it is the same in all runs, else "". */
static const char *
common(const struct bench *b, size_t at)
{
	const char *s = "", *t;

	for (unsigned i = 0; i < b->runs; i++) {
		t = (const char *)b->run[i] + at;
		if (i > 0 && strcmp(s, t) != 0)
			return "";
		s = t;
	}
	return s;
}

#define COMMON(b, member) common(b, offsetof(struct bench_run, member))

/*
 * Returns the median of a number over all runs; NAN if a run does not know it.
 */
static double
median(const struct bench *b, double (*of)(const struct bench_run *))
{
	double *x = cmd_alloc((b->runs + 1) * sizeof(*x)), m = NAN;
	unsigned n = 0;

	while (n < b->runs && !isnan(x[n] = of(b->run[n])))
		n++;
	if (n > 0 && n == b->runs)
		m = stats_median(x, n);
	free(x);
	return m;
}

static double
warm_n(const struct bench_run *r)
{
	return (double)r->startup.warm_n;
}

static double
warm_ms(const struct bench_run *r)
{
	return (double)r->startup.warm_ns / MS;
}

static double
hwm_kib(const struct bench_run *r)
{
	return r->hwm_kib == 0 ? NAN : (double)r->hwm_kib;
}

static double
system_pct(const struct bench_run *r)
{
	return 100 * r->readings.busy;
}

/* ---- Members ---------------------------------------------------------- */

static void
json_ms(struct json *j, const char *key, uint64_t ns)
{
	json_member_double(j, key, ns == 0 ? NAN : (double)ns / MS);
}

static void
json_argv(struct json *j, int argc, char **argv)
{
	json_key(j, "argv");
	j->pretty = false;
	json_array(j);
	for (int i = 0; i < argc; i++)
		json_str(j, argv[i]);
	json_end_array(j);
	j->pretty = true;
}

static void
json_time(struct json *j, int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;
	char s[32];

	if (gmtime_r(&t, &tm) == NULL)
		*s = '\0';
	else
		strftime(s, sizeof(s), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_member_str(j, "time", s);
}

static void
json_host(struct json *j, const struct bench *b)
{
	const struct bench_machine *m = &b->machine;

	json_key(j, "host");
	json_object(j);
	json_member_str(j, "board", m->board);
	json_member_str(j, "machine", m->machine);
	json_member_str(j, "cpu", m->cpu);
	json_member_count(j, "cpus", m->cpus);
	json_member_str(j, "kernel", m->kernel);
	json_member_str(j, "firmware", m->firmware);
	json_member_str(j, "governor", m->governor);
	json_member_str(j, "driver", COMMON(b, library.driver));
	json_member_str(j, "libnoe", COMMON(b, library.version));
	json_member_str(j, "library", COMMON(b, library.path));
	json_member_str(j, "target", COMMON(b, library.target));
	json_key(j, "emulator");
	if (b->runs > 0 && *COMMON(b, library.path) != '\0')
		json_bool(j, b->run[0]->library.emulator);
	else
		json_null(j);
	json_member_double(j, "temp_c_start", m->temp_start);
	json_member_double(j, "temp_c_end", m->temp_end);
	json_end_object(j);
}

static void
json_model(struct json *j, const struct bench_run *r)
{
	json_object(j);
	json_member_str(j, "path", r->model.path);
	json_member_str(j, "sha256", r->model.sha256);
	json_member_count(j, "bytes", r->model.bytes);
	json_end_object(j);
}

/* True if a run before run i had the same model. */
static bool
model_before(const struct bench *b, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (strcmp(b->run[k]->model.path, b->run[i]->model.path) == 0 &&
		    strcmp(b->run[k]->model.sha256,
		    b->run[i]->model.sha256) == 0)
			return true;
	return false;
}

static void
json_models(struct json *j, const struct bench *b)
{
	unsigned models = 0;

	for (unsigned i = 0; i < b->runs; i++)
		models += !model_before(b, i);
	json_key(j, "model");
	if (models == 1)
		json_model(j, b->run[0]);
	else
		json_null(j);
	json_key(j, "models");
	json_array(j);
	for (unsigned i = 0; i < b->runs; i++)
		if (!model_before(b, i))
			json_model(j, b->run[i]);
	json_end_array(j);
}

static void
json_load(struct json *j, const struct bench *b)
{
	bool scenario = b->runs > 0, inflight = b->runs > 0;

	for (unsigned i = 1; i < b->runs; i++) {
		scenario &= b->run[i]->load.scenario ==
		    b->run[0]->load.scenario;
		inflight &= b->run[i]->load.inflight ==
		    b->run[0]->load.inflight;
	}
	json_key(j, "scenario");
	json_str(j, scenario ? bench_scenarios[b->run[0]->load.scenario] :
	    NULL);
	json_key(j, "inflight");
	if (inflight)
		json_uint(j, b->run[0]->load.inflight);
	else
		json_null(j);
	json_member_uint(j, "processes", b->processes);
}

static void
json_plan(struct json *j, const struct bench_plan *p)
{
	json_key(j, "plan");
	json_object(j);
	json_key(j, "preset"), json_str(j, p->preset);
	json_ms(j, "least_ms", p->least_ns);
	json_member_count(j, "least_n", p->least_n);
	json_ms(j, "most_ms", p->most_ns);
	json_member_count(j, "most_n", p->most_n);
	json_member_count(j, "wanted_n", p->wanted_n);
	json_member_double(j, "warm_ms", (double)p->warm_ns / MS);
	json_member_uint(j, "warm_n", p->warm_n);
	json_member_uint(j, "seed", p->seed);
	json_key(j, "input"), json_str(j, p->input);
	json_key(j, "ref"), json_str(j, p->ref);
	json_key(j, "find_rate"), json_bool(j, p->find_rate);
	json_key(j, "steady"), json_bool(j, p->steady);
	json_ms(j, "bound_ms", p->bound_ns);
	json_member_double(j, "bound_percentile", p->bound_ns == 0 ? NAN :
	    (double)p->bound_percentile / PERCENT);
	json_member_double(j, "ops", p->ops > 0 ? p->ops : (double)NAN);
	json_member_double(j, "peak_ops", p->peak);
	json_key(j, "percentiles");
	j->pretty = false;
	json_array(j);
	for (unsigned i = 0; i < p->percentiles; i++)
		json_double(j, (double)p->percentile[i] / PERCENT);
	json_end_array(j);
	j->pretty = true;
	json_end_object(j);
}

/* Adds the medians over all runs. */
static void
json_medians(struct json *j, const struct bench *b)
{
	json_key(j, "warmup");
	json_object(j);
	json_member_double(j, "n", median(b, warm_n));
	json_member_double(j, "ms", median(b, warm_ms));
	json_end_object(j);
	json_key(j, "cpu");
	json_object(j);
	json_member_double(j, "self_cores", median(b, process_cores));
	json_member_double(j, "system_pct", median(b, system_pct));
	json_end_object(j);
	json_key(j, "mem");
	json_object(j);
	json_member_double(j, "hwm_kib", median(b, hwm_kib));
	json_end_object(j);
}

/* Adds the energy of a single run; with several runs, each has its own. */
static void
json_energy_of_all(struct json *j, const struct bench *b)
{
	if (b->runs == 1) {
		json_energy(j, b, 0);
		return;
	}
	json_key(j, "energy"), json_null(j);
	json_key(j, "energy_reason"), json_null(j);
}

static void
json_together(struct json *j, const struct bench *b)
{
	struct bench_together t;

	json_key(j, "together");
	json_array(j);
	for (unsigned i = 0; i < b->runs; i += t.n) {
		bench_together_of(b, i, &t);
		if (t.n < 2)
			continue;
		json_object(j);
		json_member_uint(j, "config", b->run[i]->config);
		json_member_uint(j, "run", b->run[i]->run);
		json_side(j, b->run[i]->side);
		json_member_uint(j, "processes", t.n);
		json_member_uint(j, "completed", t.completed);
		json_member_double(j, "wall_ms", t.seconds * 1e3);
		json_member_double(j, "throughput", t.throughput);
		operations_json(j, b->plan, t.throughput);
		json_end_object(j);
	}
	json_end_array(j);
}

/* ---- Verdicts --------------------------------------------------------- */

static const char *const results[] = {
	[BENCH_NO_GATE] = "left out", [BENCH_PASS] = "pass",
	[BENCH_REGRESSION] = "regression", [BENCH_UNSURE] = "unsure",
};

static void
json_gated(struct json *j, const struct bench_gated *g)
{
	json_object(j);
	json_member_uint(j, "config", g->config);
	json_member_str(j, "model", g->model);
	json_member_uint(j, "inflight", g->inflight);
	json_member_str(j, "metric", g->metric);
	json_key(j, "result"), json_str(j, results[g->verdict]);
	json_key(j, "higher_is_better"), json_bool(j, g->higher);
	json_member_double(j, "before", g->before);
	json_member_double(j, "after", g->after);
	json_member_double(j, "change", g->change);
	json_member_double(j, "bound", g->bound);
	json_key(j, "at_least"), json_bool(j, g->at_least);
	json_member_double(j, "limit", g->limit);
	json_member_str(j, "why", g->why);
	json_end_object(j);
}

static void
json_verdict(struct json *j, const struct bench_verdicts *v)
{
	json_key(j, "verdict");
	if (v->verdict == BENCH_NO_GATE) {
		json_null(j);
		return;
	}
	json_object(j);
	json_key(j, "result"), json_str(j, results[v->verdict]);
	json_member_str(j, "against", v->against);
	json_member_uint(j, "runs", v->runs);
	json_member_uint(j, "stored", v->stored);
	json_member_str(j, "why", v->why);
	json_key(j, "metrics");
	json_array(j);
	for (unsigned i = 0; i < v->n; i++)
		json_gated(j, &v->gated[i]);
	json_end_array(j);
	json_end_object(j);
}

/* ---- The document ----------------------------------------------------- */

static void
json_begin(struct json *j, int argc, char **argv)
{
	j->pretty = true;
	json_object(j);
	json_key(j, "schema"), json_str(j, "npu-bench/1");
	json_key(j, "npu_utils"), json_str(j, NPU_VERSION);
	json_argv(j, argc, argv);
}

static void
json_end(struct json *j, const char *error, int status)
{
	if (error != NULL)
		json_error(j, error, status);
	else
		json_key(j, "error"), json_null(j);
	json_end_object(j);
	buf_puts(&j->out, "\n");
}

/* Returns a writer that takes over out's buffer, and gives it back as j.out. */
static struct json
json_into(const struct buf *out)
{
	return (struct json){ .out = *out };
}

void
bench_json(struct buf *out, const struct bench *b,
    const struct bench_stats *s, const char *error, int status)
{
	struct json j = json_into(out);

	json_begin(&j, b->argc, b->argv);
	json_time(&j, b->time);
	json_host(&j, b);
	json_models(&j, b);
	json_load(&j, b);
	json_plan(&j, b->plan);
	json_medians(&j, b);
	json_energy_of_all(&j, b);
	json_key(&j, "runs");
	json_array(&j);
	for (unsigned i = 0; i < b->runs; i++)
		json_run(&j, b, s, i);
	json_end_array(&j);
	json_together(&j, b);
	json_warnings(&j, bench_warnings(b, s));
	json_verdict(&j, &b->verdicts);
	json_end(&j, error, status);
	*out = j.out;
}
