// SPDX-License-Identifier: Apache-2.0
/*
 * startup HELLO PROGRAM... - start-up of each program's --version against that
 * of a C hello world, spawn to reap.  Goal: 1.3 times hello plus 0.3 ms.
 */
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { RUNS = 201 };

extern char **environ;

static posix_spawn_file_actions_t quiet;

static double
spawn_ms(char *path, char *arg)
{
	char *argv[] = { path, arg, NULL };
	double begin = now_ms();
	int status;
	pid_t pid;

	if (posix_spawn(&pid, path, &quiet, NULL, argv, environ) != 0 ||
	    waitpid(pid, &status, 0) < 0 || status != 0) {
		fprintf(stderr, "startup: %s does not run\n", path);
		exit(1);
	}
	return now_ms() - begin;
}

static bool
compare(char *hello, char *program)
{
	static double ours[RUNS], peer[RUNS];
	char figures[80], version[] = "--version";
	double a, b;

	spawn_ms(hello, NULL);
	spawn_ms(program, version);
	for (int i = 0; i < RUNS; i++) {
		peer[i] = spawn_ms(hello, NULL);
		ours[i] = spawn_ms(program, version);
	}
	a = median(ours, RUNS);
	b = median(peer, RUNS);
	snprintf(figures, sizeof(figures), "%.3f ms, hello %.3f ms, %.2fx", a,
	    b, a / b);
	return verdict(strrchr(program, '/') + 1, figures, "1.3x + 0.3 ms",
	    a <= 1.3 * b + 0.3);
}

int
main(int argc, char *argv[])
{
	bool met = true;

	if (argc < 3 || posix_spawn_file_actions_init(&quiet) != 0 ||
	    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO,
	    "/dev/null", O_WRONLY, 0) != 0)
		return 2;
	printf("start-up, --version, median of %d each:\n", RUNS);
	for (int i = 2; i < argc; i++)
		met = compare(argv[1], argv[i]) && met;
	posix_spawn_file_actions_destroy(&quiet);
	return met ? 0 : 1;
}
