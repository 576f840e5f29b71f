// SPDX-License-Identifier: Apache-2.0
/* One valid call of each function, with the arguments in the world. */
#include <stdlib.h>
#include <string.h>

#include "abi.h"

static char message_room[8];

/* The device argument: 3.x needs it, 2.x ignores it (noe-abi 10). */
int
open_context(context_handler_t **ctx)
{
	noe_status_t (*init)(context_handler_t **, uint64_t);

	memcpy(&init, &noe.init_context, sizeof(init));
	return init(ctx, NOE_DEVICE_NPU);
}

int
call_init_context(struct world *w)
{
	return open_context(w->data == NULL ? NULL : &w->ctx);
}

int
call_deinit_context(struct world *w)
{
	return noe.deinit_context(w->ctx);
}

int
call_get_error_message(struct world *w)
{
	const char *text = NULL;
	int st;

	st = noe.get_error_message(w->ctx, (noe_status_t)w->index,
	    w->data == NULL ? NULL : &text);
	if (st == 0)
		must(w, text != NULL, "the text is NULL");
	memset(message_room, 0, sizeof(message_room));
	if (text != NULL)
		strncpy(message_room, text, sizeof(message_room) - 1);
	w->count = message_room[0] != '\0';
	return st;
}

int
call_config_global(struct world *w)
{
	return noe.config_global(w->ctx, w->index, w->data);
}

int
call_load_graph(struct world *w)
{
	return noe.load_graph(w->ctx, model_path(w, w->model),
	    w->data == NULL ? NULL : &w->graph, &w->gconfig);
}

/* Passes a bare graph ELF, or its first index bytes if index > 0. */
int
call_load_graph_helper(struct world *w)
{
	size_t n = w->index;
	char *elf = model_elf(w, &n);
	int st;

	st = noe.load_graph_helper(w->ctx, w->type == 1 ? NULL : elf,
	    w->type == 2 ? 0 : (uint32_t)n,
	    w->data == NULL ? NULL : &w->graph,
	    w->type == 3 ? NULL : &w->gconfig);
	free(elf);
	return st;
}

int
call_unload_graph(struct world *w)
{
	return noe.unload_graph(w->ctx, w->graph);
}

int
call_create_job(struct world *w)
{
	return noe.create_job(w->ctx, w->graph,
	    w->data == NULL ? NULL : &w->job, &w->config);
}

int
create_another(struct world *w)
{
	return noe.create_job(w->ctx, w->graph, &w->job2, &w->config);
}

int
call_clean_job(struct world *w)
{
	return noe.clean_job(w->ctx, w->job);
}

int
call_job_infer_sync(struct world *w)
{
	return noe.job_infer_sync(w->ctx, w->job, w->timeout);
}

int
call_job_infer_async(struct world *w)
{
	return noe.job_infer_async(w->ctx, w->job, NULL);
}

int
call_get_job_status(struct world *w)
{
	return noe.get_job_status(w->ctx, w->job,
	    w->data == NULL ? NULL : &w->status, w->timeout);
}

int
status_now(struct world *w)
{
	return noe.get_job_status(w->ctx, w->job, &w->status, 0);
}

int
call_load_tensor(struct world *w)
{
	return noe.load_tensor(w->ctx, w->job, w->index, w->data);
}

int
call_get_tensor(struct world *w)
{
	return noe.get_tensor(w->ctx, w->job, w->type, w->index, w->data);
}

int
call_get_tensor_count(struct world *w)
{
	return noe.get_tensor_count(w->ctx, w->graph, w->type,
	    w->data == NULL ? NULL : &w->count);
}

int
call_get_tensor_descriptor(struct world *w)
{
	return noe.get_tensor_descriptor(w->ctx, w->graph, w->type, w->index,
	    w->data == NULL ? NULL : &w->desc);
}

int
call_get_partition_count(struct world *w)
{
	return noe.get_partition_count(w->ctx,
	    w->data == NULL ? NULL : &w->count);
}

int
call_get_cluster_count(struct world *w)
{
	return noe.get_cluster_count(w->ctx, w->index,
	    w->data == NULL ? NULL : &w->count);
}

int
call_get_core_count(struct world *w)
{
	return noe.get_core_count(w->ctx, w->index, w->queue,
	    w->data == NULL ? NULL : &w->count);
}

int
call_get_target(struct world *w)
{
	return noe.get_target(w->ctx, w->data);
}

int
call_config_job(struct world *w)
{
	return noe.config_job(w->ctx, w->job, w->index, w->data);
}

int
call_specify_iobuf(struct world *w)
{
	static shared_tensor_info_npu_t npu;
	static shared_tensor_info_t info = { &npu };

	return noe.specify_iobuf(w->ctx, w->job,
	    w->data == NULL ? NULL : &info);
}

int
call_ioctl(struct world *w)
{
	return noe.ioctl(w->ctx, NOE_DEVICE_NPU, (ioctl_cmd_t)w->index,
	    w->data);
}

int
call_set_freq(struct world *w)
{
	return noe.set_freq((int)w->index);
}

int
call_debugger_bind_job(struct world *w)
{
	return noe.debugger_bind_job(w->ctx, w->index, w->job);
}

int
call_debugger_run_job(struct world *w)
{
	return noe.debugger_run_job(w->ctx, w->job);
}

int
call_create_batch_queue(struct world *w)
{
	return noe.create_batch_queue(w->ctx, w->graph,
	    w->data == NULL ? NULL : &w->queue);
}

int
call_clean_batch_queue(struct world *w)
{
	return noe.clean_batch_queue(w->ctx, w->graph, w->queue);
}

int
call_config_batch_dump(struct world *w)
{
	static job_config_dump_t dump = { ".", "", "", "" };

	return noe.config_batch_dump(w->ctx, w->graph, w->queue, 0,
	    w->data == NULL ? NULL : &dump);
}

/* The model sound has two inputs and two outputs, each smaller than room[0]. */
int
call_add_batch(struct world *w)
{
	static char room[4][4096];
	char *in[] = { room[0], room[1] }, *out[] = { room[2], room[3] };

	return noe.add_batch(w->ctx, w->graph, w->queue,
	    w->data == NULL ? NULL : in, out);
}

int
call_finish_batch(struct world *w)
{
	return noe.finish_batch(w->ctx, w->graph, w->queue,
	    w->data == NULL ? NULL : &w->config);
}
