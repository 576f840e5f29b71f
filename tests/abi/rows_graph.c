// SPDX-License-Identifier: Apache-2.0
/* Graphs: noe-abi 4.4 to 4.6, 4.10, 4.11. */
#include "abi.h"

/* These set the arguments that call_load_graph_helper() takes from type and
 * index. */
static void helper_no_buf(struct world *w) { w->type = (tensor_type_t)1; }
static void helper_empty(struct world *w) { w->type = (tensor_type_t)2; }
static void helper_no_config(struct world *w) { w->type = (tensor_type_t)3; }
static void helper_51(struct world *w) { w->index = 51; }
static void helper_cut(struct world *w) { w->index = 600; }
static void helper_no_npu(struct world *w) { w->gconfig.conf_g_npu = NULL; }

static void
helper_weights(struct world *w)
{
	w->gnpu.extra_weight_path = "/nonexistent/weights.bin";
}

static int
first_two_ids(struct world *w)
{
	int st = call_load_graph(w);

	must(w, w->graph == 1ull << 32, "the first id is 1 << 32");
	if (st == 0)
		st = call_load_graph(w);
	must(w, w->graph == 2ull << 32, "the second id is 2 << 32");
	return st;
}

static int
no_config(struct world *w)
{
	return noe.load_graph(w->ctx, model_path(w, w->model), &w->graph,
	    NULL);
}

static int
null_path(struct world *w)
{
	return noe.load_graph(w->ctx, NULL, &w->graph, &w->gconfig);
}

static int
missing_file(struct world *w)
{
	return noe.load_graph(w->ctx, "/nonexistent/model.cix", &w->graph,
	    NULL);
}

static int
directory(struct world *w)
{
	return noe.load_graph(w->ctx, w->models, &w->graph, NULL);
}

/* A refused load still writes an id, which is not valid. */
static int
stale_id(struct world *w)
{
	w->graph = 0;
	must(w, call_load_graph(w) != 0, "load_graph fails");
	must(w, w->graph != 0, "an id was written");
	return call_get_tensor_count(w);
}

static int
sound_one(struct world *w)
{
	w->model = "sound";
	return call_load_graph(w);
}

static int
first_id_after_refusal(struct world *w)
{
	must(w, call_load_graph(w) != 0, "load_graph fails");
	must(w, sound_one(w) == 0, "a sound one");
	must(w, w->graph == 1ull << 32, "the first id");
	return 0;
}

static int
second_id_after_magic(struct world *w)
{
	must(w, call_load_graph(w) == 8, "load_graph answers 0x8");
	must(w, sound_one(w) == 0, "a sound one");
	must(w, w->graph == 2ull << 32, "the second id");
	return 0;
}

static int
lowest_id(struct world *w)
{
	uint64_t first = w->graph;

	must(w, call_load_graph(w) == 0, "a second graph");
	must(w, noe.unload_graph(w->ctx, first) == 0, "unload the first");
	must(w, call_load_graph(w) == 0, "a third graph");
	must(w, w->graph == first, "the first id again");
	return 0;
}

static int
load_then_deinit(struct world *w)
{
	must(w, call_load_graph(w) == 8, "load_graph answers 0x8");
	return call_deinit_context(w);
}

static int
load_then_create(struct world *w)
{
	must(w, call_load_graph(w) == 0, "load_graph");
	return call_create_job(w);
}

/* Loads the model and runs a job to its end. */
static int
load_and_run(struct world *w)
{
	must(w, call_load_graph(w) == 0, "load_graph");
	must(w, call_create_job(w) == 0, "create_job");
	must(w, call_load_tensor(w) == 0, "load_tensor");
	return call_job_infer_sync(w);
}

static int
helper_and_run(struct world *w)
{
	must(w, call_load_graph_helper(w) == 0, "load_graph_helper");
	w->index = 0;
	must(w, call_create_job(w) == 0, "create_job");
	return call_job_infer_sync(w);
}

static int
unload_twice(struct world *w)
{
	must(w, call_unload_graph(w) == 0, "the first unload_graph");
	return call_unload_graph(w);
}

static int
load_again(struct world *w)
{
	must(w, call_unload_graph(w) == 0, "unload_graph");
	return call_load_graph(w);
}

static int
count_of(struct world *w, uint32_t expected)
{
	int st = call_get_tensor_count(w);

	must(w, w->count == expected, "the count");
	return st;
}

static int two(struct world *w) { return count_of(w, 2); }
static int none(struct world *w) { return count_of(w, 0); }
/* The buffer for the answer is unchanged. */
static int untouched(struct world *w) { return count_of(w, 99); }

#define TYPE(n) static void type_##n(struct world *w) \
	{ w->type = (tensor_type_t)n; }
TYPE(1) TYPE(2) TYPE(3) TYPE(4) TYPE(5) TYPE(6) TYPE(7) TYPE(8)

static void index_2(struct world *w) { w->index = 2; }
static void index_max(struct world *w) { w->index = 0xffffffff; }

/* The model sound (models.sh): inputs s8 and s32, outputs s8 and f16. */
static int
first_input(struct world *w)
{
	int st = call_get_tensor_descriptor(w);

	must(w, w->desc.id == 0 && w->desc.size == 64 &&
	    w->desc.scale == 2.0f && w->desc.zero_point == 3 &&
	    w->desc.data_type == NOE_DATA_TYPE_S8, "s8 64 scale 2 zero 3");
	return st;
}

static int
second_output(struct world *w)
{
	int st;

	w->type = NOE_TENSOR_TYPE_OUTPUT;
	w->index = 1;
	st = call_get_tensor_descriptor(w);
	must(w, w->desc.id == 1 && w->desc.size == 32 &&
	    w->desc.scale == 1.0f && w->desc.zero_point == 0 &&
	    w->desc.data_type == NOE_DATA_TYPE_F16, "f16 32 scale 1 zero 0");
	return st;
}

/* The model's second output has id 7.  Outputs are in the order of the list,
 * and the descriptor contains the requested index as id. */
static int
second_of_wild_ids(struct world *w)
{
	int st;

	w->type = NOE_TENSOR_TYPE_OUTPUT;
	w->index = 1;
	st = call_get_tensor_descriptor(w);
	must(w, w->desc.id == 1, "the index asked for");
	return st;
}

/* Types 2 to 7: the model has two dumps, and one tensor of each other type that
 * is counted. */
static int
described_types(struct world *w)
{
	static const int expected[] = { 0x1a, 0, 0, 0x1a, 0x1a, 0 };

	w->index = 0;
	for (int i = 0; i < 6; i++) {
		w->type = (tensor_type_t)(2 + i);
		must(w, call_get_tensor_descriptor(w) == expected[i],
		    "3, 4 and 7 are described, 2, 5 and 6 are not");
	}
	return 0;
}

static const struct row rows[] = {
	{ "load_graph: a sound model, ids from 1 << 32", CTX, NULL,
	    first_two_ids, 0, NULL, NULL },
	{ "load_graph: config NULL", CTX, NULL, no_config, 0, NULL, NULL },
	{ "load_graph: id NULL", CTX, no_data, call_load_graph, 1, NULL,
	    NULL },
	{ "load_graph: ctx NULL", CTX, no_ctx, call_load_graph, 1, NULL,
	    NULL },
	{ "load_graph: unknown handle", CTX, stale_ctx, call_load_graph, 2,
	    NULL, NULL },
	{ "load_graph: out of device memory", CTX, NULL, call_load_graph,
	    0x16, NULL, "FAKEAIPU_FAIL_NR=2 NPU_EMU_FAULT=graph:1:nomem" },
	{ "load_graph: path NULL", CTX, NULL, null_path, CRASHES, NULL,
	    NULL },
	{ "load_graph: missing file", CTX, NULL, missing_file, CRASHES, NULL,
	    NULL },
	{ "load_graph: directory", CTX, NULL, directory, CRASHES, NULL,
	    NULL },
#define CRASHING(text, file) \
	{ "load_graph: " text, CTX, NULL, call_load_graph, CRASHES, file, \
	    NULL }
#define ANSWERS(text, file, st) \
	{ "load_graph: " text, CTX, NULL, call_load_graph, st, file, NULL }
#define RUNS(text, file) \
	{ "load_graph: " text, CTX, NULL, load_and_run, 0, file, NULL }
	CRASHING("empty file", "empty"),
	CRASHING("six bytes of text", "text"),
	CRASHING("git-lfs pointer", "lfs-pointer"),
	CRASHING("4 KiB of zeros", "zeros"),
	CRASHING("4 KiB of noise", "noise"),
	CRASHING("bare graph ELF", "bare-elf"),
	CRASHING("container without subgraphs", "no-subgraph"),
	ANSWERS("blob is not an ELF", "graph-for-cpu", 8),
	{ "deinit_context: after load_graph's 0x8", CTX, NULL,
	    load_then_deinit, CRASHES, "graph-for-cpu", NULL },
	ANSWERS("blob is an old AIPU BIN", "graph-aipu-bin", 8),
	{ "deinit_context: after an AIPU BIN", CTX, NULL, load_then_deinit,
	    0, "graph-aipu-bin", NULL },
	ANSWERS("e_type is not 2", "elf-type", 9),
	ANSWERS("e_machine is not 0x29a", "elf-machine", 9),
	ANSWERS("e_version is not 1", "elf-version", 9),
	ANSWERS("blob shorter than an ELF header", "elf-51-bytes", 9),
	ANSWERS("ELF cut short", "elf-cut-half", 9),
	ANSWERS("no .text", "no-text", 9),
	ANSWERS("no .note.aipu", "no-notes", 9),
	CRASHING("note subgraphs missing", "no-subgraphs"),
	CRASHING("note fmlist missing", "no-fmlist"),
	ANSWERS("note compilermsg missing", "no-compilermsg", 0xa),
	ANSWERS("another ISA", "sound-isa-3", 0xa),
	RUNS("another configuration of ISA 5", "sound-config"),
	ANSWERS("stack size 0", "stack-size", 9),
	ANSWERS("stack align 0", "stack-align", 9),
	ANSWERS("no reuse section", "no-reuse", 9),
	CRASHING("fmlist count beyond its data", "fmlist-count"),
	ANSWERS("note rodata missing", "no-rodata", 0),
	{ "create_job: note rodata missing", CTX, NULL, load_then_create,
	    CRASHES, "no-rodata", NULL },
	ANSWERS("private data size 0", "private-data", 0),
	{ "create_job: private data size 0", CTX, NULL, load_then_create,
	    CRASHES, "private-data", NULL },
	RUNS("note remap missing", "sound-remap-missing"),
	RUNS("note weight missing", "sound-weight-missing"),
	RUNS("two subgraphs: the first one runs", "sound-two-subgraphs"),
	RUNS("tensor table empty", "sound-table-empty"),
	RUNS("tensor table contradicts the ELF", "sound-table-contradicts"),
	RUNS("tensor id beyond the count", "wild-ids"),
	{ "get_tensor_descriptor: tensor id beyond the count", GRAPH, NULL,
	    second_of_wild_ids, 0, "wild-ids", NULL },
	RUNS("sections written in reverse", "sound-reversed"),
	{ "get_tensor_descriptor: types 2 to 7 of a model that has them", GRAPH,
	    NULL, described_types, 0, "sound-kinds", NULL },
	{ "load_graph: a refused load still writes an id", CTX, NULL,
	    stale_id, 0xb, "elf-machine", NULL },

	{ "load_graph: a refused load takes no id", CTX, NULL,
	    first_id_after_refusal, 0, "elf-machine", NULL },
	{ "load_graph: a file without a known magic takes an id", CTX, NULL,
	    second_id_after_magic, 0, "graph-for-cpu", NULL },
	{ "load_graph: the lowest free id", GRAPH, NULL, lowest_id, 0, NULL,
	    NULL },

	{ "load_graph_helper: a bare graph ELF", CTX, NULL, helper_and_run, 0,
	    NULL, NULL },
	{ "load_graph_helper: config NULL", CTX, helper_no_config,
	    call_load_graph_helper, CRASHES, NULL, NULL },
	{ "load_graph_helper: conf_g_npu NULL", CTX, helper_no_npu,
	    call_load_graph_helper, 0, NULL, NULL },
	{ "load_graph_helper: weight file missing", CTX, helper_weights,
	    call_load_graph_helper, 0xc, NULL, NULL },
	{ "load_graph_helper: buf NULL", CTX, helper_no_buf,
	    call_load_graph_helper, 1, NULL, NULL },
	{ "load_graph_helper: id NULL", CTX, no_data, call_load_graph_helper,
	    1, NULL, NULL },
	{ "load_graph_helper: size 0", CTX, helper_empty,
	    call_load_graph_helper, 0x15, NULL, NULL },
	{ "load_graph_helper: 51 bytes", CTX, helper_51,
	    call_load_graph_helper, 9, NULL, NULL },
	{ "load_graph_helper: ELF cut short", CTX, helper_cut,
	    call_load_graph_helper, 9, NULL, NULL },
	{ "load_graph_helper: ctx NULL", CTX, no_ctx, call_load_graph_helper,
	    1, NULL, NULL },
	{ "load_graph_helper: unknown handle", CTX, stale_ctx,
	    call_load_graph_helper, 2, NULL, NULL },

	{ "unload_graph: a loaded graph", GRAPH, NULL, call_unload_graph, 0,
	    NULL, NULL },
	{ "unload_graph: with jobs", READY, NULL, call_unload_graph, 0, NULL,
	    NULL },
	{ "unload_graph: with a job in flight", FLYING, NULL,
	    call_unload_graph, 0, NULL,
	    "FAKEAIPU_DELAY_MS=3600000 NPU_EMU_INFER_MS=3600000" },
	{ "unload_graph: twice", GRAPH, NULL, unload_twice, 0xb, NULL, NULL },
	{ "unload_graph: id 0", GRAPH, no_graph, call_unload_graph, 0xb, NULL,
	    NULL },
	{ "unload_graph: id 0xffffffff", GRAPH, small_graph,
	    call_unload_graph, 0xb, NULL, NULL },
	{ "unload_graph: low bits are not ignored", GRAPH, graph_low_bits,
	    call_unload_graph, 0xb, NULL, NULL },
	{ "unload_graph: jobs answer 0x10 after it", READY, unloaded,
	    call_load_tensor, 0x10, NULL, NULL },
	{ "unload_graph: and load again", GRAPH, NULL, load_again, 0, NULL,
	    NULL },
	{ "unload_graph: ctx NULL", GRAPH, no_ctx, call_unload_graph, 1, NULL,
	    NULL },
	{ "unload_graph: unknown handle", GRAPH, stale_ctx,
	    call_unload_graph, 2, NULL, NULL },

	{ "get_tensor_count: inputs", GRAPH, NULL, two, 0, NULL, NULL },
	{ "get_tensor_count: outputs", GRAPH, type_1, two, 0, NULL, NULL },
	{ "get_tensor_count: dumps", GRAPH, type_2, none, 0, NULL, NULL },
	{ "get_tensor_count: printf", GRAPH, type_3, none, 0, NULL, NULL },
	{ "get_tensor_count: profiler", GRAPH, type_4, none, 0, NULL, NULL },
	{ "get_tensor_count: layer counters", GRAPH, type_5, untouched, 0x1e,
	    NULL, NULL },
	{ "get_tensor_count: error codes", GRAPH, type_6, untouched, 0x1e,
	    NULL, NULL },
	{ "get_tensor_count: output shapes", GRAPH, type_7, none, 0, NULL,
	    NULL },
	{ "get_tensor_count: unknown type", GRAPH, type_8, untouched, 0x1e,
	    NULL, NULL },
	{ "get_tensor_count: NULL", GRAPH, no_data, call_get_tensor_count, 1,
	    NULL, NULL },
	{ "get_tensor_count: id 0", GRAPH, no_graph, call_get_tensor_count,
	    0xb, NULL, NULL },
	{ "get_tensor_count: id 0xffffffff", GRAPH, small_graph,
	    call_get_tensor_count, 0xb, NULL, NULL },
	{ "get_tensor_count: low bits are ignored", GRAPH, graph_low_bits,
	    two, 0, NULL, NULL },
	{ "get_tensor_count: unloaded graph", GRAPH, unloaded,
	    call_get_tensor_count, 0xb, NULL, NULL },
	{ "get_tensor_count: ctx NULL", GRAPH, no_ctx, call_get_tensor_count,
	    1, NULL, NULL },
	{ "get_tensor_count: unknown handle", GRAPH, stale_ctx,
	    call_get_tensor_count, 2, NULL, NULL },

	{ "get_tensor_descriptor: input 0", GRAPH, NULL, first_input, 0, NULL,
	    NULL },
	{ "get_tensor_descriptor: output 1", GRAPH, NULL, second_output, 0,
	    NULL, NULL },
	{ "get_tensor_descriptor: index too large", GRAPH, index_2,
	    call_get_tensor_descriptor, 0x1a, NULL, NULL },
	{ "get_tensor_descriptor: largest index", GRAPH, index_max,
	    call_get_tensor_descriptor, 0x1a, NULL, NULL },
	{ "get_tensor_descriptor: unknown type", GRAPH, type_8,
	    call_get_tensor_descriptor, 0x1a, NULL, NULL },
	{ "get_tensor_descriptor: no dumps", GRAPH, type_2,
	    call_get_tensor_descriptor, 0x1a, NULL, NULL },
	{ "get_tensor_descriptor: NULL", GRAPH, no_data,
	    call_get_tensor_descriptor, 1, NULL, NULL },
	{ "get_tensor_descriptor: id 0", GRAPH, no_graph,
	    call_get_tensor_descriptor, 0xb, NULL, NULL },
	{ "get_tensor_descriptor: low bits are ignored", GRAPH,
	    graph_low_bits, call_get_tensor_descriptor, 0, NULL, NULL },
	{ "get_tensor_descriptor: unloaded graph", GRAPH, unloaded,
	    call_get_tensor_descriptor, 0xb, NULL, NULL },
	{ "get_tensor_descriptor: ctx NULL", GRAPH, no_ctx,
	    call_get_tensor_descriptor, 1, NULL, NULL },
	{ "get_tensor_descriptor: unknown handle", GRAPH, stale_ctx,
	    call_get_tensor_descriptor, 2, NULL, NULL },
};

TABLE(graph_rows, rows);
