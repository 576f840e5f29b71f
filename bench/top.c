// SPDX-License-Identifier: Apache-2.0
/*
 * top NPU-TOP TREE PROCESSES FILES SECONDS - measures the share of a processor
 * that npu-top takes at two outputs per second, user and system time together.
 * npu-top reads the simulated board in TREE, while PROCESSES processes have
 * FILES files open each.  If TREE/proc is a link to /proc, npu-top sees these
 * processes.  Goal: 1 %.
 */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "spawn.h"

enum { MOST = 10000 };

static pid_t idle[MOST];

/* Starts a process that has files open, and ends with this process. */
static pid_t
spawn_idle(int files)
{
	pid_t pid = fork();

	if (pid < 0)
		spawn_failed("a process");
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < files; i++)
		if (open("/dev/null", O_RDONLY) < 0)
			_exit(1);
	for (;;)
		pause();
}

static double
seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

/* Returns the share of a processor that npu-top takes while it runs. */
static double
share_of(const char *const argv[])
{
	double begin = now_ms(), used;
	struct rusage r;
	int status;
	pid_t pid = spawn(argv, NULL);

	if (wait4(pid, &status, 0, &r) != pid || status != 0)
		spawn_failed(argv[0]);
	used = seconds_of(&r.ru_utime) + seconds_of(&r.ru_stime);
	return used / ((now_ms() - begin) / 1e3);
}

int
main(int argc, char *argv[])
{
	char root[4096], count[20], what[80], figures[80];
	const char *program[] = { argc > 1 ? argv[1] : "", root, "--json",
	    "-i", "0.5", "-n", count, NULL };
	int processes, files;
	double share;

	if (argc != 6 || (processes = atoi(argv[3])) > MOST)
		return 2;
	files = atoi(argv[4]);
	snprintf(root, sizeof(root), "--root=%s", argv[2]);
	snprintf(count, sizeof(count), "%d", 2 * atoi(argv[5]));
	for (int i = 0; i < processes; i++)
		idle[i] = spawn_idle(files);
	share = share_of(program);
	for (int i = 0; i < processes; i++) {
		kill(idle[i], SIGKILL);
		waitpid(idle[i], NULL, 0);
	}
	snprintf(what, sizeof(what), "npu-top -i 0.5, %d processes of %d",
	    processes, files);
	snprintf(figures, sizeof(figures), "%.2f %% of a core in %s s",
	    100 * share, argv[5]);
	return verdict(what, figures, "1 %", share <= 0.01) ? 0 : 1;
}
