// SPDX-License-Identifier: Apache-2.0
/*
 * check HELLO XCLBIN-CHECK CONTAINER - times xclbin-check on a container that
 * an NPU can run, as a whole process, from spawn to reap.  Goal: at most 4
 * times the time of a C hello world.
 */
#include <sys/stat.h>

#include "spawn.h"

int
main(int argc, char *argv[])
{
	const char *theirs[] = { argv[1], NULL };
	const char *ours[] = { argv[2], argv[3], NULL };
	char what[80], figures[80];
	struct stat st;
	double a, b;

	if (argc != 4 || stat(argv[3], &st) < 0)
		return 2;
	spawn_medians(ours, theirs, &a, &b);
	snprintf(what, sizeof(what), "xclbin-check of %.1f KB",
	    (double)st.st_size / 1e3);
	snprintf(figures, sizeof(figures), "%.3f ms, hello %.3f ms, %.2fx", a,
	    b, a / b);
	return !verdict(what, figures, "<= 4x", a <= 4 * b);
}
