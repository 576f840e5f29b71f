// SPDX-License-Identifier: Apache-2.0
/*
 * peak IMG-TENSOR DECODE BASELINE PROGRESSIVE FILE - measures img-tensor as a
 * process: its memory for two JPEGs of 12 megapixels, and how much faster two
 * threads are than one thread if FILE is read many times.
 *
 * Goals: 24 MB for the baseline JPEG; for the progressive JPEG, 24 MB more than
 * decoding alone takes (DECODE FILE); 1.8 times the speed.
 */
#include "spawn.h"

/* Many files: starting a process and its threads must not affect the ratio. */
enum { FILES = 96, ROUNDS = 7 };

static const long limit = 24 * 1000 * 1000 / 1024;	/* KiB */

static long
memory(const char *program, const char *recipe, const char *file)
{
	const char *argv[] = { program, "-r", recipe, file, NULL };
	const char *decode[] = { program, file, NULL };

	return reap(spawn(recipe != NULL ? argv : decode, NULL), program);
}

static bool
peak(const char *const argv[], const char *recipe)
{
	long baseline = memory(argv[1], recipe, argv[3]);
	long progressive = memory(argv[1], recipe, argv[4]);
	long alone = memory(argv[2], NULL, argv[4]);
	char what[60], figures[80];
	bool met;

	snprintf(what, sizeof(what), "memory, baseline, %s", recipe);
	snprintf(figures, sizeof(figures), "%.1f MiB", (double)baseline /
	    1024);
	met = verdict(what, figures, "<= 24 MB", baseline <= limit);
	snprintf(what, sizeof(what), "memory, progressive, %s", recipe);
	snprintf(figures, sizeof(figures), "%.1f MiB, decoding alone %.1f MiB",
	    (double)progressive / 1024, (double)alone / 1024);
	return verdict(what, figures, "<= 24 MB more",
	    progressive <= alone + limit) && met;
}

static bool
threads(const char *program, const char *file)
{
	const char *argv[FILES + 6] = { program, "-r", "--for=yolo", "-j" };
	double ratio[ROUNDS], one, two, x;
	char figures[80];

	for (int i = 0; i < FILES; i++)
		argv[5 + i] = file;
	for (int i = 0; i < ROUNDS; i++) {
		argv[4] = "1";
		one = spawn_ms(argv);
		argv[4] = "2";
		two = spawn_ms(argv);
		ratio[i] = one / two;
	}
	x = median(ratio, ROUNDS);
	snprintf(figures, sizeof(figures), "%d pictures, %.2fx, %.1f and %.1f "
	    "ms each", FILES, x, one / FILES, two / FILES);
	return verdict("two threads", figures, ">= 1.8x", x >= 1.8);
}

int
main(int argc, char *argv[])
{
	bool met;

	if (argc != 6)
		return 2;
	printf("img-tensor as a process:\n");
	met = peak((const char *const *)argv, "--for=clip");
	met &= peak((const char *const *)argv, "--for=yolo");
	met &= threads(argv[1], argv[5]);
	return met ? 0 : 1;
}
