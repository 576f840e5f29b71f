// SPDX-License-Identifier: Apache-2.0
/* The node of the emulated device: the queries that it accepts and their
 * answers, on both kernels, and the environment variables that it reads. */
#include "xdna_rig.h"

/* ---- The node ---------------------------------------------------------- */

static int
open_twice(void)
{
	int fd = xdna_emulated.open("emulated", O_RDWR);

	return fd < 0 ? errno : 0;
}

static int
no_such_call(void)
{
	uint8_t arg[64] = { 0 };

	/* CREATE_SYNCOBJ, which another driver has. */
	return call(0xc0086448, arg);
}

static int
other_descriptor(void)
{
	struct xdna_gem_close c = { .handle = 1 };

	return xdna_emulated.ioctl(0, XDNA_GEM_CLOSE, &c) == 0 ? 0 : errno;
}

static int
no_argument(void)
{
	return call(XDNA_CREATE_BO, NULL);
}

static int
version_nowhere(void)
{
	struct xdna_version v = { .name_n = 31 };

	return call(XDNA_VERSION, &v);
}

static int
get_info(uint32_t param, uint32_t size, void *buffer)
{
	struct xdna_get_info g = { param, size, (uintptr_t)buffer };

	return call(XDNA_GET_INFO, &g);
}

static struct xdna_aie aie;

static int
info_other(void)
{
	return get_info(0, sizeof(aie), &aie);
}

static int
info_small(void)
{
	return get_info(XDNA_INFO_AIE, sizeof(aie) - 1, &aie);
}

static int
info_nowhere(void)
{
	return get_info(XDNA_INFO_AIE, sizeof(aie), NULL);
}

static int
info_sound(void)
{
	return get_info(XDNA_INFO_AIE, sizeof(aie), &aie);
}

static const struct rule rules[] = {
	{ "a second open", OPEN, open_twice, { EBUSY, EBUSY } },
	{ "an unknown call", OPEN, no_such_call,
	    { EINVAL, EINVAL } },
	{ "a call on another descriptor", OPEN, other_descriptor,
	    { ENOTTY, ENOTTY } },
	{ "a call without an argument", OPEN, no_argument,
	    { EFAULT, EFAULT } },
	{ "VERSION without room for the name", OPEN, version_nowhere,
	    { EFAULT, EFAULT } },
	{ "GET_INFO of an unknown parameter", OPEN, info_other,
	    { EOPNOTSUPP, EOPNOTSUPP } },
	{ "GET_INFO into a smaller buffer", OPEN, info_small,
	    { EINVAL, EINVAL } },
	{ "GET_INFO without a buffer", OPEN, info_nowhere,
	    { EFAULT, EFAULT } },
	{ "GET_INFO", OPEN, info_sound, { 0, 0 } },
};

/* ---- Answers ----------------------------------------------------------- */

static void
answers(const char *kernel, bool shared)
{
	struct xdna_get_bo_info g;
	char name[32] = "";
	struct xdna_version v = { .name_n = 31, .name = (uintptr_t)name };

	setenv("NPU_XDNA_KERNEL", kernel, 1);
	rig_begin(READY);
	call(XDNA_VERSION, &v);
	ok(strcmp(name, XDNA_DRIVER) == 0 && v.name_n == strlen(name),
	    "Linux %s: VERSION names the driver", kernel);
	g = info(rig.pdi_bo);
	ok(g.map_offset == XDNA_NOWHERE && g.xdna_addr ==
	    info(rig.heap_bo).xdna_addr, "Linux %s: a buffer in the heap has "
	    "an address, but no offset for mmap()", kernel);
	g = info(rig.in_bo);
	ok((g.xdna_addr == XDNA_NOWHERE) == shared && g.map_offset !=
	    XDNA_NOWHERE && g.vaddr == (uintptr_t)rig.in,
	    "Linux %s: a mapped buffer %s an address for the device", kernel,
	    shared ? "does not have" : "has");
	rig_end();
}

static void
devices(void)
{
	setenv("NPU_XDNA_DEVICE", "npu4", 1);
	rig_begin(OPEN);
	info_sound();
	ok(aie.columns == 8 && aie.rows == 6 && aie.core.count == 4 &&
	    aie.core.start == 2,
	    "an npu4 has 8 columns of 6 rows, of which 4 are cores");
	rig_end();
	unsetenv("NPU_XDNA_DEVICE");
	rig_begin(OPEN);
	info_sound();
	ok(aie.columns == 5 && aie.core.count == 4, "an npu1 has 5 columns");
	rig_end();
}

static void
bad_environment(void)
{
	static const char *const rows[][2] = {
		{ "NPU_XDNA_KERNEL", "6.13" }, { "NPU_XDNA_DEVICE", "npu9" },
		{ "NPU_XDNA_FAULT", "x" }, { "NPU_XDNA_FAULT", "0:EIO" },
		{ "NPU_XDNA_FAULT", "1:EWHAT" }, { "NPU_XDNA_FAULT", "1" },
		{ "NPU_XDNA_FAULT", "each:" }, { "NPU_XDNA_FAULT", "1:0" },
		{ "NPU_XDNA_FAULT", "state:16" }, { "NPU_XDNA_FAULT",
		    "hang:-1" }, { "NPU_XDNA_FAULT", "hanging" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		setenv(rows[i][0], rows[i][1], 1);
		ok(xdna_emulated.open("emulated", O_RDWR) < 0 && errno ==
		    EINVAL, "%s=%s is refused", rows[i][0], rows[i][1]);
		unsetenv(rows[i][0]);
	}
	setenv("NPU_XDNA_FAULT", "1:7", 1);
	ok(xdna_emulated.open("emulated", O_RDWR) < 0 && errno == 7,
	    "the errno in NPU_XDNA_FAULT may be a number");
	unsetenv("NPU_XDNA_FAULT");
}

int
main(void)
{
	check_rules(rules, sizeof(rules) / sizeof(*rules));
	answers("6.14", true);
	answers("7.2", false);
	devices();
	bad_environment();
	return done();
}
