// SPDX-License-Identifier: Apache-2.0
/* open.c - opens the device node, and loads a job with its context. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "device/xdna/impl.h"

/* ---- The system's calls ------------------------------------------------ */

static int
kernel_open(const char *path, int flags)
{
	return open(path, flags);
}

static int
kernel_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

const struct xdna_calls xdna_kernel = {
	kernel_open, kernel_ioctl, mmap, munmap, close,
};

/* ---- The node ---------------------------------------------------------- */

static int
open_node(struct xdna *x, const char *node, struct npu_err *err)
{
	do
		x->fd = x->calls->open(node, O_RDWR | O_CLOEXEC);
	while (x->fd < 0 && xdna_again(x));
	if (x->fd >= 0)
		return 0;
	if (errno == EINTR)
		return npu_fail(err, NPU_ESTOPPED, "stopped");
	return xdna_refused(x, "open", errno, err);
}

static int
check_driver(struct xdna *x, struct npu_err *err)
{
	char name[32] = "";
	struct xdna_version v = { .name_n = sizeof(name) - 1,
	    .name = (uintptr_t)name };
	int rc;

	if ((rc = xdna_call(x, XDNA_VERSION, &v, "VERSION", err)) < 0)
		return rc;
	if (strcmp(name, XDNA_DRIVER) != 0)
		return npu_fail(err, NPU_ENODEV, "the driver '%s' has this "
		    "node, not " XDNA_DRIVER "; --node names another", name);
	return 0;
}

static int
ask_device(struct xdna *x, struct npu_err *err)
{
	struct xdna_aie aie = { .column_size = 0 };
	struct xdna_get_info g = { .param = XDNA_INFO_AIE,
	    .size = sizeof(aie), .buffer = (uintptr_t)&aie };
	int rc;

	if ((rc = xdna_call(x, XDNA_GET_INFO, &g, "GET_INFO", err)) < 0)
		return rc;
	if (aie.columns == 0 || aie.core.count == 0)
		return npu_fail(err, NPU_ENODEV, "the driver reports %u "
		    "columns with %u rows of cores; see dmesg", aie.columns,
		    aie.core.count);
	x->device = (struct xdna_device){ .columns = aie.columns,
	    .core_rows = aie.core.count };
	return 0;
}

int
xdna_open(struct xdna **out, const struct xdna_calls *calls,
    const char *node, const volatile sig_atomic_t *stop, struct npu_err *err)
{
	struct xdna *x = calloc(1, sizeof(*x));
	int rc;

	if (x == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	x->calls = calls;
	x->stop = stop;
	/* The driver gives memory to the device only in this order. */
	if ((rc = open_node(x, node, err)) < 0 ||
	    (rc = check_driver(x, err)) < 0 ||
	    (rc = xdna_make_heap(x, err)) < 0 ||
	    (rc = ask_device(x, err)) < 0) {
		xdna_close(x);
		return rc;
	}
	*out = x;
	return 0;
}

const struct xdna_device *
xdna_describe(const struct xdna *x)
{
	return &x->device;
}

/* ---- A job ------------------------------------------------------------- */

static int
make_context(struct xdna *x, struct npu_err *err)
{
	struct xdna_qos qos = { 0 };
	struct xdna_create_hwctx c = { .qos = (uintptr_t)&qos,
	    .operations = x->job.operations,
	    .tiles = x->job.columns * x->device.core_rows };
	int rc;

	if ((rc = xdna_call(x, XDNA_CREATE_HWCTX, &c, "CREATE_HWCTX",
	    err)) < 0)
		return rc;
	x->hwctx = c.handle;
	x->syncobj = c.syncobj;
	return 0;
}

static int
configure(struct xdna *x, struct npu_err *err)
{
	struct xdna_cus cus = { .n = 1, .bo = x->pdi.handle,
	    .function = x->job.function };
	struct xdna_config_hwctx c = { .handle = x->hwctx,
	    .value = (uintptr_t)&cus, .size = sizeof(cus) };

	return xdna_call(x, XDNA_CONFIG_HWCTX, &c, "CONFIG_HWCTX", err);
}

static int
make_buffers(struct xdna *x, struct npu_err *err)
{
	int rc;

	for (unsigned i = 0; i < x->job.buffers; i++) {
		const struct xdna_buffer *b = &x->job.buffer[i];

		if (b->bytes > 0 && (rc = xdna_make_memory(x, &x->buffer[i],
		    XDNA_BO_SHMEM, b->bytes, err)) < 0)
			return rc;
	}
	return 0;
}

static bool
fits(const struct xdna_job *j, const struct xdna_register *r)
{
	return r->at <= j->registers && r->size <= j->registers - r->at;
}

/* Refuses a job that does not fit into a command, or into the heap. */
static int
check_job(const struct xdna_job *j, struct npu_err *err)
{
	bool good = j->registers <= XDNA_REGISTERS &&
	    j->buffers <= XDNA_BUFFERS && fits(j, &j->opcode) &&
	    fits(j, &j->instr) && fits(j, &j->ninstr);

	for (unsigned i = 0; good && i < j->buffers; i++)
		good = fits(j, &j->buffer[i].address);
	if (!good)
		return npu_fail(err, NPU_EUSAGE, "the kernel's arguments do "
		    "not fit into a command of %d bytes", XDNA_COMMAND_SIZE);
	if (j->pdi.n == 0 || j->instructions.n == 0 ||
	    j->pdi.n > XDNA_HEAP_SIZE || j->instructions.n >
	    XDNA_HEAP_SIZE - j->pdi.n)
		return npu_fail(err, NPU_EUSAGE, "the PDI of %zu bytes and "
		    "the instructions of %zu do not fit into the heap of %d",
		    j->pdi.n, j->instructions.n, XDNA_HEAP_SIZE);
	return 0;
}

int
xdna_load(struct xdna *x, const struct xdna_job *job, struct npu_err *err)
{
	int rc;

	if ((rc = check_job(job, err)) < 0)
		return rc;
	if (job->columns < 1 || job->columns > x->device.columns)
		return npu_fail(err, NPU_ENODEV, "the container needs %" PRIu32
		    " columns, the device has %" PRIu32 "; see xclbin-check",
		    job->columns, x->device.columns);
	x->job = *job;
	if ((rc = make_context(x, err)) < 0 ||
	    (rc = xdna_make_copy(x, &x->pdi, job->pdi, err)) < 0 ||
	    (rc = configure(x, err)) < 0 ||
	    (rc = xdna_make_copy(x, &x->instructions, job->instructions,
	    err)) < 0 ||
	    (rc = xdna_make_memory(x, &x->command, XDNA_BO_CMD,
	    XDNA_COMMAND_SIZE, err)) < 0)
		return rc;
	return make_buffers(x, err);
}

void *
xdna_memory(struct xdna *x, unsigned i)
{
	return x->buffer[i].p;
}

/* ---- The end ----------------------------------------------------------- */

static void
free_all(struct xdna *x)
{
	struct xdna_destroy_hwctx d = { .handle = x->hwctx };

	if (x->hwctx != 0)
		xdna_free_call(x, XDNA_DESTROY_HWCTX, &d, "DESTROY_HWCTX");
	for (unsigned i = 0; i < XDNA_BUFFERS; i++)
		xdna_free_memory(x, &x->buffer[i]);
	xdna_free_memory(x, &x->command);
	xdna_free_memory(x, &x->instructions);
	xdna_free_memory(x, &x->pdi);
	xdna_free_memory(x, &x->heap);
	/* Linux closes the descriptor even if a signal interrupts the call. */
	if (x->fd >= 0 && x->calls->close(x->fd) < 0 && errno != EINTR)
		xdna_not_freed(x, "close");
}

int
xdna_end(struct xdna *x, struct npu_err *err)
{
	int rc = 0;

	free_all(x);
	if (x->not_freed != NULL)
		rc = xdna_refused(x, x->not_freed, x->not_freed_errno, err);
	free(x);
	return rc;
}

void
xdna_close(struct xdna *x)
{
	if (x != NULL)
		xdna_end(x, NULL);
}
