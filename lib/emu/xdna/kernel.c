// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/xdna/kernel.h"
#include "emu/xdna/say.h"

static const struct xemu_kernel kernels[] = {
	{ .name = "6.14", .shared_addresses = true, .own_commands = true,
	    .heap_missing = EINVAL, .heap_twice = EBUSY },
	{ .name = "7.2", .checks_pad = true, .has_wait_cmd = true,
	    .heap_missing = EAGAIN, .heap_twice = EOPNOTSUPP },
};

static const struct xemu_device devices[] = {
	{ "npu1", 5, 6, 4, 1, 3, 6 },
	{ "npu4", 8, 6, 4, 1, 4, 16 },
};

/* Returns the index of the variable's value in n names: 0 if the variable is
 * unset, -1 for an unknown name. */
static int
choose(const char *variable, const char *const *names, int n)
{
	const char *value = getenv(variable);

	if (value == NULL || *value == '\0')
		return 0;
	for (int i = 0; i < n; i++)
		if (strcmp(value, names[i]) == 0)
			return i;
	xemu_say("%s=%s: not known; %s or %s", variable, value, names[0],
	    names[1]);
	return -1;
}

const struct xemu_kernel *
xemu_kernel(void)
{
	const char *names[] = { kernels[0].name, kernels[1].name };
	int i = choose("NPU_XDNA_KERNEL", names, 2);

	return i < 0 ? NULL : &kernels[i];
}

const struct xemu_device *
xemu_device(void)
{
	const char *names[] = { devices[0].name, devices[1].name };
	int i = choose("NPU_XDNA_DEVICE", names, 2);

	return i < 0 ? NULL : &devices[i];
}
