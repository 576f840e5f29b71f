// SPDX-License-Identifier: Apache-2.0
/*
 * Batch queues (noe-abi 4.15), with the behaviour that the rows of tests/abi
 * found in 2.0.2.  The frames of a queue run one after another.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/api.h"
#include "emu/batch.h"
#include "emu/job.h"
#include "emu/message.h"

/* One frame of a batch. */
struct emu_frame {
	struct emu_frame *next;
	char **in, **out;	/* owned; the buffers are not */
};

struct batch_queue {
	struct batch_queue *next;
	uint32_t id;
	struct emu_frame *frames, **last;
};

/* One counter numbers the queues of the whole process.  It skips a number that
 * a queue of the graph already has. */
static uint32_t next_queue;

static struct batch_queue *
find_queue(const struct graph *g, uint32_t id)
{
	struct batch_queue *q = g->queues;

	while (q != NULL && q->id != id)
		q = q->next;
	return q;
}

static void
free_frame(struct emu_frame *f)
{
	if (f == NULL)
		return;
	free(f->in);
	free(f->out);
	free(f);
}

static void
free_frames(struct emu_frame *f)
{
	while (f != NULL) {
		struct emu_frame *next = f->next;

		free_frame(f);
		f = next;
	}
}

static void
remove_queue(struct graph *g, struct batch_queue *q)
{
	struct batch_queue **at = &g->queues;

	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	free_frames(q->frames);
	free(q);
}

void
batch_free_queues(struct graph *g)
{
	while (g->queues != NULL)
		remove_queue(g, g->queues);
}

EMU_API noe_status_t
noe_create_batch_queue(const context_handler_t *ctx, uint64_t graph,
    uint32_t *queue)
{
	struct graph *g;
	struct batch_queue *q;
	noe_status_t st;

	if ((st = emu_with_graph(ctx, graph, &g)) != NOE_STATUS_SUCCESS)
		return st;
	if (queue == NULL)
		emu_crash("create_batch_queue", "the queue is NULL");
	if ((q = calloc(1, sizeof(*q))) == NULL)
		return emu_release(NOE_STATUS_ERROR_BUF_ALLOC_FAIL);
	q->last = &q->frames;
	while (find_queue(g, next_queue) != NULL)
		next_queue++;
	q->id = next_queue;
	q->next = g->queues;
	g->queues = q;
	*queue = q->id;
	return emu_release(NOE_STATUS_SUCCESS);
}

/* Acquires emu_lock and finds the graph and its queue. */
static noe_status_t
with_queue(const context_handler_t *ctx, uint64_t graph, uint32_t queue,
    struct graph **g, struct batch_queue **q)
{
	noe_status_t st;

	if ((st = emu_with_graph(ctx, graph, g)) != NOE_STATUS_SUCCESS)
		return st;
	if ((*q = find_queue(*g, queue)) == NULL)
		return emu_release(NOE_STATUS_ERROR_NO_BATCH_QUEUE);
	return NOE_STATUS_SUCCESS;
}

EMU_API noe_status_t
noe_clean_batch_queue(const context_handler_t *ctx, uint64_t graph,
    uint32_t queue)
{
	struct graph *g;
	struct batch_queue *q;
	noe_status_t st;

	st = with_queue(ctx, graph, queue, &g, &q);
	if (st != NOE_STATUS_SUCCESS)
		return st;
	remove_queue(g, q);
	return emu_release(NOE_STATUS_SUCCESS);
}

EMU_API noe_status_t
noe_config_batch_dump(const context_handler_t *ctx, uint64_t graph,
    uint32_t queue, uint64_t types, job_config_dump_t *config)
{
	struct graph *g;
	struct batch_queue *q;
	noe_status_t st;

	(void)types;		/* nothing is dumped */
	st = with_queue(ctx, graph, queue, &g, &q);
	if (st != NOE_STATUS_SUCCESS)
		return st;
	if (config == NULL || config->dump_dir == NULL)
		emu_crash("config_batch_dump",
		    "the configuration or its folder is NULL");
	return emu_release(NOE_STATUS_SUCCESS);
}

/* Copies n pointers.  Returns NULL if out of memory. */
static char **
copy_pointers(char *const from[], uint32_t n)
{
	char **p = calloc(n + 1, sizeof(*p));

	if (p != NULL)
		memcpy(p, from, n * sizeof(*p));
	return p;
}

EMU_API noe_status_t
noe_add_batch(const context_handler_t *ctx, uint64_t graph, uint32_t queue,
    char *inputs[], char *outputs[])
{
	const struct cix_graph *m;
	struct emu_frame *f;
	struct graph *g;
	struct batch_queue *q;
	noe_status_t st;

	st = with_queue(ctx, graph, queue, &g, &q);
	if (st != NOE_STATUS_SUCCESS)
		return st;
	if (inputs == NULL || outputs == NULL)
		emu_crash("add_batch", "a list of buffers is NULL");
	m = graph_cix(g);
	if ((f = calloc(1, sizeof(*f))) != NULL) {
		f->in = copy_pointers(inputs, m->n_inputs);
		f->out = copy_pointers(outputs, m->n_outputs);
	}
	if (f == NULL || f->in == NULL || f->out == NULL) {
		free_frame(f);
		return emu_release(NOE_STATUS_ERROR_BUF_ALLOC_FAIL);
	}
	*q->last = f;
	q->last = &f->next;
	return emu_release(NOE_STATUS_SUCCESS);
}

/* Runs one frame through job j.  As in the library, a frame whose job ends in
 * an exception is skipped: its outputs are not written, and the status is 0. */
static noe_status_t
run_job(struct emu_job *j, const struct emu_frame *f)
{
	const struct cix_graph *m = graph_cix(j->graph);
	noe_status_t st = NOE_STATUS_SUCCESS;

	for (uint32_t i = 0; i < m->n_inputs && st == NOE_STATUS_SUCCESS; i++)
		st = job_load(j, i, f->in[i]);
	if (st != NOE_STATUS_SUCCESS)
		return st;
	if (j->removed)		/* unloaded while its inputs were copied */
		return NOE_STATUS_ERROR_INVALID_GRAPH_ID;
	st = job_infer(j->graph->ctx, j, -1);
	if (st == NOE_STATUS_ERROR_JOB_EXCEPTION)
		return NOE_STATUS_SUCCESS;
	for (uint32_t i = 0; i < m->n_outputs && st == NOE_STATUS_SUCCESS;
	    i++)
		st = f->out[i] == NULL ? NOE_STATUS_ERROR_NULL_PTR :
		    job_get(j, CIX_OUTPUT, i, f->out[i]);
	return st;
}

static noe_status_t
run_frame(struct graph *g, const struct emu_frame *f,
    const job_config_t *config)
{
	struct emu_job *j = NULL;
	noe_status_t st;

	st = job_create("finish_batch", g, config, EMU_NO_FAULT, &j);
	if (j == NULL)
		return st;
	hold_job(j);
	if (st == NOE_STATUS_SUCCESS)
		st = run_job(j, f);
	if (!j->removed)
		remove_job(j);
	release_job(j);
	return st;
}

EMU_API noe_status_t
noe_finish_batch(const context_handler_t *ctx, uint64_t graph,
    uint32_t queue, job_config_t *config)
{
	struct emu_frame *frames;
	struct context *c;
	struct graph *g;
	struct batch_queue *q;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	emu_release(st);
	st = with_queue(ctx, graph, queue, &g, &q);
	if (config == NULL || config->conf_j_npu == NULL) {
		if (st == NOE_STATUS_SUCCESS)
			emu_release(st);
		return NOE_STATUS_ERROR_NULL_PTR;
	}
	if (st != NOE_STATUS_SUCCESS)
		return st;
	frames = q->frames;	/* detached, as the lock will be released */
	q->frames = NULL;
	q->last = &q->frames;
	hold_graph(g);
	for (struct emu_frame *f = frames; f != NULL; f = f->next)
		if ((st = run_frame(g, f, config)) != NOE_STATUS_SUCCESS ||
		    g->ctx == NULL)
			break;
	free_frames(frames);
	release_graph(g);
	return emu_release(st);
}
