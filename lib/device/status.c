// SPDX-License-Identifier: Apache-2.0
/* What each status of the vendor's library means to the user. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "device/noe.h"

/* Advice by status (noe-abi 4). */
static const struct {
	noe_status_t status;
	enum npu_code code;
	const char *advice;
} advices[] = {
	{ NOE_STATUS_ERROR_NULL_PTR, NPU_EDEVICE,
	    "the library was handed a null pointer; please report it" },
	{ NOE_STATUS_ERROR_INVALID_CTX, NPU_EDEVICE,
	    "the library no longer knows this context; please report it" },
	{ NOE_STATUS_ERROR_OPEN_DEV_FAIL, NPU_ENODEV,
	    "the library cannot open /dev/aipu: load the kernel driver "
	    "(modprobe aipu), or join the node's group (sudo usermod -aG npu "
	    "$USER)" },
	{ NOE_STATUS_ERROR_DEV_ABNORMAL, NPU_ENODEV,
	    "the driver answers in a way this library does not know: their "
	    "versions do not belong together (library 0.6.0 wants driver "
	    "5.11.0)" },
	{ NOE_STATUS_ERROR_DEINIT_FAIL, NPU_EDEVICE,
	    "the library could not close the device" },
	{ NOE_STATUS_ERROR_INVALID_CONFIG, NPU_EDEVICE,
	    "the library does not know this setting" },
	{ NOE_STATUS_ERROR_UNKNOWN_BIN, NPU_EDEVICE,
	    "not a model of a kind this library knows" },
	{ NOE_STATUS_ERROR_GVERSION_UNSUPPORTED, NPU_EDEVICE,
	    "the model was compiled for another generation of the library: "
	    "compile it again with the CixBuilder that belongs to it" },
	{ NOE_STATUS_ERROR_INVALID_GBIN, NPU_EDEVICE,
	    "the model file is damaged, or compiled by another release than "
	    "the library: download it or compile it again" },
	{ NOE_STATUS_ERROR_TARGET_NOT_FOUND, NPU_EDEVICE,
	    "the model was compiled for another NPU: the target for this one "
	    "is X2_1204MP3" },
	{ NOE_STATUS_ERROR_INVALID_GRAPH_ID, NPU_EDEVICE,
	    "the library no longer knows this model; please report it" },
	{ NOE_STATUS_ERROR_OPEN_FILE_FAIL, NPU_EDEVICE,
	    "the library cannot open the model file: is /proc mounted, and may "
	    "another file be opened?" },
	{ NOE_STATUS_ERROR_MAP_FILE_FAIL, NPU_EDEVICE,
	    "the library cannot map the model file" },
	{ NOE_STATUS_ERROR_READ_FILE_FAIL, NPU_EDEVICE,
	    "the library cannot read the model file, or what belongs to it" },
	{ NOE_STATUS_ERROR_INVALID_JOB_ID, NPU_EDEVICE,
	    "the library no longer knows this job; please report it" },
	{ NOE_STATUS_ERROR_JOB_EXCEPTION, NPU_EDEVICE,
	    "the NPU stopped in the middle of the model (an exception): see "
	    "the kernel log (dmesg); a model that fails every time was "
	    "probably compiled wrongly" },
	{ NOE_STATUS_ERROR_JOB_TIMEOUT, NPU_ETIMEOUT,
	    "the inference did not end in time: raise the timeout, or see the "
	    "kernel log (dmesg)" },
	{ NOE_STATUS_ERROR_OP_NOT_SUPPORTED, NPU_EDEVICE,
	    "this library does not offer that" },
	{ NOE_STATUS_ERROR_INVALID_OP, NPU_EDEVICE,
	    "the job is not in a state that allows this" },
	{ NOE_STATUS_ERROR_INVALID_SIZE, NPU_EDEVICE,
	    "the model file has a size that the library refuses" },
	{ NOE_STATUS_ERROR_BUF_ALLOC_FAIL, NPU_EDEVICE,
	    "the device is out of memory: close other programs that use the "
	    "NPU, or reserve more memory for it" },
	{ NOE_STATUS_ERROR_BUF_FREE_FAIL, NPU_EDEVICE,
	    "the device would not take its memory back" },
	{ NOE_STATUS_ERROR_INVALID_TENSOR_ID, NPU_EDEVICE,
	    "the model has no such tensor; please report it" },
	{ NOE_STATUS_ERROR_INVALID_QOS, NPU_EDEVICE,
	    "no such quality of service" },
	{ NOE_STATUS_ERROR_TIMEOUT, NPU_ETIMEOUT,
	    "the inference did not end in time: raise the timeout, or see the "
	    "kernel log (dmesg)" },
	{ NOE_STATUS_ERROR_NOT_CONFIG_SHAPE, NPU_EDEVICE,
	    "the model has dynamic shapes: compile it with static ones" },
	{ NOE_STATUS_ERROR_ZERO_TENSOR_SIZE, NPU_EDEVICE,
	    "a tensor of the model has no size: compile it with static "
	    "shapes" },
	{ NOE_STATUS_ERROR_ALLOC_GRIP_ID, NPU_EDEVICE,
	    "the driver would not give the job a place on the device: see the "
	    "kernel log (dmesg)" },
	{ NOE_STATUS_ERROR_ALLOC_GROUP_ID, NPU_EDEVICE,
	    "the driver would not give the job a group: see the kernel log "
	    "(dmesg)" },
	{ NOE_STATUS_ERROR_JOB_DISPATCH_FAIL, NPU_EDEVICE,
	    "the driver did not take the job, so it never ran: try again; if "
	    "it stays so, library and driver do not belong together" },
};

/* Advice for statuses not listed above: the last row whose number is at most
 * the status applies. */
static const struct {
	unsigned from;
	const char *advice;
} ranges[] = {
	{ 0, "see the kernel log (dmesg)" },
	{ 0x200, "the library failed without saying why: see the kernel log "
	    "(dmesg)" },
	{ 0x380, "the model asks for what this NPU does not have: compile it "
	    "again for X2_1204MP3" },
	{ 0x480, "the model ran into an error of arithmetic: check its input, "
	    "and how it was quantised" },
	{ 0x488, "see the kernel log (dmesg)" },
};

#define NRANGES (sizeof(ranges) / sizeof(*ranges))

#define NADVICES (sizeof(advices) / sizeof(*advices))

const char *
noe_status_name(noe_status_t st)
{
	switch (st) {
#define X(name, number) case NOE_STATUS_##name: return #name;
	NOE_STATUSES(X)
	NOE_MORE_STATUSES(X)
#undef X
	case NOE_STATUS_MAX:
		break;
	}
	return NULL;
}

noe_status_t
noe_ask_version(const struct noe *noe, context_handler_t *ctx,
    noe_driver_version_t *version)
{
	/* Room for a larger answer of a later library. */
	union {
		noe_driver_version_t v;
		char room[4096];
	} u;
	noe_status_t st = NOE_STATUS_ERROR_OP_NOT_SUPPORTED;

	memset(&u, 0, sizeof(u));
	if (noe->ioctl != NULL)
		st = noe->ioctl(ctx, NOE_DEVICE_NPU, NOE_IOCTL_GET_VERSION,
		    &u);
	*version = u.v;
	return st;
}

int
noe_refused(struct npu_err *err, const char *what, noe_status_t st)
{
	const char *name = noe_status_name(st), *advice = ranges[0].advice;
	enum npu_code code = NPU_EDEVICE;

	for (size_t i = 0; i < NRANGES; i++)
		if ((unsigned)st >= ranges[i].from)
			advice = ranges[i].advice;
	for (size_t i = 0; i < NADVICES; i++) {
		if (advices[i].status != st)
			continue;
		code = advices[i].code;
		advice = advices[i].advice;
	}
	return npu_fail_detail(err, code, (int)st, "%s: %s (0x%X): %s", what,
	    name != NULL ? name : "unknown status", (unsigned)st, advice);
}
