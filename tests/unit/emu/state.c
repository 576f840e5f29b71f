// SPDX-License-Identifier: Apache-2.0
/* Ids, reference counts, and the functions that are called on removal
 * (lib/emu/state.c).  Linked without any code that computes. */
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
	    "the first contexts get the highest handles");
	remove_context(a);
	c = add_context();
	ok(c->handle == 0xffffffff,
	    "the handle of a removed context is used again");
	g = load(c);
	h = load(c);
	ok(g->id == 1ull << 32 && h->id == 2ull << 32 && other->id == g->id,
	    "graph ids count from 1 in the high 32 bits, in each context");
	remove_graph(g);
	g = load(c);
	ok(g->id == 1ull << 32, "the id of a removed graph is used again");
	j = add_job(g, cancel);
	k = add_job(g, cancel);
	ok(j->id == g->id + 1 && k->id == g->id + 2,
	    "job ids count from 1 in the low 32 bits");
	remove_job(j);
	ok(find_job(c, k->id - 1, &j) == NOE_STATUS_ERROR_INVALID_JOB_ID &&
	    add_job(g, cancel)->id == g->id + 1,
	    "the id of a removed job is unknown and is used again");
	ok(find_graph(c, k->id, &h) == 0 && h == g,
	    "find_graph() finds the graph of a job's id");
	remove_context(b);
	remove_context(c);
	ok(no_contexts(), "after both contexts are removed, none is left");
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
	    "removing a context removes its jobs and its graph");
	ok(cancelled == 2, "removing a context cancels each job");
	ok(destroyed == 0, "a held job keeps its graph");
	release_job(j);
	ok(destroyed == 1 && cancelled == 2,
	    "releasing the last job destroys the graph");
	release_context(c);
	ok(atomic_load(&emu_loaded) == 0, "afterwards, no graph is loaded");
}

int
main(void)
{
	ids();
	holds();
	return done();
}
