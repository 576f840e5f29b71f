// SPDX-License-Identifier: Apache-2.0
/* Making and cleaning jobs: noe-abi 4.7, 4.10. */
#include <stdlib.h>

#include "abi.h"

static void no_config(struct world *w) { w->config.conf_j_npu = NULL; }
static void partition_1(struct world *w) { w->npu.partition_id = 1; }
static void partition_2(struct world *w) { w->npu.partition_id = 2; }
static void qos_1(struct world *w) { w->npu.qos_level = 1; }
static void qos_2(struct world *w) { w->npu.qos_level = 2; }

static int
config_null(struct world *w)
{
	return noe.create_job(w->ctx, w->graph, &w->job, NULL);
}

static int
ids(struct world *w)
{
	int st = call_create_job(w);

	must(w, w->job == (w->graph | 1), "the first is graph | 1");
	if (st == 0)
		st = create_another(w);
	must(w, w->job2 == (w->graph | 2), "the second is graph | 2");
	return st;
}

static int
lowest_id(struct world *w)
{
	uint64_t first = w->job;

	must(w, create_another(w) == 0, "a second job");
	must(w, call_clean_job(w) == 0, "clean_job");
	must(w, call_create_job(w) == 0, "a third job");
	must(w, w->job == first, "the first id again");
	return 0;
}

static int
three_hundred(struct world *w)
{
	int st = 0;

	for (int i = 0; i < 300 && st == 0; i++)
		st = call_create_job(w);
	return st;
}

static int
until_full(struct world *w)
{
	int st = 0;

	for (int i = 0; i < 10000 && st == 0; i++)
		st = call_create_job(w);
	return st;
}

/* From now on the driver does not allocate memory. */
static void no_memory(struct world *w)
{
	(void)w;
	setenv("FAKEAIPU_FAIL_NR", "2", 1);
}

static void
failed(struct world *w)
{
	must(w, call_create_job(w) == 0x33, "create_job fails");
}

static int
to_nowhere(struct world *w)
{
	w->data = NULL;
	return call_create_job(w);
}

/* If noe_create_job() fails late, the job is still registered. */
static int
failed_but_there(struct world *w)
{
	w->job = 0;
	must(w, call_create_job(w) != 0, "create_job fails");
	must(w, w->job == (w->graph | 1), "*job was written");
	return call_clean_job(w);
}

static int
status_is(struct world *w, int expected)
{
	int st = call_get_job_status(w);

	must(w, (int)w->status == expected, "the status");
	return st;
}

static int status_is_none(struct world *w) { return status_is(w, 0); }

static int
clean_twice(struct world *w)
{
	must(w, call_clean_job(w) == 0, "the first clean_job");
	return call_clean_job(w);
}

static int
clean_after_unload(struct world *w)
{
	must(w, call_unload_graph(w) == 0, "unload_graph");
	return call_clean_job(w);
}

#define NO_GRID "FAKEAIPU_FAIL_NR=21 NPU_EMU_FAULT=create:1:grid"
#define AN_HOUR "FAKEAIPU_DELAY_MS=3600000 NPU_EMU_INFER_MS=3600000"

static const struct row rows[] = {
	{ "create_job: ids are graph | 1, graph | 2", GRAPH, NULL, ids, 0,
	    NULL, NULL },
	{ "create_job: the lowest free id", JOB, NULL, lowest_id, 0, NULL,
	    NULL },
	{ "create_job: config NULL", GRAPH, NULL, config_null, CRASHES, NULL,
	    NULL },
	{ "create_job: conf_j_npu NULL", GRAPH, no_config, call_create_job,
	    1, NULL, NULL },
	{ "create_job: job NULL", GRAPH, no_data, call_create_job, 1, NULL,
	    NULL },
	{ "create_job: graph 0", GRAPH, no_graph, call_create_job, 0xb, NULL,
	    NULL },
	{ "create_job: graph 0xffffffff", GRAPH, small_graph,
	    call_create_job, 0xb, NULL, NULL },
	{ "create_job: low bits are not ignored", GRAPH, graph_low_bits,
	    call_create_job, 0xb, NULL, NULL },
	{ "create_job: unloaded graph", GRAPH, unloaded, call_create_job,
	    0xb, NULL, NULL },
	{ "create_job: partition 1 of 1", GRAPH, partition_1,
	    call_create_job, CRASHES, NULL, NULL },
	{ "create_job: partition 1 of 2", GRAPH, partition_1,
	    call_create_job, 0, NULL,
	    "FAKEAIPU_PARTS=2 NPU_EMU_PARTITIONS=2" },
	{ "create_job: partition 2 of 1", GRAPH, partition_2,
	    call_create_job, 0x1c, NULL, NULL },
	{ "create_job: qos level 1", GRAPH, qos_1, call_create_job, 0, NULL,
	    NULL },
	{ "create_job: qos level 2", GRAPH, qos_2, call_create_job, 0x21,
	    NULL, NULL },
	{ "create_job: 300 jobs of one graph", GRAPH, NULL, three_hundred, 0,
	    NULL, NULL },
	{ "create_job: until device memory is full", GRAPH, NULL, until_full,
	    0x16, NULL, "FAKEAIPU_MEM_MB=1 NPU_EMU_FAULT=create:20:nomem" },
	{ "create_job: out of memory, but registered", GRAPH, no_memory,
	    failed_but_there, 0, NULL, "NPU_EMU_FAULT=create:1:nomem" },
	{ "get_job_status: a job whose create failed", GRAPH, failed,
	    status_is_none, 0, NULL, NO_GRID },
	{ "load_tensor: a job whose create failed", GRAPH, failed,
	    call_load_tensor, 0x1a, NULL, NO_GRID },
	{ "job_infer_sync: a job whose create failed", GRAPH, failed,
	    call_job_infer_sync, 0x14, NULL, NO_GRID },
	{ "get_tensor: a job whose create failed", GRAPH, failed,
	    call_get_tensor, 0x14, NULL, NO_GRID },
	{ "create_job: no grid id", GRAPH, NULL, call_create_job, 0x33, NULL,
	    NO_GRID },
	{ "create_job: graph 0, config NULL", GRAPH, no_graph, config_null,
	    0xb, NULL, NULL },
	{ "create_job: job NULL, graph 0", GRAPH, no_graph, to_nowhere, 1,
	    NULL, NULL },
	{ "create_job: no grid id, but registered", GRAPH, NULL,
	    failed_but_there, 0, NULL,
	    NO_GRID },
	{ "create_job: ctx NULL", GRAPH, no_ctx, call_create_job, 1, NULL,
	    NULL },
	{ "create_job: unknown handle", GRAPH, stale_ctx, call_create_job, 2,
	    NULL, NULL },

	{ "clean_job: never run", JOB, NULL, call_clean_job, 0, NULL, NULL },
	{ "clean_job: done", DONE, NULL, call_clean_job, 0, NULL, NULL },
	{ "clean_job: twice", DONE, NULL, clean_twice, 0, NULL, NULL },
	{ "clean_job: in flight", FLYING, NULL, call_clean_job, 0, NULL,
	    AN_HOUR },
	{ "clean_job: job 0", JOB, no_job, call_clean_job, 0x10, NULL, NULL },
	{ "clean_job: job 0xffffffff", JOB, small_job, call_clean_job, 0x10,
	    NULL, NULL },
	{ "clean_job: unknown job", JOB, unknown_job, call_clean_job, 0, NULL,
	    NULL },
	{ "clean_job: graph unloaded", JOB, NULL, clean_after_unload, 0xb,
	    NULL, NULL },
	{ "clean_job: buffers cannot be freed", DONE, NULL, call_clean_job, 0,
	    NULL, "FAKEAIPU_FAIL_NR=3" },
	{ "clean_job: ctx NULL", JOB, no_ctx, call_clean_job, 1, NULL, NULL },
	{ "clean_job: unknown handle", JOB, stale_ctx, call_clean_job, 2,
	    NULL, NULL },
};

TABLE(job_rows, rows);
