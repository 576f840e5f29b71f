// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "device.h"
#include "npu-bench/measure/machine.h"
#include "npu-bench/measure/worker.h"
#include "npu-bench/measure/workers.h"
#include "progress.h"
#include "rounds.h"
#include "slowdown.h"
#include "stats/gate.h"

#define MS UINT64_C(1000000)

struct rounds {
	struct bench *b;
	const struct npu_bench_options *o;
	struct workers workers;
	struct rounds_result *result;
	bool *failed;		/* for each configuration */
	unsigned finished;	/* number of finished runs */
	bool noted;		/* the note with the estimated duration was
				   printed */
};

/* ---- Before a run -------------------------------------------------------- */

static void
sleep_ns(uint64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / (1000 * MS)),
	    .tv_nsec = (long)(ns % (1000 * MS)) };

	nanosleep(&t, NULL);	/* or until a signal */
	cmd_end_if_stopped();
}

/*
 * Waits until the machine is as cool as --cool-to, or until --cooldown is over.
 */
static void
cool_down(const struct npu_bench_options *o)
{
	const uint64_t most = 300000 * MS;	/* 5 min */
	uint64_t limit = o->cooldown_ns >= 0 ? (uint64_t)o->cooldown_ns : most;
	uint64_t begin = clock_ns(), gone;
	double hot;

	if (isnan(o->cool_to)) {
		sleep_ns(o->cooldown_ns > 0 ? limit : 0);
		return;
	}
	while ((hot = machine_hottest(o->root)) > o->cool_to) {
		gone = clock_ns() - begin;
		if (gone >= limit) {
			cmd_note("--cool-to: still %.1f degrees Celsius after "
			    "%.0f s", hot, (double)limit / 1e9);
			return;
		}
		sleep_ns(limit - gone < 500 * MS ? limit - gone : 500 * MS);
	}
	if (isnan(hot))
		cmd_note("--cool-to: this machine shows no temperature");
}

/* ---- Progress ------------------------------------------------------------ */

static unsigned
runs_of_round(const struct npu_bench_options *o)
{
	return o->sweep.configs * o->sides;
}

/* Returns the time that the options require for all runs; starting the
 * processes takes additional time. */
static uint64_t
least_ns(const struct npu_bench_options *o)
{
	uint64_t pause = o->cooldown_ns > 0 && isnan(o->cool_to) ?
	    (uint64_t)o->cooldown_ns : 0;

	return (o->plan.warm_ns + o->plan.least_ns + pause) * o->runs *
	    runs_of_round(o);
}

/* Prints the expected duration.  Call once the first run is about to measure:
 * if the device or a model is missing, there will not be a wait. */
static void
note_duration(void *arg)
{
	struct rounds *rs = arg;
	const struct npu_bench_options *o = rs->o;
	uint64_t ns = least_ns(o), s = ns / (1000 * MS);
	unsigned n = o->runs * runs_of_round(o);
	char minutes[40] = "";

	if (rs->noted)
		return;
	rs->noted = true;
	progress_expect(ns);
	if (s >= 60)
		snprintf(minutes, sizeof(minutes), "%" PRIu64 " min ", s / 60);
	if (s >= 2)
		cmd_note("%u run%s: at least %s%" PRIu64 " s", n,
		    n == 1 ? "" : "s", minutes, s % 60);
}

/* A gate may need more rounds than were planned. */
static void
progress_of_round(const struct rounds *rs, unsigned round)
{
	unsigned rounds = round < rs->o->runs ? rs->o->runs : round + 1;

	progress_total((uint64_t)rounds * runs_of_round(rs->o));
}

/* ---- Runs ---------------------------------------------------------------- */

/* Prints only with -v. */
static void
report_progress(const struct sweep_entry *entry, unsigned n,
    unsigned run)
{
	if (!cmd_verbose)
		return;
	cmd_warn("run %u%s%.1s: %s%s, %s, %u in flight", run + 1,
	    entry->side->name != 0 ? " of " : "", &entry->side->name,
	    entry->load.model, n > 1 ? " and others" : "",
	    bench_scenarios[entry->load.scenario], entry->load.inflight);
}

static void
note_failure(struct rounds *rs, const struct bench_run *r)
{
	struct rounds_result *result = rs->result;
	int status = r->rc == NPU_ENODEV ? EXIT_NODEVICE : EXIT_FAILED;

	rs->failed[r->config] = true;
	if (result->status == 0) {
		result->status = status;
		memcpy(result->message, r->message, sizeof(result->message));
	}
	/* After a failed run, earlier runs do not get a verdict either. */
	rs->b->verdicts = (struct bench_verdicts){ .verdict = BENCH_NO_GATE };
}

/* Workers that were stopped because another worker failed did not fail. */
static void
record_failures(struct rounds *rs, struct bench_run **r, unsigned n)
{
	const char *last = "";

	for (unsigned i = 0; i < n; i++) {
		/* Wrong outputs are not measured again. */
		if (r[i]->rc == EXIT_VERDICT)
			rs->failed[r[i]->config] = true;
		if (r[i]->rc == NPU_ESTOPPED || r[i]->rc == EXIT_VERDICT ||
		    (r[i]->rc == 0 &&
		    r[i]->window.failed + r[i]->startup.failed == 0))
			continue;
		note_failure(rs, r[i]);
		if (strcmp(r[i]->message, last) != 0)
			cmd_warn("%s", r[i]->message);
		last = r[i]->message;
	}
}

/* Returns how b, which did not fail, differs from a in its model's file or
 * outputs; NULL if it does not. */
static const char *
differs(const struct bench_run *a, const struct bench_run *b)
{
	if (a->rc != 0 || strcmp(a->model.path, b->model.path) != 0)
		return NULL;
	if (strcmp(a->model.sha256, b->model.sha256) != 0)
		return "the file is another than it was in a run before";
	if (a->side == b->side && a->outputs.checksum != b->outputs.checksum)
		return "its outputs are others than in a run before";
	return NULL;
}

/* A run that differs from an earlier run fails: two models do not have a common
 * median. */
static void
check_same_model(const struct bench *b, struct bench_run *r)
{
	const char *why;
	struct npu_err err;

	for (unsigned i = 0; r->rc == 0 && b->run[i] != r; i++) {
		if ((why = differs(b->run[i], r)) == NULL)
			continue;
		r->rc = EXIT_FAILED;
		npu_fail(&err, NPU_EFORMAT, "%s", why);
		npu_prefix(&err, err.code, "%s", r->model.path);
		snprintf(r->message, sizeof(r->message), "%s", err.msg);
	}
}

static void
run_config(struct rounds *rs, unsigned config, unsigned run,
    const struct bench_side *side)
{
	const struct npu_bench_options *o = rs->o;
	struct bench *b = rs->b;
	const struct sweep_entry *entry;
	struct bench_run **r;
	unsigned n;

	entry = sweep_find(&o->sweep, config, side->name, &n);
	report_progress(entry, n, run);
	n *= o->processes;
	b->run = cmd_realloc(b->run, (b->runs + n) * sizeof(*b->run));
	r = &b->run[b->runs];
	for (unsigned i = 0; i < n; i++) {
		r[i] = worker_new(&o->plan, config, run, i, side->name);
		snprintf(r[i]->model.path, sizeof(r[i]->model.path), "%s",
		    entry[i / o->processes].load.model);
		r[i]->load.scenario = entry[i / o->processes].load.scenario;
		r[i]->load.inflight = entry[i / o->processes].load.inflight;
		if (o->same != NULL)
			r[i]->infer_ms = slowdown_infer_ms(o->same, &o->gate,
			    r[i]);
	}
	cool_down(o);
	workers_run(&rs->workers, r, n);
	b->runs += n;
	cmd_end_if_stopped();
	for (unsigned i = 0; i < n; i++)
		check_same_model(b, r[i]);
	record_failures(rs, r, n);
	progress_update(++rs->finished);
}

/* The order is A, B, and in the next round B, A. */
static void
one_round(struct rounds *rs, unsigned round)
{
	const struct npu_bench_options *o = rs->o;

	progress_of_round(rs, round);
	for (unsigned c = 0; c < o->sweep.configs; c++)
		for (unsigned i = 0; i < o->sides; i++) {
			unsigned side = o->sides == 1 ? 0 :
			    (unsigned)gate_side(2 * (size_t)round + i);

			if (rs->failed[c] ||
			    rs->result->status == EXIT_NODEVICE)
				continue;
			run_config(rs, c, round, &o->side[side]);
		}
}

static bool
all_failed(const struct rounds *rs)
{
	for (unsigned c = 0; c < rs->o->sweep.configs; c++)
		if (!rs->failed[c])
			return false;
	return true;
}

static bool
another_round(struct rounds *rs, unsigned round)
{
	const struct npu_bench_options *o = rs->o;

	if (rs->result->status == EXIT_NODEVICE || all_failed(rs))
		return false;
	if (!bench_has_gate(&o->gate) || rs->result->status != 0 || round == 0)
		return round < o->runs;
	bench_gate_judge(&o->gate, rs->b);
	return bench_gate_wants_more(&o->gate, rs->b, o->runs);
}

static void
measure_idle(const struct rounds *rs)
{
	const struct npu_bench_options *o = rs->o;
	int64_t ns = o->idle_ns;

	if (ns < 0)
		ns = monitor_has_power(rs->workers.monitor) ?
		    MONITOR_IDLE_POWER_MS * (int64_t)MS :
		    MONITOR_IDLE_MS * (int64_t)MS;
	if (ns > 0)
		monitor_idle(rs->workers.monitor, (uint64_t)ns);
	cmd_end_if_stopped();
}

void
rounds_run(struct bench *b, const struct npu_bench_options *o, char **argv,
    struct rounds_result *result)
{
	struct monitor_options options = { .root = o->root, .power = o->power,
	    .node = o->node != NULL ? o->node : NPU_DEFAULT_NODE };
	struct worker_options workers = options_of_workers(o);
	struct rounds rs = { .b = b, .o = o, .result = result,
	    .workers = { .options = &workers, .argv = argv,
	    .ready = note_duration, .arg = &rs },
	    .failed = cmd_alloc(o->sweep.configs * sizeof(bool)) };

	cmd_catch_signals();
	progress_begin("runs", 0);
	rs.workers.monitor = monitor_open(&options);
	measure_idle(&rs);
	for (unsigned round = 0; another_round(&rs, round); round++)
		one_round(&rs, round);
	progress_end();
	b->machine.temp_end = machine_hottest(o->root);
	monitor_close(rs.workers.monitor);
	free(rs.failed);
}
