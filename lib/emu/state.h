/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts, graphs and jobs: their ids, and counts of those who hold them.  No
 * id finds an object that was removed; it is freed when nobody holds it.
 *
 * One lock, emu_lock, guards every table, list, count and state here and in
 * device.c.  It is never held during a copy of tensor data, an inference or a
 * sleep: these work on an object that is held (hold_job()) and so stays.
 */
#ifndef EMU_STATE_H
#define EMU_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/cix.h"
#include "noe_abi.h"

/* The vendor's internal states.  get_job_status() returns 3 unchanged, although
 * it means COREDUMP in the public enumeration (noe-abi 4.9). */
enum job_state {
	JOB_NONE = 0,		/* create_job failed after registration */
	JOB_DONE = 1,
	JOB_EXCEPTION = 2,
	JOB_IDLE = 3,
	JOB_SCHEDULED = 4,
	JOB_BOUND = 5,		/* by the debugger calls */
	JOB_COREDUMP = 6,
};

struct batch_queue;
struct shared_use;
struct engine;

struct emu_job {
	struct emu_job *next;	/* of its graph, by rising id */
	struct graph *graph;	/* held */
	uint64_t id;
	enum job_state state;
	unsigned refs;
	bool removed;		/* cleaned */
	uint8_t *memory;	/* inputs, then outputs: graph->offset */
	struct shared_use *shared;	/* those in share buffers; NULL: none */
	/* Stops its computation, when it is removed. */
	void (*cancel)(struct emu_job *j);
};

struct graph {
	struct graph *next;	/* of its context, by rising id */
	struct context *ctx;	/* only while it is loaded */
	uint64_t id;
	unsigned refs;
	bool poison;		/* without a known magic (noe-abi 1.2) */
	struct cix_model model;	/* model.graphs[0] runs */
	struct engine *engine;	/* what its jobs compute; owned */
	size_t *offset;		/* of each input and output in job memory */
	size_t memory;		/* bytes of a job */
	uint8_t *spare;		/* memory of the last job that was freed, for
				   the next one */
	struct emu_job *jobs;
	struct batch_queue *queues;	/* owned */
	/* Frees it and all that it owns, when nobody holds it any more. */
	void (*destroy)(struct graph *g);
};

struct context {
	struct context *next;
	uint32_t handle;
	unsigned refs;
	bool removed;		/* closed */
	bool own_thread;	/* poll_in_commit_thread: noe-abi 4.9 */
	struct graph *graphs;
};

extern pthread_mutex_t emu_lock;
/* Graphs loaded in all contexts; read at exit, where the lock may be held. */
extern atomic_uint emu_loaded, emu_poisoned;

/* ---- With emu_lock held ----------------------------------------------- */

/* 0, NULL_PTR or INVALID_CTX. */
noe_status_t find_context(const context_handler_t *ctx, struct context **c);
/* 0 or INVALID_GRAPH_ID; the low half of id is ignored. */
noe_status_t find_graph(struct context *c, uint64_t id, struct graph **g);
/* 0 or INVALID_JOB_ID. */
noe_status_t find_job(struct context *c, uint64_t id, struct emu_job **j);

/* Adds a context under the highest handle that is free; NULL without memory. */
struct context *add_context(void);
bool no_contexts(void);
/* Removes its graphs, too.  A thread that waits may still hold it. */
void remove_context(struct context *c);
struct context *hold_context(struct context *c);
void release_context(struct context *c);

/* Adds g under the lowest id that is free; c owns the caller's hold. */
void add_graph(struct context *c, struct graph *g);
/* Removes its jobs, removes it from its context and releases it. */
void remove_graph(struct graph *g);

/* Adds a job under the lowest id that is free; NULL without memory.  It has no
 * memory for tensors yet: job_alloc_memory(). */
struct emu_job *add_job(struct graph *g, void (*cancel)(struct emu_job *j));
/* Removes it from its graph.  The device may still hold it. */
void remove_job(struct emu_job *j);

struct emu_job *hold_job(struct emu_job *j);
void release_job(struct emu_job *j);
struct graph *hold_graph(struct graph *g);
void release_graph(struct graph *g);

/* The part of g's model that runs. */
static inline const struct cix_graph *
graph_cix(const struct graph *g)
{
	return &g->model.graphs[0];
}

#endif
