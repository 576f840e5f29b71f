/* SPDX-License-Identifier: Apache-2.0 */
/* Runs whole processes, from spawn to reap.  Any error ends the benchmark. */
#ifndef BENCH_SPAWN_H
#define BENCH_SPAWN_H

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

extern char **environ;

static _Noreturn inline void
spawn_failed(const char *name)
{
	fprintf(stderr, "%s does not run\n", name);
	exit(1);
}

/* Starts a program.  If out is not NULL, *out becomes a pipe with the program's
 * output; otherwise the output is discarded. */
static inline pid_t
spawn(const char *const argv[], int *out)
{
	posix_spawn_file_actions_t actions;
	int end[2] = { -1, -1 }, rc;
	pid_t pid;

	if (posix_spawn_file_actions_init(&actions) != 0 ||
	    (out != NULL && pipe2(end, O_CLOEXEC) != 0))
		spawn_failed(argv[0]);
	rc = out != NULL ?
	    posix_spawn_file_actions_adddup2(&actions, end[1], STDOUT_FILENO) :
	    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO,
	    "/dev/null", O_WRONLY, 0);
	if (rc != 0 || posix_spawnp(&pid, argv[0], &actions, NULL,
	    (char *const *)argv, environ) != 0)
		spawn_failed(argv[0]);
	posix_spawn_file_actions_destroy(&actions);
	if (out != NULL) {
		close(end[1]);
		*out = end[0];
	}
	return pid;
}

/* Waits for the process.  Returns its peak resident size, in KiB. */
static inline long
reap(pid_t pid, const char *name)
{
	struct rusage used;
	int status;

	if (wait4(pid, &status, 0, &used) != pid || status != 0)
		spawn_failed(name);
	return used.ru_maxrss;
}

/* Runs a program, discards its output, and returns the milliseconds it took. */
static inline double
spawn_ms(const char *const argv[])
{
	double begin = now_ms();

	reap(spawn(argv, NULL), argv[0]);
	return now_ms() - begin;
}

enum { TURNS = 201 };

/* Runs two programs in turns, TURNS times, and gets their median
 * milliseconds. */
static inline void
spawn_medians(const char *const ours[], const char *const theirs[],
    double *our_ms, double *their_ms)
{
	double a[TURNS], b[TURNS];

	spawn_ms(theirs);
	spawn_ms(ours);
	for (int i = 0; i < TURNS; i++) {
		b[i] = spawn_ms(theirs);
		a[i] = spawn_ms(ours);
	}
	*our_ms = median(a, TURNS);
	*their_ms = median(b, TURNS);
}

#endif
