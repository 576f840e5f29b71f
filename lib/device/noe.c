// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "device/noe.h"

/* The functions' names, and their offsets in struct noe. */
static const struct {
	const char *name;
	size_t offset;
	bool required;
} functions[] = {
#define X(name) { "noe_" #name, offsetof(struct noe, name), true },
	NOE_REQUIRED(X)
#undef X
#define X(name) { "noe_" #name, offsetof(struct noe, name), false },
	NOE_OPTIONAL(X)
#undef X
};

#define NFUNCTIONS (sizeof(functions) / sizeof(*functions))

int
noe_probe_node(const char *node)
{
	int fd = open(node != NULL ? node : NPU_DEFAULT_NODE,
	    O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int
resolve_functions(struct noe *noe, const char *path, struct npu_err *err)
{
	for (size_t i = 0; i < NFUNCTIONS; i++) {
		void *f = dlsym(noe->dl, functions[i].name);

		if (f == NULL && functions[i].required)
			return npu_fail(err, NPU_ENODEV,
			    "%s: it has no function %s, so it is not a NOE "
			    "library that can run a model", path,
			    functions[i].name);
		memcpy((char *)noe + functions[i].offset, &f, sizeof(f));
	}
	return 0;
}

static int
note_identity(struct noe *noe, struct npu_err *err)
{
	__typeof__(noe_emu_version) *version;
	struct link_map *map = NULL;
	void *f = dlsym(noe->dl, "noe_emu_version");

	memcpy(&version, &f, sizeof(version));
	noe->emulator = version != NULL;
	noe->emulator_version = version != NULL ? version() : NULL;
	f = dlsym(noe->dl, "noe_emu_load_onnx");
	if (noe->emulator)
		memcpy(&noe->load_onnx, &f, sizeof(noe->load_onnx));
	/* (the name is empty only for the program itself) */
	dlinfo(noe->dl, RTLD_DI_LINKMAP, &map);
	if ((noe->path = strdup(map->l_name)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return 0;
}

/*
 * Reports why dlopen() refused path.  The detail is ENOENT if the file does not
 * exist.  The loader's "PATH: cannot open ...: No such file" does not prove
 * that: it says the same about a file for another machine, and about a file
 * that path needs.
 */
static int
not_loaded(const char *path, struct npu_err *err)
{
	const char *why = dlerror();
	size_t n = strlen(path);
	bool is_path = strchr(path, '/') != NULL;

	if (strncmp(why, path, n) != 0 || strncmp(why + n, ": ", 2) != 0)
		return npu_fail(err, NPU_ENODEV, "%s: %s", path, why);
	if (strstr(why + n, strerror(ENOENT)) == NULL)
		return npu_fail(err, NPU_ENODEV, "%s", why);
	if (is_path && access(path, F_OK) == 0)
		return npu_fail(err, NPU_ENODEV, "%s: the loader does not take "
		    "it: it is for another kind of machine (see file %s)",
		    path, path);
	if (!is_path && access(path, F_OK) == 0)
		return npu_fail_detail(err, NPU_ENODEV, ENOENT, "%s; the file "
		    "in the working directory is ./%s", why, path);
	return npu_fail_detail(err, NPU_ENODEV, ENOENT, "%s", why);
}

/* RTLD_LOCAL, because the vendor's library leaks about 3650 C++ symbols
 * (noe-abi 3.1). */
int
noe_open_file(struct noe *noe, const char *path, struct npu_err *err)
{
	int rc;

	*noe = (struct noe){ 0 };
	noe->dl = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (noe->dl == NULL)
		return not_loaded(path, err);
	if ((rc = resolve_functions(noe, path, err)) == 0)
		rc = note_identity(noe, err);
	if (rc < 0)
		noe_close(noe);
	return rc;
}

void
noe_describe(const struct noe *noe, struct noe_about *about)
{
	struct noe_about a = { .path = "" };
	size_t at = 0;

	snprintf(a.path, sizeof(a.path), "%s", noe->path);
	a.emulator = noe->emulator;
	a.has_device_status = dlsym(noe->dl, "noe_get_device_status") != NULL;
	/* (all names fit) */
	for (size_t i = 0; i < NFUNCTIONS; i++)
		if (dlsym(noe->dl, functions[i].name) == NULL)
			at += (size_t)snprintf(a.lacks + at,
			    sizeof(a.lacks) - at, "%s%s", at > 0 ? ", " : "",
			    functions[i].name);
	*about = a;
}

void
noe_close(struct noe *noe)
{
	if (noe->dl != NULL)
		dlclose(noe->dl);
	free(noe->path);
	*noe = (struct noe){ 0 };
}
