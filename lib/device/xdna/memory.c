// SPDX-License-Identifier: Apache-2.0
/* memory.c - memory that the device and the processor share. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "base/err.h"
#include "device/xdna/impl.h"

enum { PAGE = 4096 };		/* on processors with such an NPU */

static int
create(struct xdna *x, struct xdna_memory *m, enum xdna_bo type,
    uint64_t size, struct xdna_get_bo_info *info, struct npu_err *err)
{
	struct xdna_create_bo create = { .size = size, .type = type };
	int rc;

	if ((rc = xdna_call(x, XDNA_CREATE_BO, &create, "CREATE_BO",
	    err)) < 0)
		return rc;
	m->handle = create.handle;
	*info = (struct xdna_get_bo_info){ .handle = create.handle };
	if ((rc = xdna_call(x, XDNA_GET_BO_INFO, info, "GET_BO_INFO",
	    err)) < 0)
		return rc;
	m->address = info->xdna_addr;
	return 0;
}

/* ---- The heap ---------------------------------------------------------- */

/* Maps the heap at a multiple of its size, because the firmware demands that:
 * reserves twice the size, maps the heap inside, and unmaps the rest. */
static int
map_heap(struct xdna *x, uint64_t offset, struct npu_err *err)
{
	const size_t size = XDNA_HEAP_SIZE;
	uint8_t *room, *p;
	size_t before;

	room = x->calls->mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return xdna_refused(x, "mmap", errno, err);
	before = (size - (uintptr_t)room % size) % size;
	p = x->calls->mmap(room + before, size, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_FIXED, x->fd, (off_t)offset);
	if (p == MAP_FAILED) {
		int number = errno;

		x->calls->munmap(room, 2 * size);
		return xdna_refused(x, "mmap", number, err);
	}
	if (before > 0)
		x->calls->munmap(room, before);
	if (before < size)
		x->calls->munmap(p + size, size - before);
	x->heap.p = p;
	x->heap.mapped = size;
	return 0;
}

int
xdna_make_heap(struct xdna *x, struct npu_err *err)
{
	struct xdna_get_bo_info info;
	int rc;

	if ((rc = create(x, &x->heap, XDNA_BO_HEAP, XDNA_HEAP_SIZE, &info,
	    err)) < 0)
		return rc;
	return map_heap(x, info.map_offset, err);
}

/* ---- Parts of the heap, and other memory ------------------------------- */

int
xdna_make_copy(struct xdna *x, struct xdna_memory *m, struct bytes bytes,
    struct npu_err *err)
{
	struct xdna_get_bo_info info;
	uint64_t at;
	int rc;

	if ((rc = create(x, m, XDNA_BO_DEV, bytes.n, &info, err)) < 0)
		return rc;
	at = m->address - x->heap.address;
	if (m->address < x->heap.address || at > XDNA_HEAP_SIZE ||
	    bytes.n > XDNA_HEAP_SIZE - at)
		return npu_fail(err, NPU_ENODEV, "the driver gave memory at "
		    "0x%" PRIx64 ", which is not in the heap", m->address);
	m->p = x->heap.p + at;
	memcpy(m->p, bytes.p, bytes.n);
	return xdna_sync(x, m, XDNA_TO_DEVICE, bytes.n, err);
}

int
xdna_make_memory(struct xdna *x, struct xdna_memory *m, enum xdna_bo type,
    size_t size, struct npu_err *err)
{
	const size_t pages = (size + PAGE - 1) / PAGE * PAGE;
	struct xdna_get_bo_info info;
	void *p;
	int rc;

	if ((rc = create(x, m, type, size, &info, err)) < 0)
		return rc;
	p = x->calls->mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_SHARED,
	    x->fd, (off_t)info.map_offset);
	if (p == MAP_FAILED)
		return xdna_refused(x, "mmap", errno, err);
	m->p = p;
	m->mapped = pages;
	/* If the device shares the processor's addresses, it uses this one. */
	if (m->address == XDNA_NOWHERE)
		m->address = (uintptr_t)p;
	return 0;
}

int
xdna_sync(struct xdna *x, const struct xdna_memory *m, uint32_t direction,
    uint64_t size, struct npu_err *err)
{
	struct xdna_sync_bo sync = { .handle = m->handle,
	    .direction = direction, .size = size };

	return xdna_call(x, XDNA_SYNC_BO, &sync, "SYNC_BO", err);
}

void
xdna_free_memory(struct xdna *x, struct xdna_memory *m)
{
	struct xdna_gem_close close = { .handle = m->handle };

	if (m->mapped > 0 && x->calls->munmap(m->p, m->mapped) < 0)
		xdna_not_freed(x, "munmap");
	if (m->handle != 0)
		xdna_free_call(x, XDNA_GEM_CLOSE, &close, "GEM_CLOSE");
	*m = (struct xdna_memory){ .handle = 0 };
}
