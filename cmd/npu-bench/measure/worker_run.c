// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "device.h"
#include "device/info.h"
#include "handshake.h"
#include "host/process.h"
#include "input.h"
#include "load.h"
#include "model/cix.h"
#include "rate_search.h"
#include "reference.h"
#include "sha256.h"
#include "stats/median.h"
#include "store/layout.h"
#include "worker_run.h"

struct work {
	struct bench_run *r;
	const struct bench_plan *plan;
	const struct bench_load *load;
	struct meter m;
	void *in;
	struct stat file;	/* the model's file, before it was opened */
	struct npu_err err;
};

/* ---- Before the device -------------------------------------------------- */

/* Returns the median of the times between two readings of the clock. */
static uint64_t
cost_of_clock(void)
{
	enum { PAIRS = 10000 };
	double *ns = cmd_alloc(PAIRS * sizeof(*ns)), median;
	uint64_t begin;

	for (size_t i = 0; i < PAIRS; i++) {
		begin = clock_ns();
		ns[i] = (double)(clock_ns() - begin);
	}
	median = stats_median(ns, PAIRS);
	free(ns);
	return (uint64_t)median;
}

/*
 * Touches and locks the pages of the samples, to avoid page faults while they
 * are written, and makes sleeps exact (the kernel's slack is 50 us).
 */
static int
prepare(struct work *w)
{
	size_t n = w->r->room * sizeof(struct bench_sample);

	memset(bench_samples(w->r), 0, n);
	mlock(bench_samples(w->r), n);	/* if allowed */
	prctl(PR_SET_TIMERSLACK, 1);
	w->r->outputs.ref_cos = w->r->outputs.ref_max = NAN;
	w->r->startup.clock_ns = cost_of_clock();
	return 0;
}

/* ---- Opening ------------------------------------------------------------- */

static void
record_model(struct bench_run *r, const struct npu *npu)
{
	r->startup.init_ns = npu_startup_times(npu)->init;
	r->startup.load_ns = npu_startup_times(npu)->load;
	snprintf(r->model.path, sizeof(r->model.path), "%s",
	    cmd_model_in_use());
	snprintf(r->library.path, sizeof(r->library.path), "%s",
	    npu_library(npu));
	r->library.emulator = npu_is_emulator(npu);
}

static int
open_model(struct work *w)
{
	struct meter *m = &w->m;
	struct npu *npu;
	size_t size;
	int rc;

	if (stat(w->load->model, &w->file) < 0)
		w->file = (struct stat){ .st_size = -1 };
	rc = cmd_try_open_model(w->load->model, &npu, &w->err);
	if (rc < 0)
		return rc;
	record_model(w->r, npu);
	size = npu_output_size(npu);
	m->out_bytes = size + (LAYOUT_ALIGN - size % LAYOUT_ALIGN) %
	    LAYOUT_ALIGN;
	m->in = w->in = cmd_alloc(npu_input_size(npu) + 1);
	m->out = cmd_alloc(m->out_bytes + 1);
	m->plan = w->plan;
	m->seed = w->plan->seed ^ (uint64_t)w->r->process << 32;
	m->npu = npu;
	m->inflight = w->load->inflight;
	if ((rc = input_make(npu, w->plan, w->in, &w->err)) < 0 ||
	    (w->plan->ref != NULL && (rc = reference_check(npu, m->out,
	    w->plan->ref, &w->err)) < 0))
		return rc;
	return npu_queue_open(&m->queue, npu, w->load->inflight, &w->err);
}

/* ---- The phases --------------------------------------------------------- */

/* Calls load_run().  w->err is the error that ended it, or else the first
 * failure. */
static int
run_load(struct work *w, struct load_phase *phase)
{
	int rc = load_run(&w->m, phase);

	if (phase->err.code == 0 || (rc == 0 && w->err.code != 0))
		return rc;
	w->err = phase->err;
	npu_prefix(&w->err, phase->err.code, "%s", cmd_model_in_use());
	return rc;
}

static int
first_inference(struct work *w)
{
	struct bench_sample *f = &w->r->startup.first;
	struct load_phase phase = { .what = "cold inference",
	    .scenario = SINGLE_STREAM, .sample = f, .room = 1, .least_n = 1,
	    .most_n = 1 };
	int rc = run_load(w, &phase);

	if (rc == 0 && phase.failed > 0)
		return phase.err.code;
	f->end -= f->begin;
	f->due = f->begin = 0;
	w->r->outputs.checksum = w->m.checksum;
	return rc;
}

static int
warm_up(struct work *w)
{
	struct load_phase phase = { .what = "warm-up inference",
	    .scenario = w->load->scenario == SERVER ? OFFLINE :
	    w->load->scenario, .least_n = w->plan->warm_n,
	    .least_ns = w->plan->warm_ns };
	int rc;

	if (phase.least_n == 0 && phase.least_ns == 0)
		return 0;
	rc = run_load(w, &phase);
	w->r->startup.failed = phase.failed;
	w->r->startup.warm_n = phase.n;
	w->r->startup.warm_ns = clock_ns() - phase.at;
	return rc;
}

static int
find_rate(struct work *w)
{
	int rc;

	w->r->load.rate = w->plan->rate;
	if (w->load->scenario != SERVER || !w->plan->find_rate)
		return 0;
	rc = rate_search(&w->m, w->r, &w->err);
	/* Uses other arrivals than the search to check the bound; the upper
	 * bits of the seed are the worker's. */
	w->m.seed ^= UINT64_C(1) << 63;
	return rc;
}

static int
ready(struct work *w)
{
	handshake_phase(w->r, PHASE_READY);
	if (handshake_await_go(w->r))
		return 0;
	return npu_fail(&w->err, cmd_stop != 0 ? NPU_ESTOPPED : NPU_ESYSTEM,
	    cmd_stop != 0 ? "stopped" : "nobody waits for what is measured");
}

static uint64_t
cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
	    (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

/* Returns the number of samples; after a search, as many as a trial has. */
static uint64_t
least_samples(const struct work *w)
{
	uint64_t n = w->r->search.n > 0 ? rate_search_samples(w->plan) : 0;

	return n > w->plan->least_n ? n : w->plan->least_n;
}

static int
measure_window(struct work *w)
{
	const struct bench_plan *p = w->plan;
	struct bench_run *r = w->r;
	struct load_phase phase = { .what = "inference",
	    .scenario = w->load->scenario, .rate = r->load.rate,
	    .sample = bench_samples(r), .room = r->room,
	    .least_ns = p->least_ns, .least_n = least_samples(w),
	    .most_ns = p->most_ns, .most_n = p->most_n };
	uint64_t cpu;
	int rc;

	handshake_phase(r, PHASE_WINDOW);
	cpu = cpu_ns();
	rc = run_load(w, &phase);
	r->window.cpu_ns = cpu_ns() - cpu;
	r->window.at = phase.at;
	r->window.ns = phase.last_end - phase.first_begin;
	r->window.n = phase.n;
	r->window.failed = phase.failed;
	r->window.left = phase.left;
	r->window.full = phase.full;
	if (rc != 0 || phase.n + phase.failed > 0)
		return rc;
	npu_fail(&w->err, NPU_EDEVICE, "%s: no inference ended in the window; "
	    "--max-iter, --max-time or --rate leave none", cmd_model_in_use());
	return EXIT_FAILED;
}

/* Failures no longer count, because enough was measured. */
static int
run_until_stopped(struct work *w)
{
	struct load_phase phase = { .what = "closing inference",
	    .scenario = w->load->scenario, .rate = w->r->load.rate,
	    .until = &w->r->stop };

	handshake_phase(w->r, PHASE_AFTER);
	return load_run(&w->m, &phase) == NPU_ESTOPPED ?
	    npu_fail(&w->err, NPU_ESTOPPED, "stopped") : 0;
}

static int
compare(struct work *w)
{
	if (w->plan->ref == NULL)
		return 0;
	return reference_compare(w->m.npu, w->m.out, w->plan, w->r, &w->err);
}

/* ---- Closing ------------------------------------------------------------ */

/* Returns VmHWM of proc(5) without the samples, which do not belong to the
 * model; 0: unknown. */
static uint64_t
peak_kib(const struct bench_run *r)
{
	uint64_t samples = (sizeof(*r) + r->room * sizeof(struct bench_sample))
	    / 1024;
	uint64_t kib = 0;

	host_read_peak("", 0, &kib, NULL);
	return kib > samples ? kib - samples : 0;
}

static void
close_model(struct work *w)
{
	npu_queue_close(w->m.queue);
	w->m.queue = NULL;
	cmd_close_model();
	free(w->in);
	free(w->m.out);
}

/* Asks the library for its versions, after measuring.  A version that it does
 * not report is unknown; a failure to ask is an error. */
static int
read_versions(struct bench_run *r, struct npu_err *err)
{
	struct npu_options quiet = cmd_device;
	struct device_info i;
	int rc;

	quiet.note = NULL;
	if ((rc = device_info_read(&quiet, &i, err)) < 0)
		return npu_prefix(err, rc, "%s: its library cannot be asked "
		    "for its version", r->model.path);
	snprintf(r->library.version, sizeof(r->library.version), "%s",
	    i.library_version);
	snprintf(r->library.driver, sizeof(r->library.driver), "%s",
	    i.driver_version);
	snprintf(r->library.target, sizeof(r->library.target), "%s", i.target);
	return 0;
}

enum { IDENTITY = 5 };

static void
file_identity(const struct stat *s, int64_t id[IDENTITY])
{
	id[0] = (int64_t)s->st_dev;
	id[1] = (int64_t)s->st_ino;
	id[2] = s->st_size;
	id[3] = s->st_mtim.tv_sec;
	id[4] = s->st_mtim.tv_nsec;
}

/* True if the name still means the file that was measured. */
static bool
is_same_model(const struct work *w)
{
	int64_t before[IDENTITY], after[IDENTITY];
	struct stat now;

	if (stat(w->load->model, &now) < 0)
		return false;
	file_identity(&w->file, before);
	file_identity(&now, after);
	return memcmp(before, after, sizeof(before)) == 0;
}

/* Sets the model's device memory.  A model that npu-info would refuse, although
 * the library may accept it, does not have these numbers. */
static int
read_device_memory(struct bench_run *r, struct bytes file, struct npu_err *err)
{
	struct cix_model m = { 0 };
	struct npu_err why;
	int rc = cix_parse(file, &m, &why);

	if (rc == 0) {
		r->model.load_memory = m.graphs[0].load_memory;
		r->model.job_memory = m.graphs[0].job_memory;
	}
	cix_free(&m);
	if (rc != NPU_ESYSTEM)
		return 0;
	*err = why;
	return rc;
}

static int
hash_model(struct bench_run *r, struct npu_err *err)
{
	struct buf b = { 0 };
	uint8_t sum[32];
	int rc = file_load(cmd_model_in_use(), CIX_LARGEST, &b, err);

	if (rc < 0)
		return npu_prefix(err, rc, "%s", r->model.path);
	r->model.bytes = b.n;
	sha256_digest(b.p, b.n, sum);
	for (size_t i = 0; i < sizeof(sum); i++)
		snprintf(r->model.sha256 + 2 * i, 3, "%02x", sum[i]);
	rc = read_device_memory(r, (struct bytes){ (uint8_t *)b.p, b.n }, err);
	buf_free(&b);
	return rc < 0 ? npu_prefix(err, rc, "%s", r->model.path) : 0;
}

static void
record_result(struct work *w, int rc)
{
	struct bench_run *r = w->r;

	if (rc != 0 || w->err.code != 0)
		snprintf(r->message, sizeof(r->message), "%s", w->err.msg);
	r->rc = rc;
	if (rc < 0 && rc != NPU_ESTOPPED)
		cmd_show_library_output(false);
	r->hwm_kib = peak_kib(r);
	handshake_phase(r, PHASE_CLOSE);
	close_model(w);
	if (rc < 0)
		return;
	if (!is_same_model(w))
		rc = npu_fail(&w->err, NPU_EFORMAT, "%s: was changed while it "
		    "was measured", w->load->model);
	else if ((rc = read_versions(r, &w->err)) == 0)
		rc = hash_model(r, &w->err);
	if (rc == 0)
		return;
	r->rc = rc == NPU_ENODEV ? rc : EXIT_FAILED;
	snprintf(r->message, sizeof(r->message), "%s", w->err.msg);
}

void
worker_run(struct bench_run *r, const struct bench_plan *p,
    const struct bench_load *l)
{
	static int (*const steps[])(struct work *) = { prepare, open_model,
	    first_inference, warm_up, find_rate, ready, measure_window,
	    run_until_stopped, compare };
	struct work w = { .r = r, .plan = p, .load = l };
	int rc = 0;

	r->load.scenario = l->scenario;
	r->load.inflight = l->inflight;
	for (size_t i = 0; rc == 0 && i < sizeof(steps) / sizeof(*steps); i++)
		rc = steps[i](&w);
	record_result(&w, rc);
	handshake_phase(r, PHASE_OVER);
}
