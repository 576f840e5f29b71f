// SPDX-License-Identifier: Apache-2.0
/* The emulator after fork(): a child ends, and has a device of its own. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "emu/api.h"
#include "model/cix.h"
#include "../unit/tap.h"

#define LIMIT 120		/* seconds; a child that takes longer hangs */

static struct buf elf;

/* ---- Uses of a context ------------------------------------------------ */

static bool
open_graph(context_handler_t **ctx, uint64_t *graph)
{
	graph_config_t config = { NULL };

	return noe_init_context(ctx) == NOE_STATUS_SUCCESS &&
	    noe_load_graph_helper(*ctx, elf.p, (uint32_t)elf.n, graph,
	    &config) == NOE_STATUS_SUCCESS;
}

static bool
submit(context_handler_t *ctx, uint64_t graph, uint64_t *job)
{
	job_config_npu_t npu = { 0 };
	job_config_t config = { &npu };

	return noe_create_job(ctx, graph, job, &config) ==
	    NOE_STATUS_SUCCESS &&
	    noe_load_tensor(ctx, *job, 0, "abcd") == NOE_STATUS_SUCCESS &&
	    noe_job_infer_async(ctx, *job, NULL) == NOE_STATUS_SUCCESS;
}

/* Submits a job that takes an hour: no child waits until it ends. */
static bool
submit_long(context_handler_t *ctx, uint64_t graph, uint64_t *job)
{
	int64_t usual = emu_settings.ns[EMU_INFER];
	bool good;

	emu_settings.ns[EMU_INFER] = INT64_C(3600000000000);
	good = submit(ctx, graph, job);
	emu_settings.ns[EMU_INFER] = usual;
	return good;
}

static bool
finish(context_handler_t *ctx, uint64_t job)
{
	job_status_t status = NOE_JOB_STATUS_NO_STATUS;
	char out[4] = "";

	return noe_get_job_status(ctx, job, &status, 60000) ==
	    NOE_STATUS_SUCCESS && status == NOE_JOB_STATUS_DONE &&
	    noe_get_tensor(ctx, job, NOE_TENSOR_TYPE_OUTPUT, 0, out) ==
	    NOE_STATUS_SUCCESS && memcmp(out, "abcd", 4) == 0;
}

/* Runs one inference, from loading the graph to its end; ctx stays open. */
static bool
run(context_handler_t **ctx)
{
	uint64_t graph, job;

	return open_graph(ctx, &graph) && submit(*ctx, graph, &job) &&
	    finish(*ctx, job) &&
	    noe_unload_graph(*ctx, graph) == NOE_STATUS_SUCCESS;
}

static bool
closes(context_handler_t *ctx)
{
	return noe_deinit_context(ctx) == NOE_STATUS_SUCCESS;
}

static bool
whole_life(void)
{
	context_handler_t *ctx;

	return run(&ctx) && closes(ctx);
}

/* ---- Children --------------------------------------------------------- */

/* Returns 0 in a child, which ends after LIMIT at the latest. */
static pid_t
begin_child(void)
{
	pid_t pid;

	fflush(stdout);
	if ((pid = fork()) == 0)
		alarm(LIMIT);
	return pid;
}

static bool
ended_well(pid_t pid)
{
	int st = -1;

	waitpid(pid, &st, 0);
	if (st != 0)
		diag("the child's status: %#x", (unsigned)st);
	return st == 0;
}

static void
pass_ms(long ms)
{
	struct timespec t = { 0, ms * 1000000 };

	nanosleep(&t, NULL);
}

/* ---- Checks ----------------------------------------------------------- */

/* The parent's core is idle, and its context is open. */
static void
with_open_context(void)
{
	context_handler_t *ctx;
	pid_t pid;

	ok(run(&ctx), "the parent runs an inference");
	if ((pid = begin_child()) == 0)
		exit(!whole_life());
	ok(ended_well(pid), "a child runs in a context of its own");
	if ((pid = begin_child()) == 0)
		exit(!closes(ctx) || !whole_life() || !whole_life());
	ok(ended_well(pid), "a child runs after closing the parent's context");
	ok(closes(ctx), "the parent can still close its context");
}

/* The job is cleaned, and only the core still refers to it. */
static void
with_cleaned_job(void)
{
	context_handler_t *ctx;
	uint64_t graph = 0, job = 0;
	pid_t pid;

	ok(open_graph(&ctx, &graph) && submit_long(ctx, graph, &job),
	    "the parent submits a job");
	pass_ms(20);		/* a core is running it */
	noe_clean_job(ctx, job);
	noe_unload_graph(ctx, graph);
	if ((pid = begin_child()) == 0)
		exit(0);
	ok(ended_well(pid), "a child can exit with a job cleaned in flight");
	ok(closes(ctx), "the parent can close its context after this job");
}

/* One job takes an hour, and the other ends soon. */
static void
with_jobs_in_flight(void)
{
	context_handler_t *ctx;
	job_status_t status;
	uint64_t graph = 0, job = 0, other = 0;
	pid_t pid;

	ok(open_graph(&ctx, &graph) && submit_long(ctx, graph, &job) &&
	    submit(ctx, graph, &other), "the parent submits two jobs");
	if ((pid = begin_child()) == 0)
		exit(noe_get_job_status(ctx, job, &status, 500) !=
		    NOE_STATUS_ERROR_TIMEOUT || !closes(ctx) ||
		    !whole_life());
	ok(ended_well(pid), "a child's wait for the first job times out");
	ok(finish(ctx, other), "the parent gets the end of the other job");
	noe_unload_graph(ctx, graph);
	closes(ctx);
}

static atomic_bool enough;

/* Opens and closes while work is in flight: cores start and stop. */
static void *
opens_and_closes(void *unused)
{
	context_handler_t *ctx;
	uint64_t graph, job;

	(void)unused;
	while (!atomic_load(&enough))
		if (open_graph(&ctx, &graph) && submit(ctx, graph, &job)) {
			noe_clean_job(ctx, job);
			noe_unload_graph(ctx, graph);
			closes(ctx);
		}
	return NULL;
}

/*
 * A child does not call exit(): the thread's graph may be loaded in the child.
 */
static void
with_a_busy_thread(void)
{
	int n = 0;
	pthread_t t;
	pid_t pid;

	pthread_create(&t, NULL, opens_and_closes, NULL);
	do {
		if ((pid = begin_child()) == 0)
			_exit(!whole_life());
	} while (ended_well(pid) && ++n < 20);
	atomic_store(&enough, true);
	pthread_join(t, NULL);
	ok(n == 20, "%d of 20 children run while a thread is in a call", n);
}

/* As if a signal arrived during a call, and its handler ended the process. */
static void
with_the_lock(void)
{
	pid_t pid;

	if ((pid = begin_child()) == 0) {
		emu_acquire();
		exit(0);
	}
	ok(ended_well(pid), "exit() during a call ends");
}

int
main(void)
{
	struct npu_tensor t = { .dtype = NPU_U8, .scale = 1, .ndim = 1,
	    .dim = { 4 }, .size = 4 };
	const struct cix_pack pack = { .name = "n", .inputs = &t,
	    .n_inputs = 1, .outputs = &t, .n_outputs = 1,
	    .device = CIX_ISA_EMULATOR << 16 };
	struct cix_model m;
	struct buf file = { 0 };

	setenv("NPU_EMU_COMPUTE", "copy", 1);
	setenv("NPU_EMU_INFER_MS", "60", 1);
	if (cix_write(&pack, &file, NULL) < 0 ||
	    cix_parse((struct bytes){ (uint8_t *)file.p, file.n }, &m,
	    NULL) < 0)
		return 1;
	buf_add(&elf, m.graphs[0].elf.p, m.graphs[0].elf.n);
	cix_free(&m);
	buf_free(&file);
	with_open_context();
	with_cleaned_job();
	with_jobs_in_flight();
	with_a_busy_thread();
	with_the_lock();
	buf_free(&elf);
	return done();
}
