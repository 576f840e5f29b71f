// SPDX-License-Identifier: Apache-2.0
/* Jobs: noe-abi 4.7 to 4.10 and 4.11. */
#include <string.h>
#include <unistd.h>

#include "emu/api.h"
#include "emu/device.h"
#include "emu/job.h"
#include "emu/message.h"
#include "emu/shared.h"
#include "emu/tensors.h"

/* ---- Creating and cleaning -------------------------------------------- */

/* Checks a configuration in the library's order. */
static noe_status_t
check_config(const char *call, const job_config_t *config)
{
	const job_config_npu_t *npu;

	if (config == NULL)
		emu_crash(call, "config is NULL");	/* noe-abi 1.4 */
	if ((npu = config->conf_j_npu) == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	if (npu->partition_id > emu_settings.partitions) {
		emu_noise_error("no such partition: %u", npu->partition_id);
		return NOE_STATUS_ERROR_INVALID_PARTITION_ID;
	}
	if (npu->qos_level > 1) {
		emu_noise_error("no such QoS level: %u", npu->qos_level);
		return NOE_STATUS_ERROR_INVALID_QOS;
	}
	/* An off-by-one error of the library: it accepts this number, then
	 * throws. */
	if (npu->partition_id == emu_settings.partitions)
		emu_crash(call,		/* noe-abi 4.7 */
		    "partition %u of %u (0 is the first)",
		    npu->partition_id, emu_settings.partitions);
	return NOE_STATUS_SUCCESS;
}

noe_status_t
job_create(const char *call, struct graph *g, const job_config_t *config,
    enum emu_fault fault, struct emu_job **j)
{
	noe_status_t st;

	if ((st = check_config(call, config)) != NOE_STATUS_SUCCESS)
		return st;
	if (graph_cix(g)->deferred != 0)
		emu_crash(call, "the graph was damaged when it was loaded: %s",
		    cix_check_text(graph_cix(g)->deferred)); /* noe-abi 4.10 */
	/* Registered before it has buffers: if they fail, the job stays. */
	if ((*j = add_job(g, device_cancel)) == NULL)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	if (fault == EMU_GRID) {
		emu_noise_error("no grid id left");
		return NOE_STATUS_ERROR_ALLOC_GRIP_ID;
	}
	if (fault != EMU_NO_FAULT || device_lost() || !job_alloc_memory(*j))
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	return NOE_STATUS_SUCCESS;
}

EMU_API noe_status_t
noe_create_job(const context_handler_t *ctx, uint64_t graph, uint64_t *job,
    job_config_t *config)
{
	enum emu_fault fault = emu_begin_call(EMU_CREATE);
	struct emu_job *j = NULL;
	struct graph *g;
	noe_status_t st;

	if (job == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	if ((st = emu_with_graph(ctx, graph, &g)) != NOE_STATUS_SUCCESS)
		return st;
	if (g->id != graph)
		return emu_release(NOE_STATUS_ERROR_INVALID_GRAPH_ID);
	st = job_create("create_job", g, config, fault, &j);
	if (j != NULL)
		*job = j->id;
	return emu_release(st);
}

EMU_API noe_status_t
noe_clean_job(const context_handler_t *ctx, uint64_t job)
{
	struct context *c;
	struct graph *g;
	struct emu_job *j;
	noe_status_t st;

	emu_begin_call(EMU_CLEAN);
	if (ctx != NULL && !emu_may_be_job(job))
		return NOE_STATUS_ERROR_INVALID_JOB_ID;
	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if ((st = find_graph(c, job, &g)) != NOE_STATUS_SUCCESS)
		return emu_release(st);
	/* A job that does not exist counts as cleaned. */
	if (find_job(c, job, &j) == NOE_STATUS_SUCCESS)
		remove_job(j);
	return emu_release(NOE_STATUS_SUCCESS);
}

/* Returns whether the dump folder is missing, by the test of 2.0.2: any
 * existing file counts as a folder, and so does NULL. */
static bool
folder_missing(const job_config_dump_t *dump)
{
	return dump->dump_dir != NULL && access(dump->dump_dir, F_OK) != 0;
}

EMU_API noe_status_t
noe_config_job(const context_handler_t *ctx, uint64_t job, uint64_t types,
    void *config)
{
	const uint64_t known = NOE_JOB_CONFIG_TYPE_DUMP_ALL |
	    NOE_CONFIG_TYPE_SIMULATION;
	struct context *c;
	struct emu_job *j;
	noe_status_t st;

	if ((st = emu_with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	if (types == 0 || (types & ~known) != 0)
		return emu_release(NOE_STATUS_ERROR_INVALID_CONFIG);
	/* The emulator dumps nothing. */
	if ((types & NOE_JOB_CONFIG_TYPE_DUMP_ALL) != 0 && config != NULL &&
	    folder_missing(config))
		return emu_release(NOE_STATUS_ERROR_INVALID_CONFIG);
	return emu_release(NOE_STATUS_SUCCESS);
}

/* Returns the index of an input or output among all tensors of j, or -1. */
static int64_t
place_of(const struct emu_job *j, tensor_type_t type, uint32_t tensor)
{
	const struct cix_graph *m = graph_cix(j->graph);

	if (type == NOE_TENSOR_TYPE_INPUT && tensor < m->n_inputs)
		return tensor;
	if (type == NOE_TENSOR_TYPE_OUTPUT && tensor < m->n_outputs)
		return (int64_t)m->n_inputs + tensor;
	return -1;
}

static noe_status_t
share(struct emu_job *j, const shared_tensor_info_npu_t *s)
{
	int64_t place = place_of(j, s->type, s->tensor_idx);
	noe_status_t st;

	if (place < 0)
		return NOE_STATUS_ERROR_INVALID_TENSOR_ID;
	switch (s->shared_case_type) {
	case NOE_SHARE_BUF_DMABUF:
	case NOE_SHARE_BUF_ATTACH_DMABUF:
		return NOE_STATUS_ERROR_DEV_ABNORMAL;	/* as without such a
							 * driver */
	case NOE_SHARE_BUF_IN_ONE_PROCESS:
	case NOE_SHARE_BUF_CUSTOMED:
		break;
	default:
		return NOE_STATUS_ERROR_INVALID_OP;
	}
	/* The job is in flight, or another thread copies to it. */
	if (j->refs > 1 || j->memory == NULL)
		return NOE_STATUS_ERROR_INVALID_OP;
	st = shared_place(j, (uint32_t)place, s->pa,
	    s->shared_case_type == NOE_SHARE_BUF_CUSTOMED);
	if (st == NOE_STATUS_ERROR_SET_SHARED_TENSOR)
		emu_message("noe_specify_iobuf: address 0x%llx is in no share "
		    "buffer, or has not the room there: the vendor's library "
		    "takes it, and the device uses memory that is not its own",
		    (unsigned long long)s->pa);
	return st;
}

EMU_API noe_status_t
noe_specify_iobuf(const context_handler_t *ctx, uint64_t job,
    shared_tensor_info_t *info)
{
	struct context *c;
	struct emu_job *j;
	noe_status_t st;

	if ((st = emu_with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	if (info == NULL || info->st_npu == NULL)
		emu_crash("specify_iobuf",	/* noe-abi 4.15 */
		    "the buffer is NULL");
	return emu_release(share(j, info->st_npu));
}

/* ---- Running ---------------------------------------------------------- */

static bool
may_run(const struct emu_job *j)
{
	return j->state == JOB_IDLE || j->state == JOB_DONE ||
	    j->state == JOB_COREDUMP;
}

noe_status_t
job_infer(struct context *c, struct emu_job *j, int32_t timeout)
{
	noe_status_t st;
	int64_t more;
	enum emu_fault fault = emu_call_fault(EMU_INFER, &more);

	if (j->state == JOB_BOUND)	/* measured, not explained: tests/abi */
		return NOE_STATUS_ERROR_JOB_EXCEPTION;
	if (!may_run(j))
		return NOE_STATUS_ERROR_INVALID_OP;
	hold_context(c);	/* it may be closed during the computation */
	st = device_submit(j, fault, more);
	while (st == NOE_STATUS_SUCCESS) {
		st = device_wait(c, timeout > 0 ? timeout : -1);
		if (timeout > 0 || j->state != JOB_SCHEDULED || j->removed)
			break;
	}
	release_context(c);
	if (st != NOE_STATUS_SUCCESS)
		return st;
	/* Another job of this thread may have ended instead.  The library then
	 * reports an exception, although the job continues (tests/abi). */
	return j->state == JOB_DONE ? NOE_STATUS_SUCCESS :
	    NOE_STATUS_ERROR_JOB_EXCEPTION;
}

EMU_API noe_status_t
noe_job_infer_sync(const context_handler_t *ctx, uint64_t job,
    int32_t timeout_ms)
{
	struct context *c;
	struct emu_job *j;
	noe_status_t st;

	if ((st = emu_with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	hold_job(j);
	st = job_infer(c, j, timeout_ms);
	release_job(j);
	return emu_release(st);
}

EMU_API noe_status_t
noe_job_infer_async(const context_handler_t *ctx, uint64_t job,
    job_callback_func_t callback)
{
	enum emu_fault fault;
	struct context *c;
	struct emu_job *j;
	noe_status_t st;
	int64_t more;

	(void)callback;		/* never called: noe-abi 1.5 */
	if ((st = emu_with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	fault = emu_call_fault(EMU_INFER, &more);
	hold_job(j);
	if (may_run(j))
		st = device_submit(j, fault, more);
	else
		st = NOE_STATUS_ERROR_INVALID_OP;
	release_job(j);
	return emu_release(st);
}

/* Returns the state that get_job_status() reports.  The internal IDLE is
 * reported unchanged, as 3. */
static job_status_t
public_status(const struct emu_job *j)
{
	switch (j->state) {
	case JOB_DONE:
	case JOB_EXCEPTION:
	case JOB_IDLE:
		return (job_status_t)j->state;
	case JOB_COREDUMP:
		return NOE_JOB_COREDUMP;
	default:
		return NOE_JOB_STATUS_NO_STATUS;
	}
}

static noe_status_t
wait_status(struct context *c, struct emu_job *j, int32_t timeout)
{
	noe_status_t st;

	if (j->state != JOB_SCHEDULED) {
		if (timeout == -1 && j->state != JOB_DONE) {
			emu_release(NOE_STATUS_SUCCESS);
			emu_hang("get_job_status");	/* noe-abi 1.7 */
		}
		return NOE_STATUS_SUCCESS;
	}
	do {
		st = device_wait(c, timeout);
	} while (st == NOE_STATUS_SUCCESS && timeout < 0 &&
	    j->state == JOB_SCHEDULED && !j->removed);
	return st;
}

EMU_API noe_status_t
noe_get_job_status(const context_handler_t *ctx, uint64_t job,
    job_status_t *status, int32_t timeout_ms)
{
	enum emu_fault fault = emu_begin_call(EMU_STATUS);
	struct context *c;
	struct emu_job *j;
	noe_status_t st;

	if ((st = emu_with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	if (fault == EMU_TIMEOUT)
		return emu_release(NOE_STATUS_ERROR_TIMEOUT);
	if (fault == EMU_ABNORMAL) {
		emu_noise_error("query job status [fail]");
		return emu_release(NOE_STATUS_ERROR_DEV_ABNORMAL);
	}
	hold_job(j);
	st = wait_status(c, j, timeout_ms);
	if (st == NOE_STATUS_SUCCESS) {
		if (status == NULL)
			emu_crash("get_job_status",	/* noe-abi 4.9 */
			    "status is NULL");
		*status = public_status(j);
	}
	release_job(j);
	return emu_release(st);
}

/* ---- Tensors ---------------------------------------------------------- */

noe_status_t
job_load(struct emu_job *j, uint32_t tensor, const void *data)
{
	const struct cix_tensor *t;

	if (data == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	t = graph_tensor(j->graph, CIX_INPUT, tensor);
	if (t == NULL || j->state == JOB_NONE)
		return NOE_STATUS_ERROR_INVALID_TENSOR_ID;
	if (j->state == JOB_SCHEDULED || j->state == JOB_EXCEPTION)
		return NOE_STATUS_ERROR_INVALID_OP;
	hold_job(j);
	emu_release(NOE_STATUS_SUCCESS);
	memcpy(job_copied(j, tensor), data, t->desc.size);
	emu_acquire();
	release_job(j);
	return NOE_STATUS_SUCCESS;
}

EMU_API noe_status_t
noe_load_tensor(const context_handler_t *ctx, uint64_t job, uint32_t tensor,
    const void *data)
{
	struct context *c;
	struct emu_job *j;
	noe_status_t st;

	emu_begin_call(EMU_LOAD);
	if ((st = emu_with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	return emu_release(job_load(j, tensor, data));
}

noe_status_t
job_get(struct emu_job *j, uint32_t kind, uint32_t tensor, void *data)
{
	const struct cix_tensor *t = graph_tensor(j->graph, kind, tensor);

	if (t == NULL)
		return NOE_STATUS_ERROR_INVALID_TENSOR_ID;
	hold_job(j);
	emu_release(NOE_STATUS_SUCCESS);
	if (kind == CIX_INPUT)
		memcpy(data, job_copied(j, tensor), t->desc.size);
	else if (kind == CIX_OUTPUT)
		memcpy(data, job_copied(j, graph_cix(j->graph)->n_inputs +
		    tensor), t->desc.size);
	else
		memset(data, 0, t->desc.size);	/* no dumps */
	emu_acquire();
	release_job(j);
	return NOE_STATUS_SUCCESS;
}

EMU_API noe_status_t
noe_get_tensor(const context_handler_t *ctx, uint64_t job,
    tensor_type_t type, uint32_t tensor, void *data)
{
	struct context *c;
	struct emu_job *j;
	noe_status_t st;

	emu_begin_call(EMU_GET);
	if ((st = emu_with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	if (data == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	if (j->state != JOB_DONE || tensor_kind(type) < 0)
		return emu_release(NOE_STATUS_ERROR_INVALID_OP);
	if (type == NOE_TENSOR_TYPE_PRINTF)
		emu_crash("get_tensor",		/* noe-abi 4.8 */
		    "type 3 (printf) is asked for");
	return emu_release(job_get(j, (uint32_t)tensor_kind(type), tensor,
	    data));
}
