// SPDX-License-Identifier: Apache-2.0
/*
 * chain BIN LIBRARY MODEL FILE - sends frames of 1.2 MB through three of our
 * programs: npu-tensor puts a label before each frame, npu-run runs a model
 * that takes no time, and npu-tensor removes the labels.  Goal: a frame takes
 * at most 1.25 times as long as in the same chain of bare read() and write()
 * loops, over pipes of 1 MiB.
 *
 * FILE contains FRAMES frames.  The programs get FILE once, or many times; the
 * difference is the time of the additional frames, without the start and the
 * end of the processes.
 *
 * chain copy FILE... is one bare loop.
 */
#include <string.h>

#include "spawn.h"

enum { FRAME = 3 * 640 * 640, FRAMES = 20, FEW = 1, MANY = 11, RUNS = 15 };

#define OURS "\"$b/npu-tensor\" --add -t u8 --shape=1,3,640,640 $f | " \
	"\"$b/npu-run\" $j -q -L \"$l\" \"$m\" | \"$b/npu-tensor\" -r"
#define BARE "\"$0\" copy $f | \"$0\" copy | \"$0\" copy"

/* ---- A bare loop --------------------------------------------------------- */

static int
copy_from(int fd)
{
	static char frame[FRAME];
	size_t n, done;
	ssize_t r;

	do {
		for (n = 0; n < FRAME; n += (size_t)r)
			if ((r = read(fd, frame + n, FRAME - n)) <= 0)
				break;
		for (done = 0; done < n; done += (size_t)r)
			if ((r = write(STDOUT_FILENO, frame + done,
			    n - done)) < 0)
				return 1;
	} while (n == FRAME);
	return n != 0;
}

static int
copy(char *file[])
{
	int fd, bad = 0;

	fcntl(STDIN_FILENO, F_SETPIPE_SZ, 1 << 20);
	fcntl(STDOUT_FILENO, F_SETPIPE_SZ, 1 << 20);
	if (*file == NULL)
		return copy_from(STDIN_FILENO);
	for (; *file != NULL && !bad; file++) {
		fd = open(*file, O_RDONLY);
		bad = copy_from(fd);
		close(fd);
	}
	return bad;
}

/* ---- Chains -------------------------------------------------------------- */

static double
chain_ms(const char *self, const char *script, const char *file, int times)
{
	const char *const args[] = { "sh", "-c", script, self, NULL };
	char *files = calloc((size_t)times, strlen(file) + 2);

	for (int i = 0; files != NULL && i < times; i++) {
		strcat(files, " ");
		strcat(files, file);
	}
	if (files == NULL || setenv("f", files, 1) != 0)
		spawn_failed(self);
	free(files);
	return spawn_ms(args);
}

/* Returns the milliseconds per frame. */
static double
frame_ms(const char *self, const char *script, const char *file)
{
	double few = chain_ms(self, script, file, FEW);

	return (chain_ms(self, script, file, MANY) - few) /
	    ((MANY - FEW) * FRAMES);
}

static bool
contest(const char *self, const char *file, const char *jobs)
{
	double ours[RUNS], bare[RUNS], ratio[RUNS], r;
	char figures[120], what[40];

	setenv("j", jobs, 1);
	for (int i = 0; i < RUNS; i++) {
		ours[i] = frame_ms(self, OURS, file);
		bare[i] = frame_ms(self, BARE, file);
		ratio[i] = ours[i] / bare[i];
	}
	r = median(ratio, RUNS);
	snprintf(what, sizeof(what), "npu-tensor | npu-run %s | npu-tensor",
	    jobs);
	snprintf(figures, sizeof(figures), "%.3f ms, bare %.3f ms, ratio %.2f",
	    median(ours, RUNS), median(bare, RUNS), r);
	return verdict(what, figures, "<= 1.25", r <= 1.25);
}

int
main(int argc, char *argv[])
{
	bool met;

	if (argc > 1 && strcmp(argv[1], "copy") == 0)
		return copy(argv + 2);
	if (argc != 5)
		return 2;
	setenv("b", argv[1], 1);
	setenv("l", argv[2], 1);
	setenv("m", argv[3], 1);
	setenv("NPU_DEVICE", "emu", 1);
	setenv("NPU_EMU_COMPUTE", "none", 1);
	printf("a frame of %d bytes from process to process:\n", FRAME);
	met = contest(argv[0], argv[4], "-j1");
	met &= contest(argv[0], argv[4], "-j3");
	return !met;
}
