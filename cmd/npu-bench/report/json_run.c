// SPDX-License-Identifier: Apache-2.0
/* Writes one worker of one run in the form of npu-bench/1. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "json.h"
#include "operations.h"

#define MS 1e6			/* ns */

/* ---- A stage ---------------------------------------------------------- */

/* Treats a duration that is too short for the clock as unknown. */
static double
shown(double ms, double floor)
{
	return ms >= floor ? ms : NAN;
}

static void
json_percentile(struct json *j, const struct percentile *p, double floor)
{
	const struct {
		const char *suffix;
		double ms;
	} part[] = { { "", p->value }, { "_ucb", p->ucb }, { "_low", p->low },
	    { "_high", p->high } };
	char name[13], key[32];

	bench_percent_key(p->p, name);
	for (int i = 0; i < 4; i++) {
		snprintf(key, sizeof(key), "%s%s_ms", name, part[i].suffix);
		json_member_double(j, key, shown(part[i].ms, floor));
	}
	if (isnan(p->value)) {
		snprintf(key, sizeof(key), "%s_need_n", name);
		json_member_uint(j, key, p->need);
	}
}

static void
json_histogram(struct json *j, const struct histogram *h)
{
	json_key(j, "histogram");
	json_object(j);
	json_key(j, "edges_ms");
	json_array(j);
	for (size_t i = 0; i <= h->bins; i++)
		json_double(j, histogram_edge(h, i));
	json_end_array(j);
	json_key(j, "counts");
	json_array(j);
	for (size_t i = 0; i < h->bins; i++)
		json_uint(j, h->count[i]);
	json_end_array(j);
	json_member_uint(j, "below", h->below);
	json_member_uint(j, "above", h->above);
	json_end_object(j);
}

static void
json_summary(struct json *j, const struct summary *s, double floor)
{
	json_member_uint(j, "n", s->n);
	json_member_double(j, "mean_ms", shown(s->mean, floor));
	json_member_double(j, "sd_ms", s->sd);
	json_member_double(j, "cov", s->cov);
	json_member_double(j, "min_ms", shown(s->min, floor));
	json_member_double(j, "median_ms", shown(s->median, floor));
	json_member_double(j, "mad_ms", s->mad);
	json_member_double(j, "max_ms", shown(s->max, floor));
	json_member_double(j, "q1_ms", shown(s->q1, floor));
	json_member_double(j, "q3_ms", shown(s->q3, floor));
	json_member_double(j, "first_ms", shown(s->first, floor));
	json_member_double(j, "drift", s->drift);
	json_member_double(j, "correlation", s->correlation);
	json_member_double(j, "effective_n", s->effective);
	json_member_uint(j, "outliers", s->outliers);
	json_member_uint(j, "mild_outliers", s->mild);
	json_member_uint(j, "extreme_outliers", s->extreme);
}

/* Writes each on one line of any length. */
static void
json_stages(struct json *j, const struct bench_plan *p,
    const struct bench_stats *s)
{
	json_key(j, "stages");
	json_object(j);
	for (int i = 0; i < STAGES; i++) {
		const struct stage_stats *t = &s->stage[i];

		json_key(j, stage_names[i]);
		if (t->summary.n == 0) {
			json_null(j);
			continue;
		}
		j->pretty = false;
		json_object(j);
		json_summary(j, &t->summary, s->floor_ms);
		for (unsigned k = 0; k < p->percentiles; k++)
			json_percentile(j, &t->percentile[k], s->floor_ms);
		json_histogram(j, &t->histogram);
		json_end_object(j);
		j->pretty = true;
	}
	json_end_object(j);
}

/* ---- The machine ------------------------------------------------------ */

static void
json_cpu(struct json *j, const struct bench_run *r)
{
	const struct bench_readings *m = &r->readings;

	json_key(j, "cpu");
	json_object(j);
	json_member_double(j, "self_cores", process_cores(r));
	json_member_double(j, "system_pct", 100 * m->busy);
	json_member_double(j, "idle_pct", 100 * m->idle_busy);
	json_member_double(j, "others_cores", m->others);
	json_member_double(j, "watch_cores", m->monitor_cores);
	json_end_object(j);
	json_member_str(j, "holder", m->holder);
	json_key(j, "mem");
	json_object(j);
	json_member_double(j, "hwm_kib",
	    r->hwm_kib == 0 ? NAN : (double)r->hwm_kib);
	json_member_count(j, "device_model_bytes", r->model.load_memory);
	json_member_count(j, "device_job_bytes", r->model.job_memory);
	json_end_object(j);
}

static void
json_items(struct json *j, const char *name, const char *unit,
    const struct bench_sensors *items)
{
	json_key(j, name);
	j->pretty = false;
	json_array(j);
	for (unsigned i = 0; i < items->n; i++) {
		const struct bench_sensor *t = &items->item[i];
		const struct {
			const char *of;
			double v;
		} part[] = { { "first", t->first }, { "last", t->last },
		    { "min", t->min }, { "mean", t->mean }, { "max", t->max } };
		char key[32];

		json_object(j);
		json_member_str(j, "name", t->name);
		for (int k = 0; k < 5; k++) {
			snprintf(key, sizeof(key), "%s_%s", part[k].of, unit);
			json_member_double(j, key, part[k].v);
		}
		json_end_object(j);
	}
	json_end_array(j);
	j->pretty = true;
}

void
json_energy(struct json *j, const struct bench *b, unsigned i)
{
	const struct bench_readings *m = &b->run[i]->readings;
	struct bench_energy e;

	json_key(j, "energy");
	if (!bench_energy_of(b, i, &e)) {
		json_null(j);
		json_member_str(j, "energy_reason", m->no_power);
		return;
	}
	json_object(j);
	json_member_str(j, "sensors", m->power);
	json_member_double(j, "mean_w", m->watts);
	json_member_double(j, "idle_w", m->idle_watts);
	json_member_double(j, "gross_j", e.gross);
	json_member_double(j, "net_j", e.net);
	json_member_double(j, "gross_j_per_inference", e.gross_each);
	json_member_double(j, "net_j_per_inference", e.net_each);
	json_end_object(j);
	json_key(j, "energy_reason"), json_null(j);
}

/* ---- The run ---------------------------------------------------------- */

void
json_side(struct json *j, char side)
{
	json_member_str(j, "side", (char[]){ side, '\0' });
}

void
json_warnings(struct json *j, unsigned warnings)
{
	json_key(j, "warnings");
	j->pretty = false;
	json_array(j);
	for (int i = 0; i < WARNINGS; i++)
		if (warnings & 1u << i)
			json_str(j, warning_texts[i].code);
	json_end_array(j);
	j->pretty = true;
}

static void
json_identity(struct json *j, const struct bench *b, const struct bench_run *r)
{
	json_member_uint(j, "config", r->config);
	json_member_uint(j, "run", r->run);
	json_member_uint(j, "process", r->process);
	json_side(j, r->side);
	json_member_str(j, "model", r->model.path);
	json_member_str(j, "library", r->library.path);
	json_member_str(j, "libnoe", r->library.version);
	json_member_str(j, "driver", r->library.driver);
	json_key(j, "scenario"), json_str(j, bench_scenarios[r->load.scenario]);
	json_member_uint(j, "inflight", r->load.inflight);
	json_member_double(j, "rate",
	    r->load.scenario == SERVER ? r->load.rate : NAN);
	json_key(j, "per_query");
	if (r->load.scenario == MULTI_STREAM)
		json_uint(j, b->plan->per_query);
	else
		json_null(j);
}

/* 0 means that it was not reached. */
static void
json_ns(struct json *j, const char *key, uint64_t ns, double floor)
{
	json_member_double(j, key, ns == 0 ? NAN :
	    shown((double)ns / MS, floor));
}

static void
json_counts(struct json *j, const struct bench_plan *p,
    const struct bench_run *r, const struct bench_stats *s)
{
	json_member_uint(j, "n", r->window.n);
	json_member_uint(j, "failed", r->window.failed);
	json_member_str(j, "failed_reason", r->rc == 0 ? r->message : "");
	json_member_uint(j, "failed_before", r->startup.failed);
	json_member_uint(j, "left", r->window.left);
	json_key(j, "full"), json_bool(j, r->window.full);
	json_ns(j, "wall_ms", r->window.ns, 0);
	json_member_double(j, "throughput", s->throughput);
	json_member_double(j, "inverse_latency", s->inverse_latency);
	operations_json(j, p, s->throughput);
	json_ns(j, "init_ms", r->startup.init_ns, s->floor_ms);
	json_ns(j, "load_ms", r->startup.load_ns, s->floor_ms);
	json_ns(j, "first_ms", r->startup.first.end, s->floor_ms);
	json_ns(j, "first_infer_ms", r->startup.first.infer, s->floor_ms);
	json_key(j, "warmup");
	json_object(j);
	json_member_uint(j, "n", r->startup.warm_n);
	json_member_double(j, "ms", (double)r->startup.warm_ns / MS);
	json_end_object(j);
	json_member_uint(j, "clock_ns", r->startup.clock_ns);
	json_member_double(j, "floor_ms", s->floor_ms);
}

/* NAN: unknown.  0 and 0: no rate keeps the bound. */
static double
found_rate(const struct bench_run *r, double rate)
{
	if (r->search.n > 0 && r->search.none)
		return 0;
	return r->search.n > 0 && rate > 0 && isfinite(rate) ? rate : NAN;
}

static void
json_bound(struct json *j, const struct bench *b, struct bench_run *r)
{
	int kept = bench_bound_kept(r, b->plan);

	json_key(j, "bound_kept");
	if (kept < 0)
		json_null(j);
	else
		json_bool(j, kept);

	json_member_double(j, "rate_low", found_rate(r, r->search.low));
	json_member_double(j, "rate_high", found_rate(r, r->search.high));
	json_key(j, "trials");
	j->pretty = false;
	json_array(j);
	for (unsigned i = 0; i < r->search.n; i++) {
		json_object(j);
		json_member_double(j, "rate", r->search.trial[i].rate);
		json_member_uint(j, "n", r->search.trial[i].n);
		json_member_uint(j, "late", r->search.trial[i].late);
		json_member_double(j, "throughput",
		    r->search.trial[i].completed);
		json_ns(j, "latency_ms", r->search.trial[i].latency_ns, 0);
		json_key(j, "met"), json_bool(j, r->search.trial[i].met);
		json_end_object(j);
	}
	json_end_array(j);
	j->pretty = true;
}

/* A checksum has 64 bits, but many JSON readers keep only 53 bits of a number:
 * write a string. */
static void
json_outputs(struct json *j, const struct bench_run *r)
{
	char sum[17] = "";

	if (r->window.n > 0)
		snprintf(sum, sizeof(sum), "%016" PRIx64, r->outputs.checksum);
	json_member_str(j, "checksum", sum);
	json_member_double(j, "ref_cosine", r->outputs.ref_cos);
	json_member_double(j, "ref_max_error", r->outputs.ref_max);
}

static void
json_error(struct json *j, const struct bench_run *r)
{
	const struct npu_err err = { .code = r->rc };

	json_key(j, "error");
	if (r->rc == 0) {
		json_null(j);
		return;
	}
	json_object(j);
	json_member_str(j, "message", r->message);
	json_key(j, "status");
	json_int(j, r->rc > 0 ? r->rc : cmd_status(&err));
	json_end_object(j);
}

void
json_run(struct json *j, const struct bench *b, const struct bench_stats *s,
    unsigned i)
{
	const struct bench_run *r = b->run[i];

	json_object(j);
	json_identity(j, b, r);
	json_counts(j, b->plan, r, &s[i]);
	json_stages(j, b->plan, &s[i]);
	json_cpu(j, r);
	json_energy(j, b, i);
	json_items(j, "temps", "c", &r->readings.temps);
	json_items(j, "freqs", "mhz", &r->readings.freqs);
	json_bound(j, b, b->run[i]);
	json_outputs(j, r);
	json_warnings(j, s[i].warnings);
	json_error(j, r);
	json_end_object(j);
}
