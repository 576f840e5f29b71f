// SPDX-License-Identifier: Apache-2.0
/* Batch queues: noe-abi 4.15. */
#include <string.h>

#include "abi.h"

static void
queue(struct world *w)
{
	must(w, call_create_batch_queue(w) == 0, "create_batch_queue");
}

static void
queued(struct world *w)
{
	queue(w);
	must(w, call_add_batch(w) == 0, "add_batch");
}

static void
queued_partition_2(struct world *w)
{
	queued(w);
	w->npu.partition_id = 2;
}

static void
queued_qos_2(struct world *w)
{
	queued(w);
	w->npu.qos_level = 2;
}

static void
queued_no_config(struct world *w)
{
	queued(w);
	w->config.conf_j_npu = NULL;
}

static int
queue_ids(struct world *w)
{
	must(w, call_create_batch_queue(w) == 0 && w->queue == 0, "0");
	must(w, call_create_batch_queue(w) == 0 && w->queue == 1, "1");
	must(w, noe.clean_batch_queue(w->ctx, w->graph, 0) == 0, "clean 0");
	must(w, call_create_batch_queue(w) == 0 && w->queue == 2, "2");
	return 0;
}

static uint32_t
new_queue(struct world *w, uint64_t graph)
{
	uint32_t queue = 99;

	must(w, noe.create_batch_queue(w->ctx, graph, &queue) == 0,
	    "create_batch_queue");
	return queue;
}

/* All graphs share one counter.  It advances only if the graph already has a
 * queue with that number. */
static int
queue_ids_of_two(struct world *w)
{
	uint64_t first = w->graph;

	must(w, call_load_graph(w) == 0, "a second graph");
	must(w, new_queue(w, first) == 0, "the first of the first");
	must(w, new_queue(w, first) == 1, "the second of the first");
	must(w, new_queue(w, w->graph) == 1, "the first of the second");
	must(w, noe.clean_batch_queue(w->ctx, w->graph, 1) == 0, "clean it");
	must(w, new_queue(w, w->graph) == 1, "the number again");
	must(w, new_queue(w, w->graph) == 2, "the second of the second");
	must(w, new_queue(w, first) == 2, "the third of the first");
	return 0;
}

static int
dump_nowhere(struct world *w)
{
	static job_config_dump_t none;

	return noe.config_batch_dump(w->ctx, w->graph, w->queue, 0, &none);
}

static int
two_frames(struct world *w)
{
	static char in[2][64], more[32], out[2][64], rest[32];
	int st;

	queue(w);
	for (int i = 0; i < 2; i++) {
		char *ins[] = { in[i], more }, *outs[] = { out[i], rest };

		memset(in[i], 'x' + i, sizeof(in[i]));
		must(w, noe.add_batch(w->ctx, w->graph, w->queue, ins,
		    outs) == 0, "add_batch");
	}
	st = call_finish_batch(w);
	must(w, memcmp(in, out, sizeof(in)) == 0, "both results");
	return st;
}

static void queue_99(struct world *w) { w->queue = 99; }

static void
queue_no_data(struct world *w)
{
	queue(w);
	w->data = NULL;
}

static int
clean_queue_twice(struct world *w)
{
	must(w, call_clean_batch_queue(w) == 0, "clean_batch_queue");
	return call_clean_batch_queue(w);
}

#define BOTH(call) \
	{ #call ": ctx NULL", JOB, no_ctx, call_##call, 1, NULL, NULL }, \
	{ #call ": unknown handle", JOB, stale_ctx, call_##call, 2, NULL, \
	    NULL }

static const struct row rows[] = {
	{ "create_batch_queue: one", GRAPH, NULL, call_create_batch_queue, 0,
	    NULL, NULL },
	{ "create_batch_queue: NULL", GRAPH, no_data,
	    call_create_batch_queue, CRASHES, NULL, NULL },
	{ "create_batch_queue: low bits are ignored", GRAPH, graph_low_bits,
	    call_create_batch_queue, 0, NULL, NULL },
	{ "create_batch_queue: ids count from 0", GRAPH, NULL, queue_ids, 0,
	    NULL, NULL },
	{ "create_batch_queue: ids of two graphs", GRAPH, NULL,
	    queue_ids_of_two, 0, NULL, NULL },
	{ "create_batch_queue: graph 0", GRAPH, no_graph,
	    call_create_batch_queue, 0xb, NULL, NULL },
	BOTH(create_batch_queue),
	{ "clean_batch_queue: one", GRAPH, queue, call_clean_batch_queue, 0,
	    NULL, NULL },
	{ "clean_batch_queue: twice", GRAPH, queue, clean_queue_twice, 0x24,
	    NULL, NULL },
	{ "clean_batch_queue: unknown queue", GRAPH, queue_99,
	    call_clean_batch_queue, 0x24, NULL, NULL },
	{ "clean_batch_queue: graph 0", GRAPH, no_graph,
	    call_clean_batch_queue, 0xb, NULL, NULL },
	BOTH(clean_batch_queue),
	{ "config_batch_dump: a folder", GRAPH, queue,
	    call_config_batch_dump, 0, NULL, NULL },
	{ "config_batch_dump: config NULL", GRAPH, queue_no_data,
	    call_config_batch_dump, CRASHES, NULL, NULL },
	{ "config_batch_dump: no folder", GRAPH, queue, dump_nowhere,
	    CRASHES, NULL, NULL },
	{ "config_batch_dump: unknown queue", GRAPH, queue_99,
	    call_config_batch_dump, 0x24, NULL, NULL },
	{ "config_batch_dump: graph 0", GRAPH, no_graph,
	    call_config_batch_dump, 0xb, NULL, NULL },
	BOTH(config_batch_dump),
	{ "add_batch: one frame", GRAPH, queue, call_add_batch, 0, NULL,
	    NULL },
	{ "add_batch: inputs NULL", GRAPH, queue_no_data, call_add_batch,
	    CRASHES, NULL, NULL },
	{ "add_batch: unknown queue", GRAPH, queue_99, call_add_batch, 0x24,
	    NULL, NULL },
	{ "add_batch: graph 0", GRAPH, no_graph, call_add_batch, 0xb, NULL,
	    NULL },
	BOTH(add_batch),
	{ "finish_batch: one frame", GRAPH, queued, call_finish_batch, 0,
	    NULL, NULL },
	{ "finish_batch: an empty queue", GRAPH, queue, call_finish_batch, 0,
	    NULL, NULL },
	{ "finish_batch: results in the frames' buffers", GRAPH, NULL,
	    two_frames, 0, "copy", NULL },
	{ "finish_batch: an exception is not reported", GRAPH, queued,
	    call_finish_batch, 0, NULL,
	    "FAKEAIPU_STATE=2 NPU_EMU_FAULT=infer:1:exception" },
	{ "finish_batch: not scheduled", GRAPH, queued, call_finish_batch,
	    0x37, NULL, "FAKEAIPU_FAIL_NR=6 NPU_EMU_FAULT=infer:1:schedule" },
	{ "finish_batch: partition 2 of 1", GRAPH, queued_partition_2,
	    call_finish_batch, 0x1c, NULL, NULL },
	{ "finish_batch: qos level 2", GRAPH, queued_qos_2,
	    call_finish_batch, 0x21, NULL, NULL },
	{ "finish_batch: config NULL", GRAPH, queue_no_data,
	    call_finish_batch, 1, NULL, NULL },
	{ "finish_batch: conf_j_npu NULL", GRAPH, queued_no_config,
	    call_finish_batch, 1, NULL, NULL },
	{ "finish_batch: unknown queue", GRAPH, queue_99, call_finish_batch,
	    0x24, NULL, NULL },
	{ "finish_batch: graph 0", GRAPH, no_graph, call_finish_batch, 0xb,
	    NULL, NULL },
	BOTH(finish_batch),
};

TABLE(batch_rows, rows);
