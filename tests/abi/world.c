// SPDX-License-Identifier: Apache-2.0
/* Sets up the world of a row; also the changes that several rows share. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "world.h"

void
must(struct world *w, bool holds, const char *text)
{
	if (!holds && w->wrong == NULL)
		w->wrong = text;
}

int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * (int64_t)1000 + t.tv_nsec / 1000000;
}

const char *
model_path(const struct world *w, const char *name)
{
	/*
	 * One buffer for each thread: rows call this from two threads at once.
	 */
	static _Thread_local char path[4096];

	if (name[0] == '/')
		return name;
	snprintf(path, sizeof(path), "%s/%s%s", w->models, name,
	    strchr(name, '.') != NULL ? "" : ".cix");
	return path;
}

static char *
read_whole(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *p = malloc(1 << 20);

	if (f == NULL || p == NULL) {
		fprintf(stderr, "%s: cannot be read\n", path);
		_exit(99);
	}
	*n = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

char *
model_elf(const struct world *w, size_t *n)
{
	size_t size, limit = *n;
	char *p = read_whole(model_path(w, w->model), &size);
	char *elf = memmem(p, size, "\177ELF", 4);
	uint32_t length;

	if (elf == NULL || elf - p < 4) {
		fprintf(stderr, "%s: no graph ELF\n", w->model);
		_exit(99);
	}
	/* FlatBuffers stores the length of the vector before it: noe-abi 7. */
	memcpy(&length, elf - 4, sizeof(length));
	*n = limit > 0 ? limit : length;
	memmove(p, elf, *n);
	return p;
}

/* Reports a step of the set-up that returned an unexpected status. */
static void
step(struct world *w, int st, int expected, const char *what)
{
	if (st == expected)
		return;
	printf("# setting up: %s answered 0x%x, not 0x%x\n", what, st,
	    expected);
	fflush(stdout);
	w->wrong = what;
}

void
world_build(struct world *w, enum need need)
{
	static char room[4096];
	int st;

	w->data = room;
	w->timeout = LONG_MS;
	w->status = (job_status_t)99;
	w->count = 99;
	w->config.conf_j_npu = &w->npu;
	w->gconfig.conf_g_npu = &w->gnpu;
	if (need >= CTX)
		step(w, open_context(&w->ctx), 0, "init_context");
	if (need >= GRAPH)
		step(w, call_load_graph(w), 0, "load_graph");
	if (need >= JOB)
		step(w, call_create_job(w), 0, "create_job");
	for (uint32_t i = 0; need >= READY && i < 2; i++) {
		memset(room, 'a' + (int)i, sizeof(room));
		step(w, noe.load_tensor(w->ctx, w->job, i, room), 0,
		    "load_tensor");
	}
	if (need == FLYING)
		step(w, call_job_infer_async(w), 0, "job_infer_async");
	if (need == DONE)
		step(w, call_job_infer_sync(w), 0, "job_infer_sync");
	if (need == TRIED)
		step(w, call_job_infer_sync(w), 0x11, "job_infer_sync");
	if (need == LATE) {
		/* On a busy machine, the library may see the end of a slow job
		 * first. */
		w->timeout = 50;
		while ((st = call_job_infer_sync(w)) == 0)
			continue;
		w->timeout = LONG_MS;
		step(w, st, 0x23, "job_infer_sync");
	}
}

struct errand {
	struct world *w;
	int (*f)(struct world *);
	int st;
};

static void *
run_errand(void *arg)
{
	struct errand *e = arg;

	e->st = e->f(e->w);
	return NULL;
}

int
elsewhere(struct world *w, int (*f)(struct world *))
{
	struct errand e = { w, f, -99 };
	pthread_t t;

	if (pthread_create(&t, NULL, run_errand, &e) == 0)
		pthread_join(t, NULL);
	return e.st;
}

void
fill(struct world *w)
{
	memset(w->data, '~', 64);
}

bool
without_nul(const char *p, const char *text)
{
	return memcmp(p, text, strlen(text)) == 0 && p[strlen(text)] == '~';
}

void
no_ctx(struct world *w)
{
	w->ctx = NULL;
}

/* Uses a handle that does not belong to any context. */
void
stale_ctx(struct world *w)
{
	static context_handler_t stale = { 0x1234 };

	w->ctx = &stale;
}

void
no_data(struct world *w)
{
	w->data = NULL;
}

void
no_graph(struct world *w)
{
	w->graph = 0;
}

void
small_graph(struct world *w)
{
	w->graph = 0xffffffff;
}

void
graph_low_bits(struct world *w)
{
	w->graph += 5;
}

void
unloaded(struct world *w)
{
	step(w, call_unload_graph(w), 0, "unload_graph");
}

void
no_job(struct world *w)
{
	w->job = 0;
}

void
small_job(struct world *w)
{
	w->job = 0xffffffff;
}

void
unknown_job(struct world *w)
{
	w->job = w->graph | 77;
}

void
cleaned(struct world *w)
{
	step(w, call_clean_job(w), 0, "clean_job");
}
