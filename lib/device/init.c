// SPDX-License-Identifier: Apache-2.0
/* Opens a context of a 2.x or 3.x library, and finds the back end of 3.x: a
 * file that the library loads while it opens a context (noe-abi 10). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "device/noe.h"

#define BACKEND "libaipudrv.so"

static bool
has_backend(const struct noe *noe)
{
	return dlsym(noe->dl, "noe_get_device_status") != NULL;
}

/* Writes the file that AIPU_LIB_PATH names, or else the path of the back end
 * beside the library. */
static void
backend_path(const struct noe *noe, char *path, size_t size)
{
	const char *named = getenv("AIPU_LIB_PATH");
	const char *slash = strrchr(noe->path, '/');

	if (named != NULL && *named != '\0')
		snprintf(path, size, "%s", named);
	else
		snprintf(path, size, "%.*s" BACKEND,
		    slash != NULL ? (int)(slash + 1 - noe->path) : 0,
		    noe->path);
}

/* flags: 0 loads the file, RTLD_NOLOAD only checks that it is loaded. */
static bool
loads(const char *path, int flags)
{
	void *dl = dlopen(path, RTLD_LAZY | RTLD_LOCAL | flags);

	if (dl != NULL)
		dlclose(dl);
	return dl != NULL;
}

/*
 * The library looks for its back end only on the loader's path, where the
 * vendor's folder often is not.  If the back end is only beside the library,
 * sets AIPU_LIB_PATH to its path and returns true; noe_init() unsets it when
 * the context is open.
 */
static bool
name_backend(const struct noe *noe)
{
	const char *named = getenv("AIPU_LIB_PATH");
	char path[4096];

	if (!has_backend(noe) || (named != NULL && *named != '\0'))
		return false;
	backend_path(noe, path, sizeof(path));
	return access(path, R_OK) == 0 && !loads(BACKEND, 0) &&
	    setenv("AIPU_LIB_PATH", path, 1) == 0;
}

/* Returns true if a 3.x library may have refused the device's number.  Statuses
 * of an attempt to open the device do not count. */
static bool
is_number_refused(const struct noe *noe, noe_status_t st)
{
	return has_backend(noe) && st != NOE_STATUS_SUCCESS &&
	    st != NOE_STATUS_ERROR_OPEN_DEV_FAIL &&
	    st != NOE_STATUS_ERROR_DEV_ABNORMAL &&
	    st != NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
}

/* Tries each number until the library accepts one.  Returns the first status if
 * it accepts none. */
static noe_status_t
open_context(const struct noe *noe, context_handler_t **ctx)
{
	static const uint32_t others[] = { 0, 2, 3 };
	noe_status_t (*init)(context_handler_t **, uint64_t), st, again;

	memcpy(&init, &noe->init_context, sizeof(init));
	st = again = init(ctx, noe->init_device);
	if (noe->device_named)
		return st;
	for (size_t i = 0; i < 3 && is_number_refused(noe, again); i++)
		again = init(ctx, others[i]);
	return is_number_refused(noe, again) ? st : again;
}

noe_status_t
noe_init(const struct noe *noe, context_handler_t **ctx)
{
	bool named = name_backend(noe);
	noe_status_t st = open_context(noe, ctx);

	if (named)
		unsetenv("AIPU_LIB_PATH");
	return st;
}

/* Writes why the back end is missing, as "PATH: reason".  Returns false if it
 * is not missing. */
static bool
backend_trouble(const struct noe *noe, char *why, size_t size)
{
	char path[500];

	if (!has_backend(noe) || loads(BACKEND, RTLD_NOLOAD))
		return false;
	backend_path(noe, path, sizeof(path));
	if (access(path, R_OK) < 0)
		snprintf(why, size, "%s cannot be read", path);
	else if (!loads(path, 0))
		snprintf(why, size, "%s does not load (%s)", path, dlerror());
	else
		return false;
	return true;
}

/* Fails with "init_context: NAME (0xN): " and why. */
static int
not_opened(struct npu_err *err, enum npu_code code, noe_status_t st,
    const char *why)
{
	const char *name = noe_status_name(st);

	return npu_fail_detail(err, code, (int)st, "init_context: %s (0x%X): "
	    "%s", name != NULL ? name : "unknown status", (unsigned)st, why);
}

int
noe_init_refused(struct npu_err *err, const struct noe *noe, noe_status_t st)
{
	char trouble[1200], why[1400];

	if (backend_trouble(noe, trouble, sizeof(trouble))) {
		snprintf(why, sizeof(why), "%s, and the library can do "
		    "nothing without: install cix-npu-umd of the same "
		    "release, or name the file by AIPU_LIB_PATH", trouble);
		return not_opened(err, NPU_ENODEV, st, why);
	}
	if (!is_number_refused(noe, st))
		return noe_refused(err, "init_context", st);
	if (!noe->device_named)
		return not_opened(err, NPU_EDEVICE, st, "the library takes "
		    "none of the device numbers 1, 0, 2 and 3: "
		    "NPU_NOE_DEVICE names another");
	snprintf(why, sizeof(why), "the library does not take the device "
	    "number %u, which NPU_NOE_DEVICE names: unset it, and 1, 0, 2 "
	    "and 3 are tried", (unsigned)noe->init_device);
	return not_opened(err, NPU_EDEVICE, st, why);
}
