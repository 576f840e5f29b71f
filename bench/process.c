// SPDX-License-Identifier: Apache-2.0
/*
 * process HELLO CLIP-TOKENIZE CAPTIONS - times clip-tokenize as a whole
 * process, from spawn to reap.  Goal for one text: at most 6 times the time of
 * a C hello world.  For a file of captions, it prints the time of clip-tokenize
 * and the time of only reading the file.
 */
#include "spawn.h"

enum { FILES = 15 };

static bool
one_text(const char *hello, const char *program)
{
	const char *theirs[] = { hello, NULL };
	const char *argv[] = { program, "-F", "ids", "--text",
	    "a photo of a red bus on a street", NULL };
	char figures[80];
	double a, b;

	spawn_medians(argv, theirs, &a, &b);
	snprintf(figures, sizeof(figures), "%.3f ms, hello %.3f ms, %.2fx, "
	    "%.1f MiB", a, b, a / b, (double)reap(spawn(argv, NULL), program) /
	    1024);
	return verdict("one text", figures, "<= 6x", a <= 6 * b);
}

/* Reads fd to its end.  Returns the number of lines. */
static size_t
drain(int fd)
{
	static char bytes[1 << 16];
	size_t lines = 0;
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < n; i++)
			lines += bytes[i] == '\n';
	close(fd);
	return lines;
}

static double
only_read(const char *path)
{
	static char bytes[1 << 16];
	double begin = now_ms();
	int fd = open(path, O_RDONLY);

	while (read(fd, bytes, sizeof(bytes)) > 0)
		continue;
	close(fd);
	return now_ms() - begin;
}

static double
rows(const char *const argv[], bool pipes, long *memory)
{
	double begin = now_ms();
	int fd = -1;
	pid_t pid = spawn(argv, pipes ? &fd : NULL);

	if (pipes)
		drain(fd);
	*memory = reap(pid, argv[0]);
	return now_ms() - begin;
}

static void
whole_file(const char *program, const char *path, bool pipes)
{
	const char *argv[] = { program, "-r", path, NULL };
	double ours[FILES], only[FILES], a;
	size_t lines = drain(open(path, O_RDONLY));
	char figures[80];
	long memory;

	for (int i = 0; i < FILES; i++) {
		only[i] = only_read(path);
		ours[i] = rows(argv, pipes, &memory);
	}
	a = median(ours, FILES);
	snprintf(figures, sizeof(figures), "%.1f ms, %.0f texts/s, %.1f MiB; "
	    "only reading %.1f ms", a, (double)lines / a * 1e3,
	    (double)memory / 1024, median(only, FILES));
	figure(pipes ? "captions to rows in a pipe" :
	    "captions to rows in /dev/null", figures);
}

int
main(int argc, char *argv[])
{
	bool met;

	if (argc != 4)
		return 2;
	printf("clip-tokenize as a process, median of %d (of %d for files):\n",
	    TURNS, FILES);
	met = one_text(argv[1], argv[2]);
	whole_file(argv[2], argv[3], false);
	whole_file(argv[2], argv[3], true);
	return met ? 0 : 1;
}
