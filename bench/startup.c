// SPDX-License-Identifier: Apache-2.0
/*
 * startup HELLO PROGRAM... - times each program's --version and a C hello
 * world, from spawn to reap.  Goal: 1.3 times the time of hello, plus 0.3 ms.
 */
#include <string.h>

#include "spawn.h"

static bool
compare(const char *hello, const char *program)
{
	const char *theirs[] = { hello, NULL };
	const char *asked[] = { program, "--version", NULL };
	char figures[80];
	double a, b;

	spawn_medians(asked, theirs, &a, &b);
	snprintf(figures, sizeof(figures), "%.3f ms, hello %.3f ms, %.2fx", a,
	    b, a / b);
	return verdict(strrchr(program, '/') + 1, figures, "1.3x + 0.3 ms",
	    a <= 1.3 * b + 0.3);
}

int
main(int argc, char *argv[])
{
	bool met = true;

	if (argc < 3)
		return 2;
	printf("start-up, --version, median of %d each:\n", TURNS);
	for (int i = 2; i < argc; i++)
		met = compare(argv[1], argv[i]) && met;
	return met ? 0 : 1;
}
