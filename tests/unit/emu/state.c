// SPDX-License-Identifier: Apache-2.0
/* Ids, holds and the hooks of what is removed: lib/emu/state.c, linked without
 * anything that computes. */
#include <stdlib.h>

#include "emu/state.h"
#include "tap.h"

static unsigned cancelled, destroyed;

static void
cancel(struct emu_job *j)
{
	(void)j;
	cancelled++;
}

static void
destroy(struct graph *g)
{
	destroyed++;
	free(g->spare);
	free(g);
}

static struct graph *
load(struct context *c)
{
	struct graph *g = calloc(1, sizeof(*g));

	if (g == NULL)
		exit(1);
	g->destroy = destroy;
	add_graph(c, g);
	return g;
}

static void
ids(void)
{
	struct context *a = add_context(), *b = add_context(), *c;
	struct graph *g, *h, *other = load(b);
	struct emu_job *j, *k;

	ok(a->handle == 0xffffffff && b->handle == 0xfffffffe,
	    "contexts: the highest handle first");
	remove_context(a);
	c = add_context();
	ok(c->handle == 0xffffffff, "a handle is free again");
	g = load(c);
	h = load(c);
	ok(g->id == 1ull << 32 && h->id == 2ull << 32 && other->id == g->id,
	    "graphs: the high half, the lowest first, in each context");
	remove_graph(g);
	g = load(c);
	ok(g->id == 1ull << 32, "a graph's id is free again");
	j = add_job(g, cancel);
	k = add_job(g, cancel);
	ok(j->id == g->id + 1 && k->id == g->id + 2,
	    "jobs: the low half, the lowest first");
	remove_job(j);
	ok(find_job(c, k->id - 1, &j) == NOE_STATUS_ERROR_INVALID_JOB_ID &&
	    add_job(g, cancel)->id == g->id + 1, "a job's id is free again");
	ok(find_graph(c, k->id, &h) == 0 && h == g,
	    "a job's id finds its graph");
	remove_context(b);
	remove_context(c);
	ok(no_contexts(), "no context is left");
}

static void
holds(void)
{
	struct context *c = add_context();
	struct graph *g = load(c);
	struct emu_job *j = hold_job(add_job(g, cancel));

	add_job(g, cancel);
	cancelled = destroyed = 0;
	remove_context(hold_context(c));
	ok(c->removed && j->removed && g->ctx == NULL,
	    "what a context has is removed with it");
	ok(cancelled == 2, "each job is cancelled");
	ok(destroyed == 0, "the job that is held holds its graph");
	release_job(j);
	ok(destroyed == 1 && cancelled == 2, "the last hold destroys it");
	release_context(c);
	ok(atomic_load(&emu_loaded) == 0, "no graph is loaded");
}

int
main(void)
{
	ids();
	holds();
	return done();
}
