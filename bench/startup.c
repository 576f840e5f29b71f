// SPDX-License-Identifier: Apache-2.0
/*
 * startup HELLO PROGRAM... - times each program's --version and a C hello
 * world, from spawn to reap.  Goal: 1.3 times the time of hello, plus 0.3 ms.
 * The peer of a program is HELLO-NAME where that exists: it loads the same
 * libraries.
 */
#include <limits.h>
#include <string.h>

#include "spawn.h"

static bool
compare(const char *hello, const char *program)
{
	const char *name = strrchr(program, '/') + 1;
	const char *theirs[] = { hello, NULL };
	const char *asked[] = { program, "--version", NULL };
	char figures[80], own[PATH_MAX];
	double a, b;

	snprintf(own, sizeof(own), "%s-%s", hello, name);
	if (access(own, X_OK) == 0)
		theirs[0] = own;
	spawn_medians(asked, theirs, &a, &b);
	snprintf(figures, sizeof(figures), "%.3f ms, %s %.3f ms, %.2fx", a,
	    strrchr(theirs[0], '/') + 1, b, a / b);
	return verdict(name, figures, "1.3x + 0.3 ms", a <= 1.3 * b + 0.3);
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
