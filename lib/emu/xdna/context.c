// SPDX-License-Identifier: Apache-2.0
/* context.c - hardware contexts, and the configuration of their units. */
#include <errno.h>
#include <string.h>

#include "emu/xdna/context.h"

enum {
	CONTEXTS = 16,
	SYNCOBJ = 100,		/* added to a context's handle */
	UNITS = 32,		/* MAX_NUM_CUS */
	LARGEST_PARAMETER = 4096,
	CONFIG_UNITS = 0,
	CONFIG_LAST = 2,	/* 1 and 2 attach and detach a debug buffer */
};

static struct xemu_context contexts[CONTEXTS + 1];	/* indexed by handle */
static const struct xemu_kernel *kernel;
static const struct xemu_device *device;

void
xemu_begin_contexts(const struct xemu_kernel *k, const struct xemu_device *d)
{
	kernel = k;
	device = d;
}

struct xemu_context *
xemu_context(uint32_t handle)
{
	return handle == 0 || handle > CONTEXTS || !contexts[handle].used ?
	    NULL : &contexts[handle];
}

struct xemu_context *
xemu_context_of_syncobj(uint32_t syncobj)
{
	return syncobj < SYNCOBJ ? NULL : xemu_context(syncobj - SYNCOBJ);
}

/* ---- Making ------------------------------------------------------------ */

static int
check_context(const struct xdna_create_hwctx *c)
{
	const struct xemu_bo *heap = xemu_heap();
	uint32_t columns = c->tiles / device->core_rows;

	if (c->ext != 0 || c->ext_flags != 0)
		return EINVAL;
	if (c->qos == 0)
		return EFAULT;
	if (heap == NULL)
		return ENOENT;
	/* The kernel needs a part of the heap for itself. */
	if (heap->host == NULL)
		return kernel->heap_missing;
	if (columns < 1 || columns > device->columns)
		return EINVAL;
	/* The firmware refuses such a heap. */
	if (heap->size != XDNA_HEAP_SIZE ||
	    (uintptr_t)heap->host % XDNA_HEAP_SIZE != 0)
		return EINVAL;
	return 0;
}

int
xemu_create_context(struct xdna_create_hwctx *c)
{
	uint32_t handle = 1;
	int number;

	if ((number = check_context(c)) != 0)
		return number;
	while (handle <= device->contexts && contexts[handle].used)
		handle++;
	if (handle > device->contexts)
		return ENOENT;
	contexts[handle] = (struct xemu_context){ .used = true,
	    .columns = c->tiles / device->core_rows,
	    .generation = device->generation };
	c->handle = handle;
	c->syncobj = SYNCOBJ + handle;
	return 0;
}

int
xemu_destroy_context(const struct xdna_destroy_hwctx *d)
{
	struct xemu_context *x = xemu_context(d->handle);

	if (x == NULL || d->pad != 0)
		return EINVAL;
	x->used = false;
	return 0;
}

void
xemu_free_contexts(void)
{
	memset(contexts, 0, sizeof(contexts));
}

/* ---- Units ------------------------------------------------------------- */

/* The magic strings in a PDI that the firmware checks. */
static const struct {
	uint32_t at;
	const char *mark;
	size_t n;
} marks[] = {
	{ 0, "\xdd\0\0\0\x44\x33\x22\x11\x88\x77\x66\x55\xcc\xbb\xaa\x99",
	    16 },
	{ 0x28, "\x93\x80\xca\x14", 4 },
	{ 0x38, "IDPP", 4 },
	{ 0xa0, "aie_image", 9 },
};

static bool
is_pdi(const struct xemu_bo *b)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (b->size < marks[i].at + marks[i].n ||
		    memcmp(b->device + marks[i].at, marks[i].mark,
		    marks[i].n) != 0)
			return false;
	return true;
}

static bool
is_zero(const void *p, size_t n)
{
	static const uint8_t zeros[8];

	return memcmp(p, zeros, n) == 0;
}

/* Returns whether the list of units at p, of size bytes, is valid: the number
 * of units, then the PDI of each unit. */
static bool
are_units(const uint8_t *p, uint32_t size, uint32_t *n)
{
	struct xdna_cus one;
	const size_t each = sizeof(one) - offsetof(struct xdna_cus, bo);
	const struct xemu_bo *b;
	uint16_t count;

	if (size < offsetof(struct xdna_cus, bo))
		return false;
	memcpy(&count, p, sizeof(count));
	if (!is_zero(p + sizeof(count), sizeof(one.pad)) || count < 1 ||
	    count > UNITS || offsetof(struct xdna_cus, bo) + count * each >
	    size)
		return false;
	p += offsetof(struct xdna_cus, bo);
	for (uint32_t i = 0; i < count; i++, p += each) {
		memcpy(&one.bo, p, each);
		b = xemu_bo(one.bo);
		if (!is_zero(one.pad2, sizeof(one.pad2)) || b == NULL ||
		    b->type != XDNA_BO_DEV || !is_pdi(b))
			return false;
	}
	*n = count;
	return true;
}

int
xemu_configure(const struct xdna_config_hwctx *c)
{
	struct xemu_context *x = xemu_context(c->handle);

	if (c->pad != 0 || c->type > CONFIG_LAST)
		return EINVAL;
	if (c->type == CONFIG_UNITS && c->size > LARGEST_PARAMETER)
		return E2BIG;
	if (c->type == CONFIG_UNITS && c->value == 0)
		return EFAULT;
	if (x == NULL)
		return EINVAL;
	if (c->type != CONFIG_UNITS)
		return EOPNOTSUPP;
	if (x->configured || !are_units((const void *)(uintptr_t)c->value,
	    c->size, &x->units))
		return EINVAL;
	x->configured = true;
	return 0;
}
