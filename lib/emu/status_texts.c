// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

#include "emu/api.h"

/* Our own texts.  As in 2.0.2, 0x25 and 0x26 have no text (noe-abi 4.3). */
static const char *const texts[NOE_STATUS_MAX + 1] = {
	[NOE_STATUS_SUCCESS] = "Success",
	[NOE_STATUS_ERROR_NULL_PTR] = "An argument is a null pointer",
	[NOE_STATUS_ERROR_INVALID_CTX] = "No such context is open",
	[NOE_STATUS_ERROR_OPEN_DEV_FAIL] = "The device cannot be opened",
	[NOE_STATUS_ERROR_DEV_ABNORMAL] = "The device is not in order",
	[NOE_STATUS_ERROR_DEINIT_FAIL] = "The context cannot be closed",
	[NOE_STATUS_ERROR_INVALID_CONFIG] = "A configuration is not valid",
	[NOE_STATUS_ERROR_UNKNOWN_BIN] = "The kind of the model is not known",
	[NOE_STATUS_ERROR_GVERSION_UNSUPPORTED] =
	    "The model's format version is not supported",
	[NOE_STATUS_ERROR_INVALID_GBIN] = "The model is damaged",
	[NOE_STATUS_ERROR_TARGET_NOT_FOUND] =
	    "The model was compiled for another NPU",
	[NOE_STATUS_ERROR_INVALID_GRAPH_ID] = "No such graph is loaded",
	[NOE_STATUS_ERROR_OPEN_FILE_FAIL] = "A file cannot be opened",
	[NOE_STATUS_ERROR_MAP_FILE_FAIL] = "A file cannot be mapped",
	[NOE_STATUS_ERROR_READ_FILE_FAIL] = "A file cannot be read",
	[NOE_STATUS_ERROR_WRITE_FILE_FAIL] = "A file cannot be written",
	[NOE_STATUS_ERROR_INVALID_JOB_ID] = "No such job",
	[NOE_STATUS_ERROR_JOB_EXCEPTION] = "The job ended in an exception",
	[NOE_STATUS_ERROR_JOB_TIMEOUT] = "The job was ended for its time",
	[NOE_STATUS_ERROR_OP_NOT_SUPPORTED] = "The call is not supported",
	[NOE_STATUS_ERROR_INVALID_OP] = "The call is not allowed now",
	[NOE_STATUS_ERROR_INVALID_SIZE] = "A size is not valid",
	[NOE_STATUS_ERROR_BUF_ALLOC_FAIL] = "There is not enough memory",
	[NOE_STATUS_ERROR_BUF_FREE_FAIL] = "Memory cannot be given back",
	[NOE_STATUS_ERROR_INVALID_CORE_ID] = "No such core",
	[NOE_STATUS_ERROR_RESERVE_SRAM_FAIL] =
	    "On-chip memory cannot be reserved",
	[NOE_STATUS_ERROR_INVALID_TENSOR_ID] = "No such tensor",
	[NOE_STATUS_ERROR_INVALID_CLUSTER_ID] = "No such cluster",
	[NOE_STATUS_ERROR_INVALID_PARTITION_ID] =
	    "No such partition",
	[NOE_STATUS_ERROR_PRINTF_FAIL] = "A job's printed text is not there",
	[NOE_STATUS_ERROR_INVALID_TENSOR_TYPE] =
	    "No such kind of tensor",
	[NOE_STATUS_ERROR_INVALID_GM] = "The on-chip memory is not valid",
	[NOE_STATUS_ERROR_INVALID_SEGMMU] =
	    "The address translation is not valid",
	[NOE_STATUS_ERROR_INVALID_QOS] = "No such QoS level",
	[NOE_STATUS_ERROR_INVALID_TENSOR_CNT] =
	    "The number of tensors is not valid",
	[NOE_STATUS_ERROR_TIMEOUT] = "Nothing happened in the time given",
	[NOE_STATUS_ERROR_NO_BATCH_QUEUE] = "No such batch queue",
	[NOE_STATUS_ERROR_DMABUF_SHARED_IO] =
	    "A shared buffer cannot be used for the tensor",
	[NOE_STATUS_ERROR_GET_SHAPE_FAILED] = "A shape cannot be read",
	[NOE_STATUS_ERROR_SET_SHAPE_FAILED] = "A shape cannot be set",
	[NOE_STATUS_ERROR_NOT_CONFIG_SHAPE] = "A shape was not configured",
	[NOE_STATUS_ERROR_UNMATCH_OUT_SHAPE] =
	    "An output's shape does not fit",
	[NOE_STATUS_ERROR_ZERO_TENSOR_SIZE] = "A tensor has no bytes",
	[NOE_STATUS_ERROR_ALLOC_GRIP_ID] = "No grid id left",
	[NOE_STATUS_ERROR_ALLOC_GROUP_ID] = "No group id left",
	[NOE_STATUS_ERROR_NOT_FOUND_IN_HASHTABLE] =
	    "A constant is missing in the hash table",
	[NOE_STATUS_ERROR_INVALID_COREDUMP] = "A core dump is not valid",
	[NOE_STATUS_ERROR_JOB_DISPATCH_FAIL] =
	    "The job could not be scheduled",
	[NOE_STATUS_MAX] = "No call returns this",
};

EMU_API noe_status_t
noe_get_error_message(const context_handler_t *ctx, noe_status_t status,
    const char **msg)
{
	struct context *c;
	noe_status_t st;

	if (msg == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	*msg = "";
	if ((unsigned)status <= NOE_STATUS_MAX && texts[status] != NULL)
		*msg = texts[status];
	return emu_release(NOE_STATUS_SUCCESS);
}
