// SPDX-License-Identifier: Apache-2.0
/* emulator.c - finds libxdna-emu.so, in the same way as libnoe-emu.so. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/installed.h"
#include "device/xdna/xdna.h"

#define EMULATOR "libxdna-emu.so"
#define VARIABLE "NPU_XDNA_LIBRARY"

/* The library stays loaded until the process ends. */
static int
load(const struct xdna_calls **calls, const char *path, struct npu_err *err)
{
	void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL), *table;
	const char *why;

	if (so == NULL) {
		why = dlerror();
		return npu_fail(err, NPU_ENODEV, "the emulated device cannot "
		    "be loaded: %s", why != NULL ? why : path);
	}
	if ((table = dlsym(so, "xdna_emulated")) == NULL) {
		dlclose(so);
		return npu_fail(err, NPU_ENODEV, "%s is not the emulated "
		    "device: it does not export xdna_emulated", path);
	}
	*calls = table;
	return 0;
}

int
xdna_emulator(const struct xdna_calls **calls, const char *path,
    struct npu_err *err)
{
	const char *named = getenv(VARIABLE);
	char installed[PATH_MAX];

	if (named != NULL && *named != '\0')
		return load(calls, named, err);
	if (path != NULL)
		return load(calls, path, err);
	snprintf(installed, sizeof(installed), "%s/lib/npu-utils/" EMULATOR,
	    installed_prefix());
	if (access(installed, F_OK) == 0)
		return load(calls, installed, err);
	if (load(calls, EMULATOR, NULL) == 0)
		return 0;
	return npu_fail(err, NPU_ENODEV, "neither %s nor a " EMULATOR " where "
	    "the loader looks: name it by " VARIABLE, installed);
}
