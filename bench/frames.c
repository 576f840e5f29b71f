// SPDX-License-Identifier: Apache-2.0
/*
 * frames XDNA-RUN CONTAINER STREAM FRAMES - measures the time that xdna-run
 * needs for a frame of 1 KiB, without the time of the device: it sends FRAMES
 * through the emulated device, whose kernel copies, and through cat.  Goal: at
 * most 20 us per frame more than cat.
 */
#include <sys/stat.h>

#include "spawn.h"

enum { RUNS = 11, FRAME = 1024 };

/* Becomes the standard input of all programs that are started. */
static void
redirect(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0) {
		fprintf(stderr, "%s cannot be read\n", path);
		exit(1);
	}
	close(fd);
}

/* Runs a program from the frames to a pipe.  Returns the milliseconds. */
static double
run(const char *const argv[], const char *frames, off_t size)
{
	static char bytes[1 << 16];
	double begin;
	off_t got = 0;
	ssize_t n;
	pid_t pid;
	int fd;

	redirect(frames);
	begin = now_ms();
	pid = spawn(argv, &fd);
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		got += n;
	close(fd);
	reap(pid, argv[0]);
	if (got != size)
		spawn_failed(argv[0]);
	return now_ms() - begin;
}

int
main(int argc, char *argv[])
{
	double ours[RUNS], theirs[RUNS], a, b, us;
	char figures[80];
	struct stat st;

	if (argc != 5 || stat(argv[4], &st) < 0 || st.st_size < FRAME)
		return 2;
	for (int i = 0; i < RUNS; i++) {
		theirs[i] = run((const char *[]){ "cat", NULL }, argv[4],
		    st.st_size);
		ours[i] = run((const char *[]){ argv[1], "-q", "-r", "-d",
		    "emu", "--twin=copy", argv[2], argv[3], NULL }, argv[4],
		    st.st_size);
	}
	a = median(ours, RUNS);
	b = median(theirs, RUNS);
	us = (a - b) * 1e3 / (double)(st.st_size / FRAME);
	snprintf(figures, sizeof(figures), "%.1f ms, cat %.1f ms: %.1f us "
	    "a frame more", a, b, us);
	return !verdict("xdna-run, emulated copy of frames", figures,
	    "<= 20 us", us <= 20);
}
