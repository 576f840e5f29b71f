/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts, graphs and jobs: their ids and reference counts.  A removed object
 * is no longer found by its id; it is freed when nobody holds it any more.
 *
 * One lock, emu_lock, guards every table, list, count and state here and in
 * device.c.  It is never held during a copy of tensor data, an inference or a
 * sleep.  These work on an object that they hold (hold_job()), which therefore
 * stays.
 */
#ifndef EMU_STATE_H
#define EMU_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/cix.h"
#include "noe_abi.h"

/* The vendor's internal states.  get_job_status() returns JOB_IDLE unchanged,
 * as 3, although 3 means COREDUMP in the public enumeration (noe-abi 4.9). */
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
	struct emu_job *next;	/* in the graph, by rising id */
	struct graph *graph;	/* held */
	uint64_t id;
	enum job_state state;
	unsigned refs;
	bool removed;		/* cleaned */
	uint8_t *memory;	/* inputs, then outputs: graph->offset */
	struct shared_use *shared;	/* NULL: no share buffer is used */
	/* Stops the job's computation when the job is removed. */
	void (*cancel)(struct emu_job *j);
};

struct graph {
	struct graph *next;	/* in the context, by rising id */
	struct context *ctx;	/* valid only while it is loaded */
	uint64_t id;
	unsigned refs;
	bool poison;		/* without a known magic (noe-abi 1.2) */
	struct cix_model model;	/* model.graphs[0] runs */
	struct engine *engine;	/* what its jobs compute; owned */
	size_t *offset;		/* of inputs and outputs in a job */
	size_t memory;		/* bytes for each job */
	uint8_t *spare;		/* memory of the job freed last, for the next
				 * job */
	struct emu_job *jobs;
	struct batch_queue *queues;	/* owned */
	/* Frees the graph and all that it owns when nobody holds it any
	 * more. */
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
/* Number of loaded graphs in all contexts.  Read at exit, when the lock may be
 * held. */
extern atomic_uint emu_loaded, emu_poisoned;

/* ---- With emu_lock held ----------------------------------------------- */

/* Returns 0, NULL_PTR or INVALID_CTX. */
noe_status_t find_context(const context_handler_t *ctx, struct context **c);
/* Returns 0 or INVALID_GRAPH_ID.  Ignores the low half of id. */
noe_status_t find_graph(struct context *c, uint64_t id, struct graph **g);
/* Returns 0 or INVALID_JOB_ID. */
noe_status_t find_job(struct context *c, uint64_t id, struct emu_job **j);

/* Adds a context with the highest free handle.  Returns NULL if out of
 * memory. */
struct context *add_context(void);
bool no_contexts(void);
/* Removes c and its graphs.  A waiting thread may still hold c. */
void remove_context(struct context *c);
struct context *hold_context(struct context *c);
void release_context(struct context *c);

/* Adds g with the lowest free id; c takes over the caller's reference. */
void add_graph(struct context *c, struct graph *g);
/* Removes the graph's jobs, removes the graph from its context and releases
 * it. */
void remove_graph(struct graph *g);

/* Adds a job with the lowest free id.  Returns NULL if out of memory.  The job
 * has no memory for tensors until job_alloc_memory(). */
struct emu_job *add_job(struct graph *g, void (*cancel)(struct emu_job *j));
/* Removes j from its graph.  The device may still hold j. */
void remove_job(struct emu_job *j);

struct emu_job *hold_job(struct emu_job *j);
void release_job(struct emu_job *j);
struct graph *hold_graph(struct graph *g);
void release_graph(struct graph *g);

/* Returns the part of g's model that runs. */
static inline const struct cix_graph *
graph_cix(const struct graph *g)
{
	return &g->model.graphs[0];
}

#endif
