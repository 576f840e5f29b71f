// SPDX-License-Identifier: Apache-2.0
/* Contexts, texts, topology: noe-abi 4.1 to 4.3, 4.12, 4.14, 4.15. */
#include <string.h>

#include "abi.h"

#define NODEV(errno_) "FAKEAIPU_OPEN_ERRNO=" #errno_ \
	" NPU_EMU_FAULT=init:1:nodevice"
#define ABNORMAL(knob) knob " NPU_EMU_FAULT=init:1:abnormal"

/* Returns 0 if the handle cannot be seen. */
static uint32_t
handle_of(const context_handler_t *ctx)
{
	return noe.opaque ? 0 : ctx->handle;
}

static int
first_handle(struct world *w)
{
	int st = call_init_context(w);

	must(w, noe.opaque || handle_of(w->ctx) == 0xffffffff,
	    "the first handle");
	return st;
}

/* The first context is closed, and its handle is the highest free handle. */
static int
handle_again(struct world *w)
{
	context_handler_t *first = w->ctx;
	uint32_t handle = handle_of(first);
	int st;

	must(w, call_init_context(w) == 0, "a second context");
	must(w, noe.deinit_context(first) == 0, "deinit_context");
	st = call_init_context(w);
	must(w, handle_of(w->ctx) == handle, "the first handle again");
	return st;
}

static int
second_context(struct world *w)
{
	uint32_t first = handle_of(w->ctx);
	int st = call_init_context(w);

	must(w, noe.opaque || handle_of(w->ctx) == first - 1,
	    "handles count down");
	return st;
}

static int
failed_init(struct world *w)
{
	static context_handler_t other;
	int st;

	w->ctx = &other;
	st = call_init_context(w);
	must(w, w->ctx == NULL, "*ctx is NULL after a failure");
	return st;
}

static int
init_again(struct world *w)
{
	must(w, call_deinit_context(w) == 0, "deinit_context");
	return call_init_context(w);
}

/* Uses a copy of the handle, because the first call frees the object. */
static int
deinit_twice(struct world *w)
{
	static context_handler_t copy;

	copy = *w->ctx;
	must(w, call_deinit_context(w) == 0, "the first deinit_context");
	w->ctx = &copy;
	return call_deinit_context(w);
}

static int
graph_after_deinit(struct world *w)
{
	must(w, init_again(w) == 0, "a second context");
	return call_get_tensor_count(w);
}

static int
other_context_stays(struct world *w)
{
	context_handler_t *first = w->ctx;

	must(w, call_init_context(w) == 0, "a second context");
	must(w, call_deinit_context(w) == 0, "deinit_context");
	w->ctx = first;
	return call_get_partition_count(w);
}

static int
graph_of_other_context(struct world *w)
{
	must(w, call_init_context(w) == 0, "a second context");
	return call_get_tensor_count(w);
}

/* Every status except 0x25 and 0x26 has a text. */
static int
every_text(struct world *w)
{
	static const uint8_t codes[] = {
#define X(name, number) number,
		NOE_STATUSES(X)
#undef X
	};
	int st;

	for (size_t i = 0; i < sizeof(codes); i++) {
		w->index = codes[i];
		if ((st = call_get_error_message(w)) != 0)
			return st;
		must(w, w->count == (codes[i] != 0x25 && codes[i] != 0x26),
		    "every code but 0x25 and 0x26 has a text");
	}
	return 0;
}

static int
has_text(struct world *w)
{
	int st = call_get_error_message(w);

	must(w, w->count == 1, "a text");
	return st;
}

static int
empty_text(struct world *w)
{
	int st = call_get_error_message(w);

	must(w, w->count == 0, "the text is empty");
	return st;
}

static void code_25(struct world *w) { w->index = 0x25; }
static void code_26(struct world *w) { w->index = 0x26; }
static void code_38(struct world *w) { w->index = 0x38; }
static void code_unknown(struct world *w) { w->index = 0x1234; }
static void index_1(struct world *w) { w->index = 1; }
static void index_9(struct world *w) { w->index = 9; }
static void cluster_1(struct world *w) { w->queue = 1; }
static void cluster_2(struct world *w) { w->queue = 2; }

static int
one_partition(struct world *w)
{
	int st = call_get_partition_count(w);

	must(w, w->count == 1, "1 partition");
	return st;
}

static int
two_partitions(struct world *w)
{
	int st = call_get_partition_count(w);

	must(w, w->count == 2, "2 partitions");
	return st;
}

static int
one_cluster(struct world *w)
{
	int st = call_get_cluster_count(w);

	must(w, w->count == 1, "1 cluster");
	return st;
}

static int
three_cores(struct world *w)
{
	int st = call_get_core_count(w);

	must(w, w->count == 3, "3 cores");
	return st;
}

static int
one_core(struct world *w)
{
	int st = call_get_core_count(w);

	must(w, w->count == 1, "1 core");
	return st;
}

static int
no_cores(struct world *w)
{
	int st = call_get_core_count(w);

	must(w, w->count == 0, "0 cores");
	return st;
}

static int
target_name(struct world *w)
{
	int st = call_get_target(w);

	must(w, without_nul(w->data, "X2_1204MP3"), "X2_1204MP3, no NUL");
	return st;
}

static int
target_of_one_core(struct world *w)
{
	int st = call_get_target(w);

	must(w, without_nul(w->data, "X2_1204"), "X2_1204, no NUL");
	return st;
}

static void freq_4(struct world *w) { w->index = 4; }
static void freq_minus(struct world *w) { w->index = (uint32_t)-1; }

static void
hw_null(struct world *w)
{
	w->index = NOE_CONFIG_TYPE_HW;
	w->data = NULL;
}

static void
simulation_null(struct world *w)
{
	w->index = NOE_CONFIG_TYPE_SIMULATION;
	w->data = NULL;
}

static void bits_none(struct world *w) { w->index = 0; w->data = NULL; }
static void bits_off(struct world *w) { w->index = 0x1000; w->data = NULL; }
static void bits_on(struct world *w) { w->index = 0x2000; w->data = NULL; }
static void bits_left(struct world *w) { w->index = 0x4000; }
static void bits_dump(struct world *w) { w->index = 0x1; }

static void
hw_config(struct world *w)
{
	static noe_global_config_hw_t hw = { true, true };

	w->index = NOE_CONFIG_TYPE_HW;
	w->data = &hw;
}

static void
hw_off(struct world *w)
{
	hw_config(w);
	w->index |= 0x1000;
}

/* The buffer does not hold either configuration, because it is not read. */
static void
hw_simulation(struct world *w)
{
	w->index = NOE_CONFIG_TYPE_HW | NOE_CONFIG_TYPE_SIMULATION;
}

static void
hw_simulation_null(struct world *w)
{
	hw_simulation(w);
	w->data = NULL;
}

static const struct row rows[] = {
	{ "init_context: opens the device", NOTHING, NULL, first_handle, 0,
	    NULL, NULL },
	{ "init_context: ctx NULL", NOTHING, no_data, call_init_context, 1,
	    NULL, NULL },
	{ "init_context: no device node", NOTHING, NULL, failed_init, 3,
	    NULL, NODEV(2) },
	{ "init_context: no permission", NOTHING, NULL, failed_init, 3,
	    NULL, NODEV(13) },
	{ "init_context: device busy", NOTHING, NULL, failed_init, 3,
	    NULL, NODEV(16) },
	{ "init_context: capability query fails", NOTHING, NULL,
	    call_init_context, 4, NULL, ABNORMAL("FAKEAIPU_FAIL_NR=0") },
	{ "init_context: partition query fails", NOTHING, NULL,
	    call_init_context, 4, NULL, ABNORMAL("FAKEAIPU_FAIL_NR=1") },
	{ "init_context: no partitions", NOTHING, NULL, call_init_context, 4,
	    NULL, "FAKEAIPU_PARTS=0 NPU_EMU_PARTITIONS=0" },
	{ "init_context: no on-chip memory", NOTHING, NULL,
	    call_init_context, 4, NULL, ABNORMAL("FAKEAIPU_GM=0") },
	{ "init_context: a second one in the process", CTX, NULL,
	    second_context, 0, NULL, NULL },
	{ "init_context: again after deinit", CTX, NULL, init_again, 0, NULL,
	    NULL },
	{ "init_context: a free handle is used again", CTX, NULL,
	    handle_again, 0, NULL, NULL },
	{ "deinit_context: closes the device", CTX, NULL,
	    call_deinit_context, 0, NULL, NULL },
	{ "deinit_context: ctx NULL", CTX, no_ctx, call_deinit_context, 1,
	    NULL, NULL },
	{ "deinit_context: unknown handle", CTX, stale_ctx,
	    call_deinit_context, 2, NULL, NULL },
	{ "deinit_context: twice", CTX, NULL, deinit_twice, 2, NULL,
	    NULL },
	{ "deinit_context: with a graph loaded", GRAPH, NULL,
	    call_deinit_context, 0, NULL, NULL },
	{ "deinit_context: with a job", READY, NULL, call_deinit_context, 0,
	    NULL, NULL },
	{ "deinit_context: forgets its graphs", GRAPH, NULL,
	    graph_after_deinit, 0xb, NULL, NULL },
	{ "deinit_context: leaves another context alone", CTX, NULL,
	    other_context_stays, 0, NULL, NULL },
	{ "get_tensor_count: graph of another context", GRAPH, NULL,
	    graph_of_other_context, 0xb, NULL, NULL },

	{ "get_error_message: every code", CTX, NULL, every_text, 0, NULL,
	    NULL },
	{ "get_error_message: 0x25 is empty", CTX, code_25, empty_text, 0,
	    NULL, NULL },
	{ "get_error_message: 0x26 is empty", CTX, code_26, empty_text, 0,
	    NULL, NULL },
	{ "get_error_message: 0x38, the end of the enum", CTX, code_38,
	    has_text, 0, NULL, NULL },
	{ "get_error_message: unknown code is empty", CTX, code_unknown,
	    empty_text, 0, NULL, NULL },
	{ "get_error_message: msg NULL", CTX, no_data, call_get_error_message,
	    1, NULL, NULL },
	{ "get_error_message: ctx NULL", CTX, no_ctx, call_get_error_message,
	    1, NULL, NULL },
	{ "get_error_message: unknown handle", CTX, stale_ctx,
	    call_get_error_message, 2, NULL, NULL },

	{ "get_partition_count: one", CTX, NULL, one_partition, 0, NULL,
	    NULL },
	{ "get_partition_count: two", CTX, NULL, two_partitions, 0, NULL,
	    "FAKEAIPU_PARTS=2 NPU_EMU_PARTITIONS=2" },
	{ "get_partition_count: NULL", CTX, no_data, call_get_partition_count,
	    1, NULL, NULL },
	{ "get_partition_count: ctx NULL", CTX, no_ctx,
	    call_get_partition_count, 1, NULL, NULL },
	{ "get_partition_count: unknown handle", CTX, stale_ctx,
	    call_get_partition_count, 2, NULL, NULL },
	{ "get_cluster_count: one", CTX, NULL, one_cluster, 0, NULL, NULL },
	{ "get_cluster_count: bad partition", CTX, index_1,
	    call_get_cluster_count, 0x14, NULL, NULL },
	{ "get_cluster_count: NULL", CTX, no_data, call_get_cluster_count, 1,
	    NULL, NULL },
	{ "get_cluster_count: ctx NULL", CTX, no_ctx, call_get_cluster_count,
	    1, NULL, NULL },
	{ "get_cluster_count: unknown handle", CTX, stale_ctx,
	    call_get_cluster_count, 2, NULL, NULL },
	{ "get_core_count: three", CTX, NULL, three_cores, 0, NULL, NULL },
	{ "get_core_count: one", CTX, NULL, one_core, 0, NULL,
	    "FAKEAIPU_CORES=1 NPU_EMU_CORES=1" },
	{ "get_core_count: bad partition", CTX, index_9, no_cores, 0x1c,
	    NULL, NULL },
	{ "get_core_count: partition 1 of 1", CTX, index_1,
	    call_get_core_count, CRASHES, NULL, NULL },
	{ "get_core_count: cluster 1 of 1", CTX,
	    cluster_1, no_cores, 0x14, NULL, NULL },
	{ "get_core_count: cluster 2 of 1", CTX, cluster_2, no_cores, 0x1b,
	    NULL, NULL },
	{ "get_core_count: cluster 1 of 2", CTX, cluster_1,
	    call_get_core_count, 0, NULL,
	    "FAKEAIPU_CLUSTERS=2 NPU_EMU_CLUSTERS=2" },
	{ "get_core_count: NULL", CTX, no_data, call_get_core_count, 1, NULL,
	    NULL },
	{ "get_core_count: ctx NULL", CTX, no_ctx, call_get_core_count, 1,
	    NULL, NULL },
	{ "get_core_count: unknown handle", CTX, stale_ctx,
	    call_get_core_count, 2, NULL, NULL },
	{ "get_target: X2_1204MP3", CTX, fill, target_name, 0, NULL, NULL },
	{ "get_target: a device with one core", CTX, fill, target_of_one_core,
	    0, NULL, "FAKEAIPU_CORES=1 NPU_EMU_CORES=1" },
	{ "get_target: NULL", CTX, no_data, call_get_target, CRASHES, NULL,
	    NULL },
	{ "get_target: ctx NULL", CTX, no_ctx, call_get_target, 1, NULL,
	    NULL },
	{ "get_target: unknown handle", CTX, stale_ctx, call_get_target, 2,
	    NULL, NULL },

	{ "set_freq: index 4", CTX, freq_4, call_set_freq, 6, NULL, NULL },
	{ "set_freq: index -1", CTX, freq_minus, call_set_freq, 6, NULL,
	    NULL },
	{ "set_freq: no devfreq file", CTX, NULL, call_set_freq, 3, NULL,
	    NULL },
	{ "set_freq: needs no context", NOTHING, NULL, call_set_freq, 3, NULL,
	    NULL },

	{ "config_global: HW", CTX, hw_config, call_config_global, 0, NULL,
	    NULL },
	{ "config_global: HW, config NULL", CTX, hw_null, call_config_global,
	    1, NULL, NULL },
	{ "config_global: simulation, config NULL", CTX, simulation_null,
	    call_config_global, 1, NULL, NULL },
	{ "config_global: no bits", CTX, bits_none, call_config_global, 0,
	    NULL, NULL },
	{ "config_global: version check off", CTX, bits_off,
	    call_config_global, 0, NULL, NULL },
	{ "config_global: version check on", CTX, bits_on,
	    call_config_global, 0, NULL, NULL },
	{ "config_global: HW, version check off", CTX, hw_off,
	    call_config_global, 0, NULL, NULL },
	{ "config_global: HW and simulation", CTX, hw_simulation,
	    call_config_global, 6, NULL, NULL },
	{ "config_global: HW and simulation, config NULL", CTX,
	    hw_simulation_null, call_config_global, 1, NULL, NULL },
	{ "config_global: bits left over", CTX, bits_left,
	    call_config_global, 6, NULL, NULL },
	{ "config_global: a job's dump bit", CTX, bits_dump,
	    call_config_global, 6, NULL, NULL },
	{ "config_global: ctx NULL", CTX, no_ctx, call_config_global, 1, NULL,
	    NULL },
	{ "config_global: unknown handle", CTX, stale_ctx,
	    call_config_global, 2, NULL, NULL },
};

TABLE(context_rows, rows);
