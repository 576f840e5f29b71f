// SPDX-License-Identifier: Apache-2.0
/*
 * embed CLIP_EMBED LIBRARY MODEL PICTURE - pictures to vectors while the NPU is
 * busy: 200 JPEGs through clip-embed, on an emulator whose inference takes
 * 14.11 ms and whose other calls 7.65 ms, as those of CLIP's image encoder do
 * on a board.  Decoding is real.  Goal: at least 95 % of the 70.9 inferences a
 * second that leave nothing else to the NPU, with at most 4 threads; of the
 * whole process, start and end included.  For comparison: one thread.
 */
#include <string.h>

#include "spawn.h"

enum { PICTURES = 200, RUNS = 5 };

#define INFER_MS 14.11

static const struct {
	const char *name, *value;
} settings[] = {
	{ "NPU_EMU_COMPUTE", "fill" },
	{ "NPU_EMU_CORES", "1" },
	{ "NPU_EMU_INFER_MS", "14.11" },
	/* 7.65 together. */
	{ "NPU_EMU_CREATE_MS", "3.5" },
	{ "NPU_EMU_LOAD_MS", "0.4" },
	{ "NPU_EMU_GET_MS", "0.25" },
	{ "NPU_EMU_CLEAN_MS", "3.5" },
};

/* Vectors a second, the best of RUNS: the goal is no ratio against a peer, and
 * what else runs on the machine only takes away. */
static double
rate(char *const argv[], const char *threads)
{
	const char *args[PICTURES + 16];
	double ms[RUNS];	/* sorted by median() */
	size_t n = 0;

	args[n++] = argv[1];
	args[n++] = "-q";
	args[n++] = "-L";
	args[n++] = argv[2];
	args[n++] = "-m";
	args[n++] = argv[3];
	args[n++] = "-j";
	args[n++] = threads;
	for (size_t i = 0; i < PICTURES; i++)
		args[n++] = argv[4];
	args[n] = NULL;
	for (size_t i = 0; i < RUNS; i++)
		ms[i] = spawn_ms(args);
	median(ms, RUNS);
	return PICTURES * 1e3 / ms[0];
}

int
main(int argc, char *argv[])
{
	double raw = 1e3 / INFER_MS, r;
	char figures[80];

	if (argc != 5)
		return 2;
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		setenv(settings[i].name, settings[i].value, 1);
	printf("%d pictures to vectors, %.1f inferences a second:\n", PICTURES,
	    raw);
	r = rate(argv, "1");
	snprintf(figures, sizeof(figures), "%.1f/s, %.1f %%", r,
	    100 * r / raw);
	figure("clip-embed, 1 thread", figures);
	r = rate(argv, "4");
	snprintf(figures, sizeof(figures), "%.1f/s, %.1f %%", r,
	    100 * r / raw);
	return !verdict("clip-embed, 4 threads", figures, ">= 95 %",
	    r >= 0.95 * raw);
}
