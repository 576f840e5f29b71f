// SPDX-License-Identifier: Apache-2.0
/* explain_run.c - messages of xdna-run, which are in cmd/xdna-run,
 * lib/device/xdna and lib/model/txn*.c. */
#include <errno.h>

#include "diagnose/xclbin/explain.h"

#define STREAM "xclbin-check FILE --insts=INSTS  # an instruction stream " \
	"belongs to one build of one file"
#define MACHINE "xclbin-check  # says what this machine lacks"
#define COLUMNS "xclbin-check FILE  # has both numbers; build the design for " \
	"this NPU"
#define HOLDERS "fuser -v /dev/accel/*  # shows who holds the NPU"
#define ENDED "the NPU did not complete the command"
#define WAITS "the stream waits for what does not come"
#define HELD "other programs hold the columns or contexts of the NPU"

const struct explain_row explain_run[] = {
	/* The stream and the container. */
	{ "it belongs to another build", 0, { "insts", "the instruction stream "
	    "needs buffers or columns that the file does not have", STREAM } },
	{ "the stream is for *, and this device is", 0, { "insts", "the "
	    "instruction stream is for NPUs of another generation",
	    "xclbin-check FILE --insts=INSTS  # build the design for this "
	    "NPU" } },
	{ "the stream is for *, which has * columns", 0, { "insts", "the file "
	    "needs more columns than the NPU that the stream is for",
	    STREAM } },
	{ "is not known: the buffers after it cannot be read from the stream",
	    0, { "insts", "the stream has an operation that these programs do "
	    "not know", "xdna-run --buffers=in:N,out:N FILE INSTS  # says "
	    "what the stream then cannot" } },
	{ "only kernels that take (opcode, instr*", 0, { "kernel", "the kernel "
	    "takes other arguments than an instruction stream and buffers",
	    "xclbin-info FILE  # lists the arguments" } },
	{ "no kernel is called '", 0, { "kernel", "the file has no kernel of "
	    "this name", "xclbin-info FILE  # lists the names" } },
	{ "the container needs * columns, the device has", 0, { "partition",
	    "the file needs more columns than this NPU has", COLUMNS } },
	{ "do not fit into the heap of", 0, { "pdi", "the PDI and the "
	    "instruction stream are larger than the NPU's heap of 64 MiB",
	    "xclbin-info FILE  # shows the PDIs" } },

	/* The machine. */
	{ "no device node: sudo modprobe amdxdna", 0, { "node", "the node "
	    "is missing: the driver is not loaded, or this container was not "
	    "given the node", MACHINE } },
	{ "this is not the node of an NPU", 0, { "node", "the node belongs to "
	    "another device", "ls -l /dev/accel  # --node names another" } },
	{ "the driver '*' has this node, not amdxdna", 0, { "node", "the node "
	    "belongs to another driver", "ls -l /dev/accel  # --node names "
	    "another" } },
	{ "needs user-mode queues, which xdna-run does not have", 0, {
	    "device", "the NPU is npu3 or newer, which needs another "
	    "interface", MACHINE } },
	{ "the emulated device cannot execute a PDI", 0, { "call", "no NPU is "
	    "used, and nothing says what the kernel computes",
	    "xdna-run --twin=copy FILE INSTS  # or a kernel that npu-ref "
	    "--help lists" } },
	{ "xdna-run: *: CREATE_HWCTX: ", EINVAL, { "partition", "the file "
	    "needs more columns than this NPU has, or the firmware refuses "
	    "the heap", COLUMNS } },
	{ "xdna-run: *: CREATE_HWCTX: ", ENOENT, { "partition", HELD,
	    HOLDERS } },
	{ "xdna-run: *: CREATE_HWCTX: ", ENOSPC, { "partition", HELD,
	    HOLDERS } },
	{ "xdna-run: *: CREATE_HWCTX: ", EBUSY, { "partition", HELD,
	    HOLDERS } },
	{ "xdna-run: *: mmap: ", EAGAIN, { "limits", "too little memory may be "
	    "locked", "ulimit -l  # raise memlock in /etc/security/limits.d, "
	    "or docker run --ulimit memlock=-1" } },

	/* Commands. */
	{ "the command ended in state", 0, { "insts", ENDED, STREAM } },
	{ "the command ended in state *(TIMEOUT)", 0, { "insts", WAITS,
	    STREAM } },
	{ "the command did not end within", 0, { "insts", WAITS, STREAM } },
};

const size_t explain_run_rows = sizeof(explain_run) / sizeof(*explain_run);
