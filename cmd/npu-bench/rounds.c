// SPDX-License-Identifier: Apache-2.0
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
#include "rounds.h"
#include "self_check.h"
#include "stats/gate.h"

#define MS UINT64_C(1000000)

struct bench_rounds {
	struct bench *b;
	const struct bench_options *o;
	struct workers workers;
	struct bench_end *end;
	bool *failed;		/* of each configuration */
};

/* ---- Before a run -------------------------------------------------------- */

static void
rest(uint64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / (1000 * MS)),
	    .tv_nsec = (long)(ns % (1000 * MS)) };

	nanosleep(&t, NULL);	/* a signal ends it */
	cmd_end_if_stopped();
}

/* Until it is as cool as --cool-to, or --cooldown is over. */
static void
cool(const struct bench_options *o)
{
	const uint64_t most = 300000 * MS;	/* 5 min */
	uint64_t limit = o->cooldown_ns >= 0 ? (uint64_t)o->cooldown_ns : most;
	uint64_t begin = clock_ns(), gone;
	double hot;

	if (isnan(o->cool_to)) {
		rest(o->cooldown_ns > 0 ? limit : 0);
		return;
	}
	while ((hot = machine_hottest(o->root)) > o->cool_to) {
		gone = clock_ns() - begin;
		if (gone >= limit) {
			cmd_note("--cool-to: still %.1f degrees Celsius after "
			    "%.0f s", hot, (double)limit / 1e9);
			return;
		}
		rest(limit - gone < 500 * MS ? limit - gone : 500 * MS);
	}
	if (isnan(hot))
		cmd_note("--cool-to: there is no temperature to read");
}

/* ---- Runs ---------------------------------------------------------------- */

/* That it goes on, for one who watches. */
static void
tell(const struct bench_member *m, unsigned n,
    unsigned run)
{
	if (!cmd_verbose)
		return;
	cmd_warn("run %u%s%.1s: %s%s, %s, %u in flight", run + 1,
	    m->side->name != 0 ? " of " : "", &m->side->name, m->load.model,
	    n > 1 ? " and others" : "", bench_scenarios[m->load.scenario],
	    m->load.inflight);
}

static void
note_failure(struct bench_rounds *rs, const struct bench_run *r)
{
	struct bench_end *end = rs->end;
	int status = r->rc == NPU_ENODEV ? EXIT_NODEVICE : EXIT_FAILED;

	rs->failed[r->config] = true;
	if (end->status == 0) {
		end->status = status;
		memcpy(end->words, r->words, sizeof(end->words));
	}
	/* Nor do those before it make a verdict. */
	rs->b->verdicts = (struct bench_verdicts){ .verdict = BENCH_NO_GATE };
}

/* Those that were stopped because another one failed are not to blame. */
static void
look_for_failures(struct bench_rounds *rs, struct bench_run **r, unsigned n)
{
	const char *said = "";

	for (unsigned i = 0; i < n; i++) {
		/* What is wrong is not measured again. */
		if (r[i]->rc == EXIT_VERDICT)
			rs->failed[r[i]->config] = true;
		if (r[i]->rc == NPU_ESTOPPED || r[i]->rc == EXIT_VERDICT ||
		    (r[i]->rc == 0 && r[i]->failed + r[i]->failed_before == 0))
			continue;
		note_failure(rs, r[i]);
		if (strcmp(r[i]->words, said) != 0)
			cmd_warn("%s", r[i]->words);
		said = r[i]->words;
	}
}

/* What makes b, which did not fail, another model or another answer than a was;
 * NULL: nothing. */
static const char *
differs(const struct bench_run *a, const struct bench_run *b)
{
	if (a->rc != 0 || strcmp(a->model, b->model) != 0)
		return NULL;
	if (strcmp(a->sha256, b->sha256) != 0)
		return "the file is another than it was in a run before";
	if (a->side == b->side && a->checksum != b->checksum)
		return "its outputs are others than in a run before";
	return NULL;
}

/* Numbers of two models have no median. */
static void
look_for_changes(const struct bench *b, struct bench_run *r)
{
	const char *why;
	struct npu_err err;

	for (unsigned i = 0; r->rc == 0 && b->run[i] != r; i++) {
		if ((why = differs(b->run[i], r)) == NULL)
			continue;
		r->rc = EXIT_FAILED;
		npu_fail(&err, NPU_EFORMAT, "%s", why);
		npu_prefix(&err, err.code, "%s", r->model);
		snprintf(r->words, sizeof(r->words), "%s", err.msg);
	}
}

static void
run_config(struct bench_rounds *rs, unsigned config, unsigned run,
    const struct bench_side *side)
{
	const struct bench_options *o = rs->o;
	struct bench *b = rs->b;
	const struct bench_member *m;
	struct bench_run **r;
	unsigned n;

	m = members_find(&o->members, config, side->name, &n);
	tell(m, n, run);
	n *= o->processes;
	b->run = cmd_realloc(b->run, (b->runs + n) * sizeof(*b->run));
	r = &b->run[b->runs];
	for (unsigned i = 0; i < n; i++) {
		r[i] = worker_new(o, config, run, i, side->name);
		snprintf(r[i]->model, sizeof(r[i]->model), "%s",
		    m[i / o->processes].load.model);
		r[i]->scenario = m[i / o->processes].load.scenario;
		r[i]->inflight = m[i / o->processes].load.inflight;
		if (o->same != NULL)
			r[i]->infer_ms = self_infer_ms(o->same, &o->gate,
			    r[i]);
	}
	cool(o);
	workers_run(&rs->workers, r, n);
	b->runs += n;
	cmd_end_if_stopped();
	for (unsigned i = 0; i < n; i++)
		look_for_changes(b, r[i]);
	look_for_failures(rs, r, n);
}

/* A B, and in the next round B A. */
static void
one_round(struct bench_rounds *rs, unsigned round)
{
	const struct bench_options *o = rs->o;

	for (unsigned c = 0; c < o->members.configs; c++)
		for (unsigned i = 0; i < o->sides; i++) {
			unsigned side = o->sides == 1 ? 0 :
			    (unsigned)gate_side(2 * (size_t)round + i);

			if (rs->failed[c] || rs->end->status == EXIT_NODEVICE)
				continue;
			run_config(rs, c, round, &o->side[side]);
		}
}

static bool
all_failed(const struct bench_rounds *rs)
{
	for (unsigned c = 0; c < rs->o->members.configs; c++)
		if (!rs->failed[c])
			return false;
	return true;
}

static bool
another(struct bench_rounds *rs, unsigned round)
{
	const struct bench_options *o = rs->o;

	if (rs->end->status == EXIT_NODEVICE || all_failed(rs))
		return false;
	if (!bench_gated(&o->gate) || rs->end->status != 0 || round == 0)
		return round < o->runs;
	bench_gate_judge(&o->gate, rs->b);
	return bench_gate_wants_more(&o->gate, rs->b, o->runs);
}

static void
look_at_rest(const struct bench_rounds *rs)
{
	const struct bench_options *o = rs->o;
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
bench_rounds(struct bench *b, const struct bench_options *o, char **argv,
    struct bench_end *end)
{
	struct monitor_options options = { .root = o->root, .power = o->power,
	    .node = o->node != NULL ? o->node : NPU_DEFAULT_NODE };
	struct bench_rounds rs = { .b = b, .o = o, .end = end,
	    .workers = { .options = o, .argv = argv },
	    .failed = cmd_alloc(o->members.configs * sizeof(bool)) };

	cmd_catch_signals();
	rs.workers.monitor = monitor_open(&options);
	look_at_rest(&rs);
	for (unsigned round = 0; another(&rs, round); round++)
		one_round(&rs, round);
	b->machine.temp_end = machine_hottest(o->root);
	monitor_close(rs.workers.monitor);
	free(rs.failed);
}
