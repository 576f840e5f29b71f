// SPDX-License-Identifier: Apache-2.0
/*
 * inject_noe.c - calls of the NPU's library for which the emulator cannot
 * simulate a fault (NPU_EMU_FAULT of libnoe-emu(7) has the others):
 * inject_call.h.  A program gets these functions from dlsym(), which returns a
 * replacement.
 */
#include <dlfcn.h>
#include <string.h>

#include "inject_call.h"
#include "noe_abi.h"

/* Each has at most six arguments, all integers or pointers. */
#define ARGUMENTS long a, long b, long c, long d, long e, long f
typedef noe_status_t (*noe_call)(ARGUMENTS);

#define CALLS(X) \
	X(get_tensor_count) X(get_tensor_descriptor) \
	X(ioctl) X(get_target) \
	X(get_partition_count) X(get_cluster_count) X(get_core_count)

#define X(name) \
	static noe_call real_##name; \
	static noe_status_t \
	fake_##name(ARGUMENTS) \
	{ \
		if (inject_fails(K_DEVICE, "noe_" #name, CALLER)) \
			return NOE_STATUS_ERROR_DEV_ABNORMAL; \
		return real_##name(a, b, c, d, e, f); \
	}
CALLS(X)
#undef X

static const struct {
	const char *name;
	noe_call *real, fake;
} calls[] = {
#define X(name) { "noe_" #name, &real_##name, fake_##name },
	CALLS(X)
#undef X
};

void *
inject_noe(const char *name, void *f)
{
	void *fake;

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		if (f == NULL || strcmp(name, calls[i].name) != 0)
			continue;
		memcpy(calls[i].real, &f, sizeof(f));
		memcpy(&fake, &calls[i].fake, sizeof(fake));
		return fake;
	}
	return f;
}
