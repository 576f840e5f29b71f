// SPDX-License-Identifier: Apache-2.0
/* device.c - the five functions that replace the system's. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/xdna/device.h"
#include "emu/xdna/execute.h"
#include "emu/xdna/fault.h"

static struct {
	int fd;			/* represents the node; -1: closed */
	int flags;
	const struct xemu_kernel *kernel;
	const struct xemu_device *device;
} node = { .fd = -1 };

static int
fail(int number)
{
	errno = number;
	return -1;
}

/* Opens the node.  Any path names it, but it can be open only once at a
 * time. */
static int
open_node(const char *path, int flags)
{
	int number;

	(void)path;
	if (node.fd >= 0)
		return fail(EBUSY);
	if (!xemu_read_fault())
		return fail(EINVAL);
	node.kernel = xemu_kernel();
	node.device = xemu_device();
	if (node.kernel == NULL || node.device == NULL)
		return fail(EINVAL);
	if ((number = xemu_fault(false)) != 0)
		return fail(number);
	if ((node.fd = open("/dev/null", flags)) < 0)
		return -1;
	node.flags = flags;
	xemu_begin_memory(node.kernel);
	xemu_begin_contexts(node.kernel, node.device);
	return node.fd;
}

static int
close_node(int fd)
{
	if (fd == node.fd) {
		xemu_free_contexts();
		xemu_free_bos();
		xemu_forget_stream();
		xemu_forget_fault();
		node.fd = -1;
	}
	return close(fd);
}

/* ---- Calls ------------------------------------------------------------- */

static int
answer_version(struct xdna_version *v)
{
	static const char name[] = XDNA_DRIVER;
	uint64_t n = sizeof(name) - 1;

	v->major = v->minor = v->patch = 0;
	if (v->name_n > 0 && v->name == 0)
		return EFAULT;
	if (v->name_n > 0)
		memcpy((void *)(uintptr_t)v->name, name, v->name_n < n ?
		    v->name_n : n);
	v->name_n = n;
	v->date_n = v->description_n = 0;
	return 0;
}

/* Answers GET_INFO.  A buffer of another size is EINVAL: Linux 6.14 would write
 * past the end of a smaller buffer. */
static int
answer_info(const struct xdna_get_info *g)
{
	const struct xemu_device *d = node.device;
	const struct xdna_aie aie = { .columns = d->columns, .rows = d->rows,
	    .major = 2, .shim = { .count = 1 },
	    .memory = { .count = d->memory_rows, .start = 1 },
	    .core = { .count = d->core_rows, .start = d->memory_rows + 1u } };

	if (g->param != XDNA_INFO_AIE)
		return EOPNOTSUPP;
	if (g->size != sizeof(aie))
		return EINVAL;
	if (g->buffer == 0)
		return EFAULT;
	memcpy((void *)(uintptr_t)g->buffer, &aie, sizeof(aie));
	return 0;
}

static int
answer(unsigned long request, void *arg)
{
	switch (request) {
	case XDNA_VERSION: return answer_version(arg);
	case XDNA_GEM_CLOSE: return xemu_close_bo(arg);
	case XDNA_TIMELINE_WAIT: return xemu_wait(arg);
	case XDNA_CREATE_HWCTX: return xemu_create_context(arg);
	case XDNA_DESTROY_HWCTX: return xemu_destroy_context(arg);
	case XDNA_CONFIG_HWCTX: return xemu_configure(arg);
	case XDNA_CREATE_BO: return xemu_create_bo(arg);
	case XDNA_GET_BO_INFO: return xemu_bo_info(arg);
	case XDNA_SYNC_BO: return xemu_sync_bo(arg);
	case XDNA_EXEC_CMD: return xemu_exec(arg);
	case XDNA_GET_INFO: return answer_info(arg);
	case XDNA_WAIT_CMD:
		return node.kernel->has_wait_cmd ? xemu_wait_cmd(arg) : EINVAL;
	/* For a call that a DRM driver lacks, it returns EINVAL, not ENOTTY. */
	default: return EINVAL;
	}
}

static int
node_ioctl(int fd, unsigned long request, void *arg)
{
	int number;

	if (fd < 0 || fd != node.fd)
		return fail(fd < 0 ? EBADF : ENOTTY);
	if ((number = xemu_fault(false)) == 0)
		number = arg == NULL ? EFAULT : answer(request, arg);
	return number == 0 ? 0 : fail(number);
}

/* ---- Mappings ---------------------------------------------------------- */

static int
check_mapping(size_t n, int protection, int flags, uint64_t offset,
    struct xemu_bo **bo)
{
	if ((flags & MAP_SHARED) == 0)
		return EINVAL;
	if ((protection & PROT_WRITE) != 0 &&
	    (node.flags & O_ACCMODE) != O_RDWR)
		return EACCES;
	return xemu_map_bo(offset, n, bo);
}

static void *
map_node(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	struct xemu_bo *b = NULL;
	int number = xemu_fault(true);
	void *p;

	if (number == 0 && fd >= 0 && fd == node.fd)
		number = check_mapping(n, protection, flags, (uint64_t)offset,
		    &b);
	if (number != 0) {
		errno = number;
		return MAP_FAILED;
	}
	if (b == NULL)
		return mmap(at, n, protection, flags, fd, offset);
	p = mmap(at, n, protection, (flags & ~MAP_SHARED) | MAP_PRIVATE |
	    MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED)
		xemu_mapped(b, p, n);
	return p;
}

static int
unmap_node(void *p, size_t n)
{
	xemu_unmapped(p, n);
	return munmap(p, n);
}

extern const struct xdna_calls xdna_emulated
    __attribute__((visibility("default")));
const struct xdna_calls xdna_emulated = {
	open_node, node_ioctl, map_node, unmap_node, close_node,
};
