// SPDX-License-Identifier: Apache-2.0
/*
 * The memory of the emulated device.  Each test breaks one rule of the kernel,
 * on both kernels.  The expected errnos come from
 * drivers/accel/amdxdna/amdxdna_gem.c.  Where a kernel accepts a call that is
 * certainly a mistake, EINVAL is expected (lib/emu/xdna).
 */
#include "xdna_rig.h"

/* ---- Making memory ----------------------------------------------------- */

static uint32_t made;			/* a handle */

static int
create_with(uint64_t flags, uint64_t vaddr)
{
	struct xdna_create_bo c = { .flags = flags, .vaddr = vaddr,
	    .size = 4096, .type = XDNA_BO_SHMEM };

	return call(XDNA_CREATE_BO, &c);
}

static int
flags(void)
{
	return create_with(1, 0);
}

static int
vaddr(void)
{
	return create_with(0, 4096);
}

#define CREATE(name, type, size) \
static int \
name(void) \
{ \
	return create(type, size, &made); \
}
CREATE(no_size, XDNA_BO_SHMEM, 0)
CREATE(type_0, 0, 4096)
CREATE(type_5, 5, 4096)
CREATE(heap_more, XDNA_BO_HEAP, XDNA_HEAP_SIZE + 1)
CREATE(heap_twice_as_large, XDNA_BO_HEAP, 2 * (uint64_t)XDNA_HEAP_SIZE)
CREATE(heap_half, XDNA_BO_HEAP, XDNA_HEAP_SIZE / 2)
CREATE(heap_again, XDNA_BO_HEAP, XDNA_HEAP_SIZE)
CREATE(part, XDNA_BO_DEV, 4096)
CREATE(part_too_large, XDNA_BO_DEV, XDNA_HEAP_SIZE + 1)
CREATE(part_whole, XDNA_BO_DEV, XDNA_HEAP_SIZE)
CREATE(command_large, XDNA_BO_CMD, (32 << 10) + 1)
CREATE(command_largest, XDNA_BO_CMD, 32 << 10)
CREATE(command_small, XDNA_BO_CMD, 3)
CREATE(too_large, XDNA_BO_SHMEM, (UINT64_C(4) << 30) + 1)

static int
too_many(void)
{
	int number = 0;

	for (int i = 0; i < 256; i++)
		number |= create(XDNA_BO_SHMEM, 1, &made);
	return number != 0 ? number : create(XDNA_BO_SHMEM, 1, &made);
}

/* Uses the handle that the failed call would have made. */
static int
after_failure(void)
{
	struct xdna_get_bo_info g = { .handle = 1 };

	part();
	return call(XDNA_GET_BO_INFO, &g);
}

static int
close_bo(uint32_t handle)
{
	struct xdna_gem_close c = { .handle = handle };

	return call(XDNA_GEM_CLOSE, &c);
}

static int
heap_after_close(void)
{
	close_bo(rig.heap_bo);
	return heap_again();
}

static int
no_room(void)
{
	uint32_t first;

	create(XDNA_BO_DEV, XDNA_HEAP_SIZE - 4096, &first);
	return create(XDNA_BO_DEV, 4097, &made);
}

static int
room_again(void)
{
	uint32_t first, second;

	create(XDNA_BO_DEV, 4096, &first);
	create(XDNA_BO_DEV, XDNA_HEAP_SIZE - 4096, &second);
	close_bo(first);
	return create(XDNA_BO_DEV, 1, &made) != 0 ||
	    info(made).xdna_addr != info(rig.heap_bo).xdna_addr;
}

static int
close_unknown(void)
{
	return close_bo(77);
}

static int
close_far(void)
{
	return close_bo(UINT32_MAX);
}

static int
close_twice(void)
{
	close_bo(rig.heap_bo);
	return close_bo(rig.heap_bo);
}

/* ---- Queries ----------------------------------------------------------- */

static int
info_with(uint64_t ext, uint64_t ext_flags, uint32_t handle, uint32_t pad)
{
	struct xdna_get_bo_info g = { ext, ext_flags, handle, pad, 0, 0, 0 };

	return call(XDNA_GET_BO_INFO, &g);
}

static int
info_ext(void)
{
	return info_with(1, 0, rig.heap_bo, 0);
}

static int
info_ext_flags(void)
{
	return info_with(0, 1, rig.heap_bo, 0);
}

static int
info_pad(void)
{
	return info_with(0, 0, rig.heap_bo, 1);
}

static int
info_unknown(void)
{
	return info_with(0, 0, 77, 0);
}

/* ---- Mapping ----------------------------------------------------------- */

static uint8_t *mapped;

static int
map_half(void)
{
	return map_heap(XDNA_HEAP_SIZE / 2, 0);
}

static int
map_again(void)
{
	return map(info(rig.heap_bo).map_offset, XDNA_HEAP_SIZE, MAP_SHARED,
	    NULL, &mapped);
}

static int
map_buffer_again(void)
{
	return map(info(rig.in_bo).map_offset, 4096, MAP_SHARED, NULL,
	    &mapped);
}

static int
map_private(void)
{
	return map(info(rig.heap_bo).map_offset, XDNA_HEAP_SIZE, MAP_PRIVATE,
	    NULL, &mapped);
}

static int
map_unknown(void)
{
	return map(info(rig.heap_bo).map_offset * 77, 4096, MAP_SHARED, NULL,
	    &mapped);
}

static int
map_within(void)
{
	return map(info(rig.heap_bo).map_offset + 4096, 4096, MAP_SHARED,
	    NULL, &mapped);
}

static int
map_part(void)
{
	part();
	return map(info(made).map_offset, 4096, MAP_SHARED, NULL, &mapped);
}

/* The offset of each buffer is its handle times the first offset. */
static int
map_part_by_handle(void)
{
	part();
	return map(info(rig.heap_bo).map_offset * made, 4096, MAP_SHARED,
	    NULL, &mapped);
}

static int
map_beyond(void)
{
	create(XDNA_BO_SHMEM, 100, &made);
	return map(info(made).map_offset, 8192, MAP_SHARED, NULL, &mapped);
}

static int
map_read_only_node(void)
{
	xdna_emulated.close(rig.fd);
	rig.fd = xdna_emulated.open("emulated", O_RDONLY);
	create(XDNA_BO_SHMEM, 100, &made);
	return map(info(made).map_offset, 4096, MAP_SHARED, NULL, &mapped);
}

/* ---- Synchronising ----------------------------------------------------- */

static int
sync_unknown(void)
{
	return sync_bo(77, XDNA_TO_DEVICE, 0, 1);
}

static int
sync_command(void)
{
	return sync_bo(rig.command_bo, XDNA_TO_DEVICE, 0, 68);
}

static int
sync_direction(void)
{
	return sync_bo(rig.in_bo, 2, 0, IN_SIZE);
}

static int
sync_beyond(void)
{
	return sync_bo(rig.in_bo, XDNA_TO_DEVICE, 0, 4097);
}

static int
sync_from_beyond(void)
{
	return sync_bo(rig.in_bo, XDNA_TO_DEVICE, 4097, 0);
}

static int
sync_wraps(void)
{
	return sync_bo(rig.in_bo, XDNA_TO_DEVICE, 4096, UINT64_MAX - 100);
}

static int
sync_not_mapped(void)
{
	create(XDNA_BO_SHMEM, 4096, &made);
	return sync_bo(made, XDNA_TO_DEVICE, 0, 4096);
}

static int
sync_half_mapped(void)
{
	create(XDNA_BO_SHMEM, 1 << 20, &made);
	map(info(made).map_offset, 4096, MAP_SHARED, NULL, &mapped);
	return sync_bo(made, XDNA_TO_DEVICE, 0, 1 << 20);
}

static const struct rule rules[] = {
	{ "CREATE_BO with flags", OPEN, flags, { EINVAL, EINVAL } },
	{ "CREATE_BO with an address", OPEN, vaddr, { EINVAL, EINVAL } },
	{ "CREATE_BO of 0 bytes", OPEN, no_size, { EINVAL, EINVAL } },
	{ "CREATE_BO of type 0", OPEN, type_0, { EINVAL, EINVAL } },
	{ "CREATE_BO of type 5", OPEN, type_5, { EINVAL, EINVAL } },
	{ "CREATE_BO of more than 4 GiB", OPEN, too_large,
	    { ENOMEM, ENOMEM } },
	{ "CREATE_BO a 257th time", OPEN, too_many, { ENOSPC, ENOSPC } },
	{ "the handle of memory that was refused", OPEN, after_failure,
	    { ENOENT, ENOENT } },
	{ "a heap that is a byte too large",
	    OPEN, heap_more, { EINVAL, EINVAL } },
	{ "a heap of 128 MiB", OPEN, heap_twice_as_large,
	    { EINVAL, ENOSPC } },
	{ "a heap of 32 MiB", OPEN, heap_half, { 0, EINVAL } },
	{ "a second heap", HEAP, heap_again, { EBUSY, EOPNOTSUPP } },
	{ "a second heap after the first is closed", HEAP, heap_after_close,
	    { EBUSY, EOPNOTSUPP } },
	{ "a buffer in the heap without a heap", OPEN, part,
	    { EINVAL, EAGAIN } },
	{ "a buffer in the heap before the heap is mapped", HEAP, part,
	    { EINVAL, EAGAIN } },
	{ "a buffer in the heap", MAPPED, part, { 0, 0 } },
	{ "a buffer as large as the heap", MAPPED, part_whole, { 0, 0 } },
	{ "a buffer larger than the heap", MAPPED, part_too_large,
	    { EINVAL, EINVAL } },
	{ "a buffer that does not fit into the rest of the heap",
	    MAPPED, no_room, { ENOSPC, ENOSPC } },
	{ "a buffer in the place of a closed buffer", MAPPED, room_again,
	    { 0, 0 } },
	{ "a command of 32 KiB", OPEN, command_largest, { 0, 0 } },
	{ "a command above 32 KiB", OPEN, command_large, { EINVAL, 0 } },
	{ "a command of 3 bytes", OPEN, command_small, { EINVAL, 0 } },
	{ "GEM_CLOSE of an unknown handle",
	    OPEN, close_unknown, { EINVAL, EINVAL } },
	{ "GEM_CLOSE of the greatest handle", OPEN, close_far,
	    { EINVAL, EINVAL } },
	{ "GEM_CLOSE a second time", HEAP, close_twice, { EINVAL, EINVAL } },

	{ "GET_BO_INFO with ext", HEAP, info_ext, { EINVAL, EINVAL } },
	{ "GET_BO_INFO with ext_flags", HEAP, info_ext_flags,
	    { EINVAL, EINVAL } },
	{ "GET_BO_INFO with pad", HEAP, info_pad, { 0, EINVAL } },
	{ "GET_BO_INFO of an unknown handle", HEAP, info_unknown,
	    { ENOENT, ENOENT } },

	{ "a mapping of half the heap", HEAP, map_half, { EINVAL, EINVAL } },
	{ "a second mapping of the heap", MAPPED, map_again, { EEXIST, 0 } },
	{ "a second mapping of a buffer",
	    READY, map_buffer_again, { EEXIST, 0 } },
	{ "a private mapping", HEAP, map_private, { EINVAL, EINVAL } },
	{ "a mapping at an unknown offset",
	    HEAP, map_unknown, { EINVAL, EINVAL } },
	{ "a mapping at an offset within the heap", HEAP, map_within,
	    { EINVAL, EINVAL } },
	{ "a mapping of a buffer in the heap, by its offset", MAPPED, map_part,
	    { EINVAL, EINVAL } },
	{ "a mapping of a buffer in the heap, by its handle", MAPPED,
	    map_part_by_handle, { EINVAL, EINVAL } },
	{ "a mapping beyond the end of the memory",
	    OPEN, map_beyond, { EINVAL, EINVAL } },
	{ "a writable mapping of a node that is open for reading", OPEN,
	    map_read_only_node, { EACCES, EACCES } },

	{ "SYNC_BO of an unknown handle",
	    OPEN, sync_unknown, { ENOENT, ENOENT } },
	{ "SYNC_BO of a command", READY, sync_command, { EOPNOTSUPP, 0 } },
	{ "SYNC_BO with an unknown direction", READY, sync_direction,
	    { EINVAL, EINVAL } },
	{ "SYNC_BO beyond the end of the memory", READY, sync_beyond,
	    { EINVAL, EINVAL } },
	{ "SYNC_BO from an offset behind the end", READY, sync_from_beyond,
	    { EINVAL, EINVAL } },
	{ "SYNC_BO of a size that overflows", READY, sync_wraps,
	    { EINVAL, EINVAL } },
	{ "SYNC_BO of memory that is not mapped", OPEN, sync_not_mapped,
	    { 0, 0 } },
	{ "SYNC_BO of memory that is partly mapped", OPEN, sync_half_mapped,
	    { 0, 0 } },
};

int
main(void)
{
	check_rules(rules, sizeof(rules) / sizeof(*rules));
	return done();
}
