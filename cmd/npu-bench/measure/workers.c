// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "cmd.h"
#include "progress.h"
#include "transient_line.h"
#include "workers.h"

#define MS UINT64_C(1000000)
#define END_NS (1500 * MS)	/* time to clean up, after a signal */
#define LEAVE_NS (10000 * MS)	/* time to unload, after measuring */

struct process {
	struct bench_run *r;
	pid_t pid;		/* 0: reaped */
	int phases, go;		/* from worker_start() */
};

struct worker_set {
	struct process *p;
	pid_t *pid;		/* the workers' pids, for the monitor */
	unsigned n;
	bool terminated;	/* terminate() was called */
};

/* ---- Exits --------------------------------------------------------------- */

static enum bench_phase
phase_of(const struct process *p)
{
	return (enum bench_phase)atomic_load(&p->r->phase);
}

/* Sets the result of a worker that could not store one itself. */
static void
record_exit(const struct worker_set *g, struct process *p, int status)
{
	struct bench_run *r = p->r;
	struct npu_err err;
	char end[80];

	if (WIFSIGNALED(status))
		snprintf(end, sizeof(end), "signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else if (phase_of(p) != PHASE_OVER || WEXITSTATUS(status) != 0)
		snprintf(end, sizeof(end), "status %d", WEXITSTATUS(status));
	else
		return;
	if (phase_of(p) >= PHASE_CLOSE && r->rc != 0)
		return;		/* the worker has stored the reason */
	r->rc = g->terminated ? NPU_ESTOPPED : NPU_ESYSTEM;
	npu_fail(&err, NPU_ESYSTEM, "its process ended with %s%s", end,
	    phase_of(p) >= PHASE_CLOSE ? ", when it had measured" : "");
	npu_prefix(&err, err.code, "%s", r->model.path);
	snprintf(r->message, sizeof(r->message), "%s", err.msg);
}

static void
reap(const struct worker_set *g, struct process *p)
{
	int status = 0;	/* stays 0 if SIGCHLD is ignored */

	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->pid = 0;
	close(p->phases);
	close(p->go);
	record_exit(g, p, status);
}

/* Returns after ms, when a worker reports a phase or exits, or at a signal. */
static void
poll_workers(struct worker_set *g, int ms)
{
	struct pollfd fd[BENCH_MODELS];
	char bytes[64];
	ssize_t got;

	for (unsigned i = 0; i < g->n; i++)
		fd[i] = (struct pollfd){ .events = POLLIN,
		    .fd = g->p[i].pid != 0 ? g->p[i].phases : -1 };
	if (poll(fd, g->n, ms) <= 0)
		return;
	for (unsigned i = 0; i < g->n; i++) {
		if (fd[i].revents == 0)
			continue;
		/* Data is available, and therefore a signal does not interrupt
		 * this. */
		got = read(g->p[i].phases, bytes, sizeof(bytes));
		/* The pipe cannot be read again, and the worker may be waiting
		 * to be released. */
		if (got < 0)
			kill(g->p[i].pid, SIGKILL);
		if (got <= 0)
			reap(g, &g->p[i]);
	}
}

static bool
all_reaped(const struct worker_set *g)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->p[i].pid != 0)
			return false;
	return true;
}

static void
signal_all(const struct worker_set *g, int sig)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->p[i].pid != 0)
			kill(g->p[i].pid, sig);
}

/* True if all workers that have not exited have reached phase. */
static bool
all_at(const struct worker_set *g, enum bench_phase phase)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->p[i].pid != 0 && phase_of(&g->p[i]) < phase)
			return false;
	return true;
}

static void
terminate(struct worker_set *g)
{
	g->terminated = true;
	signal_all(g, SIGTERM);
}

/* Kills workers that do not exit in time. */
static void
await_exits(struct worker_set *g)
{
	uint64_t end = UINT64_MAX;
	bool stopping = false;

	while (!all_reaped(g)) {
		if (cmd_stop != 0 && !stopping) {
			terminate(g);
			end = clock_ns() + END_NS;
			stopping = true;
		}
		if (end == UINT64_MAX && all_at(g, PHASE_CLOSE))
			end = clock_ns() + LEAVE_NS;
		if (clock_ns() > end)
			signal_all(g, SIGKILL);
		poll_workers(g, 100);
	}
}

/* ---- Phases -------------------------------------------------------------- */

static bool
any_failed(const struct worker_set *g)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->p[i].pid == 0 || phase_of(&g->p[i]) >= PHASE_CLOSE)
			return true;
	return false;
}

static void
release(struct worker_set *g)
{
	ssize_t unheard = 0;

	for (unsigned i = 0; i < g->n; i++)
		atomic_store(&g->p[i].r->go, 1);
	/* The pipe is empty, and therefore this does not block.  A worker that
	 * misses the byte looks at go soon; a worker that has exited is reaped
	 * later. */
	for (unsigned i = 0; i < g->n; i++)
		unheard += write(g->p[i].go, ".", 1) != 1;
	(void)unheard;
}

static void
monitor_window(const struct workers *c, struct worker_set *g)
{
	uint64_t next = clock_ns() + MONITOR_TICK_MS * MS, now;

	while (cmd_stop == 0 && !all_at(g, PHASE_AFTER)) {
		now = clock_ns();
		if (now < next) {
			poll_workers(g, (int)((next - now) / MS) + 1);
			continue;
		}
		monitor_tick(c->monitor);
		progress_tick();
		next += MONITOR_TICK_MS * MS;
	}
}

static void
measure(const struct workers *c, struct worker_set *g)
{
	struct bench_readings readings;

	c->ready(c->arg);
	monitor_begin(c->monitor, g->pid, g->n);
	release(g);
	monitor_window(c, g);
	transient_line_hide();
	monitor_end(c->monitor, &readings);
	for (unsigned i = 0; i < g->n; i++) {
		atomic_store(&g->p[i].r->stop, 1);
		g->p[i].r->readings = readings;
	}
}

static void
start_all(const struct workers *c, struct worker_set *g, struct bench_run **r)
{
	for (unsigned i = 0; i < g->n; i++) {
		struct process *p = &g->p[i];

		*p = (struct process){ .r = r[i] };
		p->pid = worker_start(c->options, c->argv, r[i], &p->phases,
		    &p->go);
		g->pid[i] = p->pid;
	}
}

void
workers_run(const struct workers *c, struct bench_run **r, unsigned n)
{
	struct worker_set g = { .n = n, .p = cmd_alloc(n * sizeof(*g.p)),
	    .pid = cmd_alloc(n * sizeof(*g.pid)) };

	/* Workers write messages, and do not know of this process's line. */
	transient_line_hide();
	start_all(c, &g, r);
	while (cmd_stop == 0 && !any_failed(&g) && !all_at(&g, PHASE_READY))
		poll_workers(&g, MONITOR_TICK_MS);
	if (cmd_stop == 0 && !any_failed(&g))
		measure(c, &g);
	else
		terminate(&g);
	await_exits(&g);
	for (unsigned i = 0; i < n; i++)
		worker_trim(r[i]);
	free(g.p);
	free(g.pid);
}
