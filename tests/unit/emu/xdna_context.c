// SPDX-License-Identifier: Apache-2.0
/*
 * The contexts of the emulated device.  Each test breaks one rule of the kernel
 * or of the firmware, on both kernels (drivers/accel/amdxdna/amdxdna_ctx.c,
 * aie2_ctx.c).
 */
#include "xdna_rig.h"

/* ---- CREATE_HWCTX ------------------------------------------------------ */

static int
create_context(struct xdna_create_hwctx c)
{
	return call(XDNA_CREATE_HWCTX, &c);
}

#define CONTEXT_WITH(name, field, value) \
static int \
name(void) \
{ \
	struct xdna_create_hwctx c = sound_context(); \
\
	c.field = (value); \
	return create_context(c); \
}
CONTEXT_WITH(with_ext, ext, 1)
CONTEXT_WITH(with_ext_flags, ext_flags, 1)
CONTEXT_WITH(without_qos, qos, 0)
CONTEXT_WITH(of_no_tiles, tiles, 0)
CONTEXT_WITH(of_no_column, tiles, 3)
CONTEXT_WITH(of_all_columns, tiles, 20)
CONTEXT_WITH(of_too_many_columns, tiles, 24)

static int
sound(void)
{
	return create_context(sound_context());
}

static int
heap_at_odd_place(void)
{
	map_heap(XDNA_HEAP_SIZE, 4096);
	return sound();
}

static int
heap_of_half(void)
{
	int number = create(XDNA_BO_HEAP, XDNA_HEAP_SIZE / 2, &rig.heap_bo);

	if (number != 0)
		return number;
	map_heap(XDNA_HEAP_SIZE / 2, 0);
	return sound();
}

static int
heap_unmapped(void)
{
	xdna_emulated.munmap(rig.heap, XDNA_HEAP_SIZE);
	return sound();
}

static int
six_contexts(void)
{
	int number = 0;

	for (int i = 0; i < 6; i++)
		number |= sound();
	return number;
}

static int
seven_contexts(void)
{
	six_contexts();
	return sound();
}

/* ---- DESTROY_HWCTX ----------------------------------------------------- */

static int
destroy(uint32_t handle, uint32_t pad)
{
	struct xdna_destroy_hwctx d = { handle, pad };

	return call(XDNA_DESTROY_HWCTX, &d);
}

static int
destroy_unknown(void)
{
	return destroy(rig.hwctx + 1, 0);
}

static int
destroy_pad(void)
{
	return destroy(rig.hwctx, 1);
}

static int
destroy_twice(void)
{
	destroy(rig.hwctx, 0);
	return destroy(rig.hwctx, 0);
}

static int
place_of_destroyed(void)
{
	seven_contexts();
	destroy(rig.hwctx, 0);
	return sound();
}

/* ---- CONFIG_HWCTX ------------------------------------------------------ */

static struct xdna_cus
sound_units(void)
{
	return (struct xdna_cus){ .n = 1, .bo = rig.pdi_bo };
}

static int
configure_with(uint32_t handle, uint32_t type, const void *value,
    uint32_t size, uint32_t pad)
{
	struct xdna_config_hwctx c = { handle, type, (uintptr_t)value, size,
	    pad };

	return call(XDNA_CONFIG_HWCTX, &c);
}

#define CONFIG_WITH(name, handle, type, value, size, pad) \
static int \
name(void) \
{ \
	const struct xdna_cus cus = sound_units(); \
\
	(void)cus; \
	return configure_with(handle, type, value, size, pad); \
}
CONFIG_WITH(config_sound, rig.hwctx, 0, &cus, sizeof(cus), 0)
CONFIG_WITH(config_unknown, rig.hwctx + 1, 0, &cus, sizeof(cus), 0)
CONFIG_WITH(config_type_1, rig.hwctx, 1, &cus, sizeof(cus), 0)
CONFIG_WITH(config_type_3, rig.hwctx, 3, &cus, sizeof(cus), 0)
CONFIG_WITH(config_nowhere, rig.hwctx, 0, NULL, sizeof(cus), 0)
CONFIG_WITH(config_small, rig.hwctx, 0, &cus, sizeof(cus) - 1, 0)
CONFIG_WITH(config_head, rig.hwctx, 0, &cus, 7, 0)
CONFIG_WITH(config_pad, rig.hwctx, 0, &cus, sizeof(cus), 1)
CONFIG_WITH(config_large, rig.hwctx, 0, &cus, 4097, 0)

static int
config_twice(void)
{
	config_sound();
	return config_sound();
}

#define UNITS_WITH(name, field, value) \
static int \
name(void) \
{ \
	struct xdna_cus cus = sound_units(); \
\
	cus.field = (value); \
	return configure(&cus); \
}
UNITS_WITH(no_unit, n, 0)
UNITS_WITH(two_units, n, 2)
UNITS_WITH(units_pad_0, pad[0], 1)
UNITS_WITH(units_pad_2, pad[2], 1)
UNITS_WITH(unit_pad_0, pad2[0], 1)
UNITS_WITH(unit_pad_2, pad2[2], 1)
UNITS_WITH(unit_unknown, bo, 77)
UNITS_WITH(unit_of_heap, bo, rig.heap_bo)
UNITS_WITH(unit_function, function, 1)

static int
unit_of_buffer(void)
{
	struct xdna_cus cus = sound_units();

	create(XDNA_BO_SHMEM, 4096, &cus.bo);
	return configure(&cus);
}

static int
too_many_units(void)
{
	uint8_t list[8 + 33 * 8] = { 33 };

	for (size_t i = 0; i < 33; i++)
		memcpy(list + 8 + 8 * i, &rig.pdi_bo, 4);
	return configure_with(rig.hwctx, 0, list, sizeof(list), 0);
}

static int
many_units(void)
{
	uint8_t list[8 + 32 * 8] = { 32 };

	for (size_t i = 0; i < 32; i++)
		memcpy(list + 8 + 8 * i, &rig.pdi_bo, 4);
	return configure_with(rig.hwctx, 0, list, sizeof(list), 0);
}

/* ---- The PDI ----------------------------------------------------------- */

static int
configure_pdi(const uint8_t *p, size_t n, bool synced)
{
	struct xdna_cus cus = { .n = 1 };

	put(p, n, synced, &cus.bo);
	return configure(&cus);
}

static int
pdi_not_synced(void)
{
	return configure_pdi(marked_pdi, sizeof(marked_pdi), false);
}

#define PDI_WITHOUT(name, at) \
static int \
name(void) \
{ \
	uint8_t p[sizeof(marked_pdi)]; \
\
	memcpy(p, marked_pdi, sizeof(p)); \
	p[at] ^= 1; \
	return configure_pdi(p, sizeof(p), true); \
}
PDI_WITHOUT(pdi_0, 0)
PDI_WITHOUT(pdi_15, 15)
PDI_WITHOUT(pdi_28, 0x28)
PDI_WITHOUT(pdi_38, 0x38)
PDI_WITHOUT(pdi_a0, 0xa0)
PDI_WITHOUT(pdi_other, 0x30)

static const struct rule rules[] = {
	{ "a context without a heap", OPEN, sound, { ENOENT, ENOENT } },
	{ "a context before the heap is mapped", HEAP, sound,
	    { EINVAL, EAGAIN } },
	{ "a context after the heap is unmapped", MAPPED, heap_unmapped,
	    { EINVAL, EAGAIN } },
	{ "a heap that is not at a multiple of 64 MiB", HEAP,
	    heap_at_odd_place, { EINVAL, EINVAL } },
	{ "a heap of 32 MiB", OPEN, heap_of_half, { EINVAL, EINVAL } },
	{ "a context", MAPPED, sound, { 0, 0 } },
	{ "a context with ext", MAPPED, with_ext, { EINVAL, EINVAL } },
	{ "a context with ext_flags", MAPPED, with_ext_flags,
	    { EINVAL, EINVAL } },
	{ "a context without quality of service", MAPPED, without_qos,
	    { EFAULT, EFAULT } },
	{ "a context with 0 tiles", MAPPED, of_no_tiles, { EINVAL, EINVAL } },
	{ "a context smaller than a column", MAPPED, of_no_column,
	    { EINVAL, EINVAL } },
	{ "a context with all columns", MAPPED, of_all_columns, { 0, 0 } },
	{ "a context with more columns than the device has",
	    MAPPED, of_too_many_columns, { EINVAL, EINVAL } },
	{ "6 contexts", MAPPED, six_contexts, { 0, 0 } },
	{ "a seventh context on an npu1", MAPPED, seven_contexts,
	    { ENOENT, ENOENT } },
	{ "a context after another is destroyed", CONTEXT, place_of_destroyed,
	    { 0, 0 } },

	{ "DESTROY_HWCTX of an unknown context", CONTEXT, destroy_unknown,
	    { EINVAL, EINVAL } },
	{ "DESTROY_HWCTX with pad", CONTEXT, destroy_pad,
	    { EINVAL, EINVAL } },
	{ "DESTROY_HWCTX a second time", CONTEXT, destroy_twice,
	    { EINVAL, EINVAL } },

	{ "CONFIG_HWCTX", PDI, config_sound, { 0, 0 } },
	{ "CONFIG_HWCTX of an unknown context", PDI, config_unknown,
	    { EINVAL, EINVAL } },
	{ "CONFIG_HWCTX of type 1", PDI, config_type_1,
	    { EOPNOTSUPP, EOPNOTSUPP } },
	{ "CONFIG_HWCTX of type 3", PDI, config_type_3, { EINVAL, EINVAL } },
	{ "CONFIG_HWCTX without a list", PDI, config_nowhere,
	    { EFAULT, EFAULT } },
	{ "CONFIG_HWCTX with a truncated list", PDI, config_small,
	    { EINVAL, EINVAL } },
	{ "CONFIG_HWCTX with less than the list's header", PDI, config_head,
	    { EINVAL, EINVAL } },
	{ "CONFIG_HWCTX with pad", PDI, config_pad, { EINVAL, EINVAL } },
	{ "CONFIG_HWCTX with more than a page", PDI, config_large,
	    { E2BIG, E2BIG } },
	{ "CONFIG_HWCTX a second time", PDI, config_twice,
	    { EINVAL, EINVAL } },
	{ "a list of 0 units", PDI, no_unit, { EINVAL, EINVAL } },
	{ "a list of one unit that claims two",
	    PDI, two_units, { EINVAL, EINVAL } },
	{ "a list of 32 units", PDI, many_units, { 0, 0 } },
	{ "a list of 33 units", PDI, too_many_units, { EINVAL, EINVAL } },
	{ "a list with a non-zero first pad word",
	    PDI, units_pad_0, { EINVAL, EINVAL } },
	{ "a list with a non-zero last pad word", PDI, units_pad_2,
	    { EINVAL, EINVAL } },
	{ "a unit with a non-zero first pad byte",
	    PDI, unit_pad_0, { EINVAL, EINVAL } },
	{ "a unit with a non-zero last pad byte",
	    PDI, unit_pad_2, { EINVAL, EINVAL } },
	{ "a unit with an unknown handle",
	    PDI, unit_unknown, { EINVAL, EINVAL } },
	{ "a unit with the heap's handle",
	    PDI, unit_of_heap, { EINVAL, EINVAL } },
	{ "a unit with a buffer's handle",
	    PDI, unit_of_buffer, { EINVAL, EINVAL } },
	{ "a unit with a function", PDI, unit_function, { 0, 0 } },

	{ "a PDI that was not synchronised", CONTEXT, pdi_not_synced,
	    { EINVAL, EINVAL } },
	{ "a PDI with a wrong first byte", CONTEXT, pdi_0,
	    { EINVAL, EINVAL } },
	{ "a PDI with a wrong 16th byte", CONTEXT, pdi_15,
	    { EINVAL, EINVAL } },
	{ "a PDI with a wrong mark at 0x28", CONTEXT, pdi_28,
	    { EINVAL, EINVAL } },
	{ "a PDI without IDPP", CONTEXT, pdi_38, { EINVAL, EINVAL } },
	{ "a PDI without aie_image", CONTEXT, pdi_a0, { EINVAL, EINVAL } },
	{ "a PDI with another byte between its marks", CONTEXT, pdi_other,
	    { 0, 0 } },
};

static void
eight_columns(void)
{
	struct xdna_create_hwctx c = sound_context();

	setenv("NPU_XDNA_DEVICE", "npu4", 1);
	rig_begin(MAPPED);
	c.tiles = 32;
	ok(create_context(c) == 0, "an npu4 accepts a context of 8 columns");
	c.tiles = 36;
	ok(create_context(c) == EINVAL,
	    "an npu4 refuses a context of 9 columns");
	for (int i = 1; i < 16; i++)
		sound();
	ok(sound() == ENOENT, "an npu4 refuses a 17th context");
	rig_end();
	unsetenv("NPU_XDNA_DEVICE");
}

int
main(void)
{
	check_rules(rules, sizeof(rules) / sizeof(*rules));
	eight_columns();
	return done();
}
