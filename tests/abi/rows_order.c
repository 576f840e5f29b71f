// SPDX-License-Identifier: Apache-2.0
/* An unknown context together with an id that cannot exist: which of the two
 * errors is reported (noe-abi 4). */
#include "abi.h"

static void
stale_ctx_no_graph(struct world *w)
{
	stale_ctx(w);
	no_graph(w);
}

static void
stale_ctx_other_graph(struct world *w)
{
	stale_ctx(w);
	w->graph = (uint64_t)9 << 32;
}

static void
stale_ctx_no_job(struct world *w)
{
	stale_ctx(w);
	no_job(w);
}

/* The graph's own id, whose low bits do not contain a job's number. */
static void
stale_ctx_graphs_id(struct world *w)
{
	stale_ctx(w);
	w->job = w->graph;
}

static void
stale_ctx_no_data(struct world *w)
{
	stale_ctx(w);
	no_data(w);
}

static void
graphs_id(struct world *w)
{
	w->job = w->graph;
}

static void
dump_nothing(struct world *w)
{
	stale_ctx_no_job(w);
	w->index = 1;
	w->data = NULL;
}

#define OF_GRAPH(call, st) \
	{ #call ": unknown handle, graph 0", GRAPH, stale_ctx_no_graph, \
	    call_##call, st, NULL, NULL }, \
	{ #call ": unknown handle, unknown graph", GRAPH, \
	    stale_ctx_other_graph, call_##call, 2, NULL, NULL }
#define OF_JOB(call, st) \
	{ #call ": unknown handle, job 0", JOB, stale_ctx_no_job, \
	    call_##call, st, NULL, NULL }, \
	{ #call ": unknown handle, a graph's id", JOB, stale_ctx_graphs_id, \
	    call_##call, st, NULL, NULL }

static const struct row rows[] = {
	OF_GRAPH(create_job, 0xb),
	OF_GRAPH(get_tensor_count, 0xb),
	OF_GRAPH(get_tensor_descriptor, 0xb),
	OF_GRAPH(create_batch_queue, 0xb),
	OF_GRAPH(clean_batch_queue, 0xb),
	OF_GRAPH(config_batch_dump, 0xb),
	OF_GRAPH(add_batch, 0xb),
	OF_GRAPH(finish_batch, 2),
	OF_GRAPH(unload_graph, 2),
	OF_JOB(clean_job, 0x10),
	OF_JOB(job_infer_sync, 0x10),
	OF_JOB(job_infer_async, 0x10),
	OF_JOB(get_job_status, 0x10),
	OF_JOB(load_tensor, 0x10),
	OF_JOB(get_tensor, 0x10),
	OF_JOB(specify_iobuf, 0x10),
	OF_JOB(debugger_bind_job, 2),
	OF_JOB(debugger_run_job, 2),
	{ "config_job: unknown handle, job 0", JOB, dump_nothing,
	    call_config_job, 0x10, NULL, NULL },
	{ "clean_job: a graph's id", JOB, graphs_id, call_clean_job, 0x10,
	    NULL, NULL },
	{ "create_job: unknown handle, job NULL", GRAPH, stale_ctx_no_data,
	    call_create_job, 1, NULL, NULL },
	{ "get_error_message: unknown handle, msg NULL", CTX,
	    stale_ctx_no_data, call_get_error_message, 1, NULL, NULL },
};

TABLE(order_rows, rows);
