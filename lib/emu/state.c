// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "emu/log.h"
#include "emu/state.h"
#include "emu/tensors.h"

#define ID_HALF 0xffffffffull	/* 0 in a graph's id; counts its jobs */

pthread_mutex_t emu_lock = PTHREAD_MUTEX_INITIALIZER;
atomic_uint emu_loaded, emu_poisoned;

static struct context *contexts;	/* by falling handle */

noe_status_t
find_context(const context_handler_t *ctx, struct context **c)
{
	if (ctx == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	for (*c = contexts; *c != NULL; *c = (*c)->next)
		if ((*c)->handle == ctx->handle)
			return NOE_STATUS_SUCCESS;
	return NOE_STATUS_ERROR_INVALID_CTX;
}

noe_status_t
find_graph(struct context *c, uint64_t id, struct graph **g)
{
	for (*g = c->graphs; *g != NULL; *g = (*g)->next)
		if ((*g)->id == (id & ~ID_HALF) && !(*g)->poison)
			return NOE_STATUS_SUCCESS;
	return NOE_STATUS_ERROR_INVALID_GRAPH_ID;
}

noe_status_t
find_job(struct context *c, uint64_t id, struct emu_job **j)
{
	struct graph *g;

	if (find_graph(c, id, &g) == NOE_STATUS_SUCCESS)
		for (*j = g->jobs; *j != NULL; *j = (*j)->next)
			if ((*j)->id == id)
				return NOE_STATUS_SUCCESS;
	return NOE_STATUS_ERROR_INVALID_JOB_ID;
}

bool
no_contexts(void)
{
	return contexts == NULL;
}

struct context *
add_context(void)
{
	struct context *c = calloc(1, sizeof(*c)), **at = &contexts;

	if (c == NULL)
		return NULL;
	c->refs = 1;
	c->handle = 0xffffffff;
	c->own_thread = true;
	for (; *at != NULL && (*at)->handle == c->handle; at = &(*at)->next)
		c->handle--;
	c->next = *at;
	*at = c;
	log_created(LOG_CONTEXT);
	return c;
}

struct context *
hold_context(struct context *c)
{
	c->refs++;
	return c;
}

void
release_context(struct context *c)
{
	if (--c->refs == 0)
		free(c);
}

/* The analyser does not see that each object is unlinked before it is freed. */
/* NOLINTBEGIN(clang-analyzer-*) */
void
remove_context(struct context *c)
{
	struct context **at = &contexts;

	while (c->graphs != NULL) {
		log_left_open(LOG_GRAPH);
		remove_graph(c->graphs);
	}
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	c->removed = true;
	log_ended(LOG_CONTEXT);
	release_context(c);
}

void
add_graph(struct context *c, struct graph *g)
{
	struct graph **at = &c->graphs;

	g->id = ID_HALF + 1;
	for (; *at != NULL && (*at)->id == g->id; at = &(*at)->next)
		g->id += ID_HALF + 1;
	g->next = *at;
	g->ctx = c;
	g->refs = 1;
	*at = g;
	log_created(LOG_GRAPH);
	atomic_fetch_add(g->poison ? &emu_poisoned : &emu_loaded, 1);
}

void
remove_graph(struct graph *g)
{
	struct graph **at = &g->ctx->graphs;

	while (g->jobs != NULL) {
		log_left_open(LOG_JOB);
		remove_job(g->jobs);
	}
	while (*at != g)
		at = &(*at)->next;
	*at = g->next;
	g->ctx = NULL;
	log_ended(LOG_GRAPH);
	/* A poisoned graph never gets here: deinit_context() aborts before. */
	atomic_fetch_sub(&emu_loaded, 1);
	release_graph(g);
}
/* NOLINTEND(clang-analyzer-*) */

struct graph *
hold_graph(struct graph *g)
{
	g->refs++;
	return g;
}

void
release_graph(struct graph *g)
{
	if (--g->refs == 0)
		g->destroy(g);
}

struct emu_job *
add_job(struct graph *g, void (*cancel)(struct emu_job *j))
{
	struct emu_job *j = calloc(1, sizeof(*j)), **at = &g->jobs;

	if (j == NULL)
		return NULL;
	j->id = g->id + 1;
	for (; *at != NULL && (*at)->id == j->id; at = &(*at)->next)
		j->id++;
	j->next = *at;
	*at = j;
	log_created(LOG_JOB);
	j->refs = 1;
	j->graph = hold_graph(g);
	j->cancel = cancel;
	return j;
}

void
remove_job(struct emu_job *j)
{
	struct emu_job **at = &j->graph->jobs;

	while (*at != j)
		at = &(*at)->next;
	*at = j->next;
	j->removed = true;
	log_ended(LOG_JOB);
	j->cancel(j);
	release_job(j);
}

struct emu_job *
hold_job(struct emu_job *j)
{
	j->refs++;
	return j;
}

void
release_job(struct emu_job *j)
{
	if (--j->refs > 0)
		return;
	job_free_memory(j);
	release_graph(j->graph);
	free(j);
}
