// SPDX-License-Identifier: Apache-2.0
/*
 * running NPU_RUN LIBRARY MODEL FRAME - measures npu-run as a process, with the
 * published times of the three models (the same as in queue.c): 200 frames over
 * pipes, from the start of the program to its end.  Goal: >= 96 % of raw, which
 * means one inference after the other and nothing else.
 */
#include <string.h>

#include "spawn.h"

enum { FRAMES = 200, SERIAL = 40, RUNS = 3 };

/* The device runs one model at a time; create and clean take most of the
 * host's time, as in queue.c. */
static void
set_times(double infer, double host)
{
	static const struct {
		const char *name;
		double share;
	} calls[] = {
		{ "NPU_EMU_CREATE_MS", 0.45 }, { "NPU_EMU_LOAD_MS", 0.05 },
		{ "NPU_EMU_GET_MS", 0.05 }, { "NPU_EMU_CLEAN_MS", 0.45 },
	};
	char ms[40];

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		snprintf(ms, sizeof(ms), "%.4f", host * calls[i].share);
		setenv(calls[i].name, ms, 1);
	}
	snprintf(ms, sizeof(ms), "%.4f", infer);
	setenv("NPU_EMU_INFER_MS", ms, 1);
}

/* Returns inferences per second, the best of RUNS.  The goal is not a ratio to
 * a peer, and other load on the machine only lowers the rate. */
static double
rate(char *const argv[], const char *jobs, int frames)
{
	const char *const args[] = { "sh", "-c",
	    "for i in $(seq \"$n\"); do cat \"$f\"; done | "
	    "\"$0\" -q $j -L \"$l\" \"$m\" | cat", argv[1], NULL };
	double ms, best = 1e9;
	char n[20];

	snprintf(n, sizeof(n), "%d", frames);
	setenv("n", n, 1);
	setenv("j", jobs, 1);
	setenv("l", argv[2], 1);
	setenv("m", argv[3], 1);
	setenv("f", argv[4], 1);
	for (int i = 0; i < RUNS; i++)
		if ((ms = spawn_ms(args)) < best)
			best = ms;
	return frames * 1e3 / best;
}

static bool
throughput(char *const argv[], const char *name, double infer, double host)
{
	double one, three, raw = 1e3 / infer;
	char text[120];

	set_times(infer, host);
	one = rate(argv, "-j1", SERIAL);
	three = rate(argv, "-j3", FRAMES);
	snprintf(text, sizeof(text), "%.2f/s of %.2f, %.1f %%; -j 1: %.2f/s",
	    three, raw, 100 * three / raw, one);
	return verdict(name, text, ">= 96 %", three >= 0.96 * raw);
}

int
main(int argc, char *argv[])
{
	bool met = true;

	if (argc != 5)
		return 2;
	setenv("NPU_DEVICE", "emu", 1);
	setenv("NPU_EMU_COMPUTE", "none", 1);
	setenv("NPU_EMU_CORES", "1", 1);
	printf("npu-run -j 3, %d frames, start and end included:\n", FRAMES);
	met &= throughput(argv, "CLIP visual", 14.11, 7.65);
	met &= throughput(argv, "YOLOv8n", 15.14, 6.08);
	met &= throughput(argv, "CLIP text", 15.52, 1.95);
	return !met;
}
