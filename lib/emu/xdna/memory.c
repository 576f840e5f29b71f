// SPDX-License-Identifier: Apache-2.0
/* memory.c - memory objects: the heap and its parts, buffers, commands. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu/xdna/device.h"

enum {
	PAGE = 4096,
	BOS = 256,		/* in one open node */
	LARGEST_COMMAND = 32 << 10,	/* Linux 6.14 */
	SMALLEST_COMMAND = 4,
};

/* The device addresses of the heap, and of buffers in Linux 7.2. */
#define HEAP_ADDRESS	UINT64_C(0x4000000)
#define BUFFER_ADDRESS	UINT64_C(0x8000000000)
#define OFFSET_STEP	UINT64_C(0x100000000)	/* between mmap() offsets */

static struct xemu_bo bos[BOS + 1];	/* by handle; 0: unused */
static const struct xemu_kernel *kernel;

void
xemu_begin_memory(const struct xemu_kernel *k)
{
	kernel = k;
}

/* ---- By handle --------------------------------------------------------- */

struct xemu_bo *
xemu_bo(uint32_t handle)
{
	if (handle == 0 || handle > BOS || bos[handle].type == 0 ||
	    bos[handle].closed)
		return NULL;
	return &bos[handle];
}

/* The heap stays until the node is closed, even if its handle is closed
 * before. */
struct xemu_bo *
xemu_heap(void)
{
	for (uint32_t i = 1; i <= BOS; i++)
		if (bos[i].type == XDNA_BO_HEAP)
			return &bos[i];
	return NULL;
}

/* ---- Making ------------------------------------------------------------ */

/* Finds the lowest free range in the heap. */
static bool
find_room(const struct xemu_bo *heap, uint64_t size, uint64_t *at)
{
	bool moved = true;

	*at = heap->address;
	while (moved) {
		moved = false;
		for (uint32_t i = 1; i <= BOS; i++) {
			const struct xemu_bo *b = &bos[i];

			if (b->type == XDNA_BO_DEV && b->address < *at +
			    size && *at < b->address + b->size) {
				*at = b->address + b->size;
				moved = true;
			}
		}
	}
	return *at + size <= heap->address + heap->size;
}

/* Creates a part of the heap.  The processor must have mapped the heap. */
static int
make_part(struct xemu_bo *b)
{
	const struct xemu_bo *heap = xemu_heap();
	uint64_t at;

	if (heap == NULL || heap->host == NULL)
		return kernel->heap_missing;
	if (b->size > heap->size)
		return EINVAL;
	if (!find_room(heap, b->size, &at))
		return ENOSPC;
	b->address = at;
	at -= heap->address;
	b->host = heap->host + at;
	b->mapped = b->size;
	b->device = heap->device + at;
	return 0;
}

/*
 * Allocates the device's view.  The heap's view is mapped, as its pages cost
 * nothing until they are touched; with calloc(), a sanitizer would mark each
 * byte of the memory, twice.  All other memory comes from calloc(), which lets
 * a sanitizer detect an access one byte past the end.
 */
static uint8_t *
make_view(const struct xemu_bo *b)
{
	void *p;

	if (b->type != XDNA_BO_HEAP)
		return calloc(1, b->size);
	p = mmap(NULL, b->size, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return p != MAP_FAILED ? p : NULL;
}

static int
make_own(struct xemu_bo *b, uint32_t handle)
{
	if ((b->device = make_view(b)) == NULL)
		return ENOMEM;
	if (b->type == XDNA_BO_HEAP)
		b->address = HEAP_ADDRESS;
	else if (!kernel->shared_addresses)
		b->address = BUFFER_ADDRESS + handle * OFFSET_STEP;
	return 0;
}

/* Checks the size of a new heap.  Linux 6.14 accepts a smaller heap, which the
 * firmware refuses when a context is created.  7.2 accepts only multiples, as
 * far as there is room for them. */
static int
check_heap(uint64_t size)
{
	if (kernel->own_commands ? size > XDNA_HEAP_SIZE :
	    size % XDNA_HEAP_SIZE != 0)
		return EINVAL;
	if (xemu_heap() != NULL)
		return kernel->heap_twice;
	return size > XDNA_HEAP_SIZE ? ENOSPC : 0;
}

static int
check_new(const struct xdna_create_bo *c)
{
	if (c->flags != 0 || c->vaddr != 0 || c->size == 0)
		return EINVAL;
	switch (c->type) {
	case XDNA_BO_HEAP:
		return check_heap(c->size);
	case XDNA_BO_CMD:
		return kernel->own_commands && (c->size > LARGEST_COMMAND ||
		    c->size < SMALLEST_COMMAND) ? EINVAL : 0;
	case XDNA_BO_SHMEM: case XDNA_BO_DEV:
		return 0;
	default:
		return EINVAL;
	}
}

int
xemu_create_bo(struct xdna_create_bo *c)
{
	uint32_t handle = 1;
	struct xemu_bo *b;
	int number;

	if ((number = check_new(c)) != 0)
		return number;
	if (c->size > OFFSET_STEP)
		return ENOMEM;
	while (handle <= BOS && bos[handle].type != 0)
		handle++;
	if (handle > BOS)
		return ENOSPC;
	b = &bos[handle];
	*b = (struct xemu_bo){ .type = c->type, .address = XDNA_NOWHERE,
	    .size = (c->size + PAGE - 1) / PAGE * PAGE };
	number = c->type == XDNA_BO_DEV ? make_part(b) : make_own(b, handle);
	if (number != 0)
		*b = (struct xemu_bo){ .type = 0 };
	else
		c->handle = handle;
	return number;
}

int
xemu_bo_info(struct xdna_get_bo_info *g)
{
	const struct xemu_bo *b = xemu_bo(g->handle);

	if (g->ext != 0 || g->ext_flags != 0 ||
	    (kernel->checks_pad && g->pad != 0))
		return EINVAL;
	if (b == NULL)
		return ENOENT;
	/* A part of the heap cannot be mapped by itself. */
	g->map_offset = b->type == XDNA_BO_DEV ? XDNA_NOWHERE :
	    g->handle * OFFSET_STEP;
	g->vaddr = b->host != NULL ? (uintptr_t)b->host : XDNA_NOWHERE;
	g->xdna_addr = b->address;
	return 0;
}

/* ---- The two views ----------------------------------------------------- */

/* Synchronises a buffer.  The kernels ignore the direction, and 6.14 also the
 * offset and size, as they write back whole cache lines.  Here a direction,
 * offset or size that the buffer does not have is EINVAL: it is the caller's
 * mistake. */
int
xemu_sync_bo(const struct xdna_sync_bo *s)
{
	const struct xemu_bo *b = xemu_bo(s->handle);
	uint64_t n = s->size;

	if (b == NULL)
		return ENOENT;
	if (b->type == XDNA_BO_CMD && kernel->own_commands)
		return EOPNOTSUPP;
	if (s->direction > XDNA_FROM_DEVICE || s->offset > b->size ||
	    s->size > b->size - s->offset)
		return EINVAL;
	/* Memory that is not mapped has no lines in the cache. */
	if (b->host == NULL || s->offset >= b->mapped)
		return 0;
	if (n > b->mapped - s->offset)
		n = b->mapped - s->offset;
	if (s->direction == XDNA_TO_DEVICE)
		memcpy(b->device + s->offset, b->host + s->offset, n);
	else
		memcpy(b->host + s->offset, b->device + s->offset, n);
	return 0;
}

int
xemu_map_bo(uint64_t offset, size_t size, struct xemu_bo **bo)
{
	struct xemu_bo *b;

	if (offset % OFFSET_STEP != 0 || offset / OFFSET_STEP > BOS ||
	    (b = xemu_bo((uint32_t)(offset / OFFSET_STEP))) == NULL ||
	    b->type == XDNA_BO_DEV || size == 0 || size > b->size)
		return EINVAL;
	/* The kernel accepts a mapping of a part of the heap, but memory that
	 * is allocated behind that part would not be mapped. */
	if (b->type == XDNA_BO_HEAP && size != b->size)
		return EINVAL;
	if (kernel->own_commands && b->host != NULL)
		return EEXIST;
	*bo = b;
	return 0;
}

void
xemu_mapped(struct xemu_bo *bo, void *p, size_t size)
{
	bo->host = p;
	bo->mapped = size;
}

void
xemu_unmapped(const void *p, size_t size)
{
	for (uint32_t i = 1; i <= BOS; i++) {
		uintptr_t host = (uintptr_t)bos[i].host;

		if (host != 0 && host >= (uintptr_t)p &&
		    host - (uintptr_t)p < size) {
			bos[i].host = NULL;
			bos[i].mapped = 0;
		}
	}
}

/* ---- The end ----------------------------------------------------------- */

static void
free_bo(struct xemu_bo *b)
{
	if (b->type == XDNA_BO_HEAP)
		munmap(b->device, b->size);
	else if (b->type != XDNA_BO_DEV)
		free(b->device);
	*b = (struct xemu_bo){ .type = 0 };
}

int
xemu_close_bo(const struct xdna_gem_close *c)
{
	struct xemu_bo *b = xemu_bo(c->handle);

	if (b == NULL)
		return EINVAL;
	if (b->type == XDNA_BO_HEAP)
		b->closed = true;
	else
		free_bo(b);
	return 0;
}

void
xemu_free_bos(void)
{
	for (uint32_t i = 1; i <= BOS; i++)
		free_bo(&bos[i]);
}
