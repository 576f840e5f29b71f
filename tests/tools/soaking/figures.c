// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <stdio.h>

#include "figures.h"

enum { LOOKS = 400 };

static long
count_descriptors(pid_t pid)
{
	char path[40];
	long n = -2;		/* . and .. */
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	if ((d = opendir(path)) == NULL)
		return -1;
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}

static struct figures
look(pid_t pid)
{
	struct figures f = { .descriptors = count_descriptors(pid) };
	char line[200];
	FILE *status;

	snprintf(line, sizeof(line), "/proc/%d/status", (int)pid);
	if ((status = fopen(line, "r")) == NULL)
		return f;
	while (fgets(line, sizeof(line), status) != NULL) {
		sscanf(line, "VmRSS: %ld", &f.kib);
		sscanf(line, "Threads: %ld", &f.threads);
	}
	fclose(status);
	return f;
}

static void
raise_to(long *a, long b)
{
	if (b > *a)
		*a = b;
}

static void
raise_all(struct figures *a, const struct figures *b)
{
	raise_to(&a->kib, b->kib);
	raise_to(&a->threads, b->threads);
	raise_to(&a->descriptors, b->descriptors);
}

void
watch_look(struct watch *w, const struct account *a, pid_t pid, uint64_t n)
{
	struct figures f;

	if (n == 0 || n < w->next)	/* the process may not have begun */
		return;
	w->next = n + a->frames / LOOKS + 1;
	f = look(pid);
	w->looks++;
	raise_all(&w->quarter[n * QUARTERS / (a->frames + 1)], &f);
	if (n < a->frames / 10)
		return;
	if (w->first.kib == 0)
		w->first = f;
	raise_all(&w->most, &f);
}

/* Threads: the emulator starts its cores when it needs them.  Descriptors:
 * while the process opens the model, it has a few more. */
enum { CORES = 3, OPENING = 4 };

void
watch_settle(const struct watch *w, struct account *a)
{
	const struct figures *q = w->quarter, *end = &q[QUARTERS - 1];

	if (w->first.kib == 0) {
		complain(a, "its resources were never read");
		return;
	}
	if (w->growth_kib >= 0 && (w->opens ? end->kib - q->kib :
	    w->most.kib - w->first.kib) > w->growth_kib)
		complain(a, "memory grew from %ld to %ld KiB", w->opens ?
		    q->kib : w->first.kib, w->opens ? end->kib : w->most.kib);
	if (w->opens ? end->descriptors > q->descriptors + OPENING :
	    w->most.descriptors > w->first.descriptors)
		complain(a, "descriptors: %ld, then %ld", w->opens ?
		    q->descriptors : w->first.descriptors, w->opens ?
		    end->descriptors : w->most.descriptors);
	if (w->opens ? end->threads > q->threads + CORES - 1 :
	    w->most.threads > w->first.threads + CORES - 1)
		complain(a, "threads: %ld, then %ld", w->opens ? q->threads :
		    w->first.threads, w->opens ? end->threads :
		    w->most.threads);
}

void
watch_print(const struct watch *w)
{
	const struct figures *q = w->quarter;

	if (w->first.kib == 0)
		return;
	printf("; looked at %lu times, the most of each quarter: ", w->looks);
	for (int i = 0; i < QUARTERS; i++)
		printf("%ld ", q[i].kib);
	printf("KiB, ");
	for (int i = 0; i < QUARTERS; i++)
		printf("%ld ", q[i].threads);
	printf("threads, ");
	for (int i = 0; i < QUARTERS; i++)
		printf("%ld ", q[i].descriptors);
	printf("descriptors");
}
