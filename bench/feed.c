// SPDX-License-Identifier: Apache-2.0
/*
 * feed PROGRAM LIBRARY MODEL PICTURE [INFER_MS] - measures whether clip-embed
 * or yolo-detect keeps the NPU busy.  The program reads 200 JPEGs.  The
 * emulator takes the published times of the program's model: the device's time
 * for the inference (or INFER_MS, if the machine decodes too slowly for that
 * time), and the host's time for all other calls together.  The program really
 * decodes the pictures and processes the results.  Raw means one inference
 * after the other and nothing else.  The measurement covers the whole process,
 * with start and end, and 4 decoding threads; then again with one thread, for
 * comparison.
 */
#include <string.h>

#include "spawn.h"

enum { PICTURES = 200, RUNS = 5 };

struct program {
	const char *name;
	double infer, host;	/* ms */
	double goal;		/* % of raw */
};

static struct program programs[] = {
	{ "clip-embed", 14.11, 7.65, 95 },
	{ "yolo-detect", 15.14, 6.08, 97 },
};

static struct program *
find(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (strcmp(name, programs[i].name) == 0)
			return &programs[i];
	exit(2);
}

static void
set_ms(const char *name, double ms)
{
	char text[40];

	snprintf(text, sizeof(text), "%.4f", ms);
	setenv(name, text, 1);
}

/* Most of the host's time is for making and freeing buffers. */
static void
set_times(const struct program *p)
{
	setenv("NPU_EMU_COMPUTE", "fill", 1);
	setenv("NPU_EMU_CORES", "1", 1);
	set_ms("NPU_EMU_INFER_MS", p->infer);
	set_ms("NPU_EMU_CREATE_MS", p->host * 0.46);
	set_ms("NPU_EMU_LOAD_MS", p->host * 0.05);
	set_ms("NPU_EMU_GET_MS", p->host * 0.03);
	set_ms("NPU_EMU_CLEAN_MS", p->host * 0.46);
}

/* Returns the percentage of raw, the best of RUNS.  The goal is not a ratio to
 * a peer, and other load on the machine only lowers the percentage. */
static double
measure(const struct program *p, char *const argv[], const char *threads,
    char figures[80])
{
	const char *args[PICTURES + 16] = { argv[1], "-q", "-L", argv[2], "-m",
	    argv[3], "-j", threads };
	double ms[RUNS], raw = 1e3 / p->infer, rate;	/* ms: sorted */
	double middle;

	for (size_t i = 0; i < PICTURES; i++)
		args[8 + i] = argv[4];
	args[8 + PICTURES] = NULL;
	for (size_t i = 0; i < RUNS; i++)
		ms[i] = spawn_ms(args);
	middle = PICTURES * 1e3 / median(ms, RUNS);
	rate = PICTURES * 1e3 / ms[0];
	snprintf(figures, 80, "%.1f/s, %.1f %%; median %.1f %%", rate,
	    100 * rate / raw, 100 * middle / raw);
	return 100 * rate / raw;
}

int
main(int argc, char *argv[])
{
	struct program *p;
	char figures[80], what[40], goal[40];
	double percent;

	if (argc != 5 && argc != 6)
		return 2;
	p = find(argv[1]);
	if (argc == 6)
		p->infer = atof(argv[5]);
	set_times(p);
	printf("%d pictures through %s, %.1f inferences a second:\n", PICTURES,
	    p->name, 1e3 / p->infer);
	measure(p, argv, "1", figures);
	snprintf(what, sizeof(what), "%s, 1 thread", p->name);
	figure(what, figures);
	percent = measure(p, argv, "4", figures);
	snprintf(what, sizeof(what), "%s, 4 threads", p->name);
	snprintf(goal, sizeof(goal), ">= %.0f %%", p->goal);
	return !verdict(what, figures, goal, percent >= p->goal);
}
