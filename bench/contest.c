// SPDX-License-Identifier: Apache-2.0
/*
 * contest TOKENIZE CAPTIONS MULTILINGUAL ONE PEER... - reports how many times
 * faster clip-tokenize's code is than its peer: one thread against one thread,
 * on the same lines, in turns.  TOKENIZE FILE and PEER... FILE each print
 * texts/s of a first pass by a new tokenizer and of the best pass, the peak
 * memory in KiB, and texts/s of the very first pass of their process.  TOKENIZE
 * also prints MB/s of a first pass, of the best pass, and of only adding up the
 * bytes.
 *
 * The goals are for the very first pass, as a program that runs once makes only
 * this pass: 32 times the peer's speed for captions, and 36 times for lines of
 * many languages, which the peer does not clean.
 */
#include <string.h>

#include "spawn.h"

enum { ROUNDS = 3, WORDS = 16 };

struct speed {
	double first, best, memory, fresh;
	double mb_first, mb_best, mb_bytes;
};

static struct speed
measure(const char *argv[], int n, const char *file)
{
	struct speed s = { 0 };
	FILE *f;
	pid_t pid;
	int fd;

	argv[n] = file;
	argv[n + 1] = NULL;
	pid = spawn(argv, &fd);
	f = fdopen(fd, "r");
	if (f == NULL || fscanf(f, "%lf %lf %lf %lf %lf %lf %lf", &s.first,
	    &s.best, &s.memory, &s.fresh, &s.mb_first, &s.mb_best,
	    &s.mb_bytes) < 4)
		spawn_failed(argv[0]);
	fclose(f);
	reap(pid, argv[0]);
	return s;
}

struct table {
	double ours[ROUNDS], peer[ROUNDS], ratio[ROUNDS];
};

static void
add(struct table *t, int round, double ours, double peer)
{
	t->ours[round] = ours;
	t->peer[round] = peer;
	t->ratio[round] = ours / peer;
}

/* Prints one line.  goal 0: without a goal. */
static bool
show(struct table *t, const char *what, int goal)
{
	double ratio = median(t->ratio, ROUNDS);
	char figures[80], least[24];

	snprintf(figures, sizeof(figures), "%.0f texts/s, peer %.0f, %.1fx",
	    median(t->ours, ROUNDS), median(t->peer, ROUNDS), ratio);
	if (goal == 0) {
		figure(what, figures);
		return true;
	}
	snprintf(least, sizeof(least), ">= %dx", goal);
	return verdict(what, figures, least, ratio >= goal);
}

/* Compares our speed with the minimum work on the same bytes. */
static void
show_bytes(struct table *ours, struct table *bytes, const char *name)
{
	char what[40], figures[80];

	snprintf(what, sizeof(what), "%s, bytes", name);
	snprintf(figures, sizeof(figures), "%.1f MB/s, best pass %.1f, only "
	    "adding them up %.0f", median(ours->ours, ROUNDS),
	    median(ours->peer, ROUNDS), median(bytes->ours, ROUNDS));
	figure(what, figures);
}

static bool
compare(const char *name, const char *file, const char **ours,
    const char **peer, int n, int goal)
{
	struct table first, fresh, best, memory, mb, bytes;
	char what[40], figures[80];
	bool met;

	for (int i = 0; i < ROUNDS; i++) {
		struct speed p = measure(peer, n, file);
		struct speed o = measure(ours, 1, file);

		add(&first, i, o.first, p.first);
		add(&fresh, i, o.fresh, p.fresh);
		add(&best, i, o.best, p.best);
		add(&memory, i, o.memory, p.memory);
		add(&mb, i, o.mb_first, o.mb_best);
		add(&bytes, i, o.mb_bytes, 1);
	}
	snprintf(what, sizeof(what), "%s, first pass", name);
	show(&first, what, 0);
	snprintf(what, sizeof(what), "%s, process's first", name);
	met = show(&fresh, what, goal);
	snprintf(what, sizeof(what), "%s, best pass", name);
	show(&best, what, 0);
	show_bytes(&mb, &bytes, name);
	snprintf(what, sizeof(what), "%s, memory", name);
	snprintf(figures, sizeof(figures), "%.1f MiB, peer %.1f MiB",
	    median(memory.ours, ROUNDS) / 1024,
	    median(memory.peer, ROUNDS) / 1024);
	figure(what, figures);
	return met;
}

/* Prints how long a user of the peer waits for one text. */
static void
start(const char **peer, int n, const char *one)
{
	double ms[ROUNDS];
	char figures[80];

	peer[n] = one;
	peer[n + 1] = NULL;
	for (int i = 0; i < ROUNDS; i++)
		ms[i] = spawn_ms(peer);
	snprintf(figures, sizeof(figures), "%.0f ms", median(ms, ROUNDS));
	figure("one text, the peer", figures);
}

int
main(int argc, char *argv[])
{
	const char *ours[3] = { argv[1] }, *peer[WORDS + 2];
	int n = argc - 5;
	bool met;

	if (n < 1 || n > WORDS)
		return 2;
	memcpy(peer, argv + 5, (size_t)n * sizeof(*peer));
	printf("texts to ids, one thread, median of %d rounds:\n", ROUNDS);
	met = compare("captions", argv[2], ours, peer, n, 32);
	met = compare("multilingual", argv[3], ours, peer, n, 36) && met;
	start(peer, n, argv[4]);
	return met ? 0 : 1;
}
