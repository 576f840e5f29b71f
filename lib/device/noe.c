// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/num.h"
#include "device/noe.h"

/*
 * The names under which a vendor library is looked for, in order (architecture,
 * The device).  Debian's package keeps it off the loader's path, in the third
 * (noe-abi 0); 3.1.2 is named libnoe.so.3.1.0 (noe-abi 10).
 */
static const char *const search_paths[] = {
	"libnoe.so.0",
	"libnoe.so",
	"/usr/share/cix/lib/libnoe.so.0",
	"/usr/share/cix/lib/libnoe.so",
	"libnoe.so.3",
	"libnoe.so.3.1.0",
	"/usr/share/cix/lib/libnoe.so.3",
	"/usr/share/cix/lib/libnoe.so.3.1.0",
	"libnoe.so.4",
	"/usr/share/cix/lib/libnoe.so.4",
};

#define NPATHS (sizeof(search_paths) / sizeof(*search_paths))

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
	/* (the name is empty only for the program itself) */
	dlinfo(noe->dl, RTLD_DI_LINKMAP, &map);
	if ((noe->path = strdup(map->l_name)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return 0;
}

/*
 * Why dlopen() refused path.  The detail is ENOENT if there is no such file.
 * The loader's "PATH: cannot open ...: No such file" does not prove that: it
 * also reports so a file for another machine, and a file that path needs.
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

/* Opens and checks one file.  RTLD_LOCAL: about 3650 C++ symbols leak from the
 * vendor's (noe-abi 3.1). */
static int
open_file(struct noe *noe, const char *path, struct npu_err *err)
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

/* The paths that were tried: "a, b: why; c: another why". */
struct tried {
	struct buf text;
	char why[1000];	/* of the last paths, not yet in text */
	bool present;	/* a file exists but cannot be used */
};

static void
end_reason(struct tried *t)
{
	if (t->why[0] != '\0')
		buf_printf(&t->text, ": %s", t->why);
	t->why[0] = '\0';
}

static void
add_tried(struct tried *t, const char *path, const char *why)
{
	size_t n = strlen(path);
	const char *between = "";

	/* The loader's messages begin with the path already. */
	if (strncmp(why, path, n) == 0 && strncmp(why + n, ": ", 2) == 0)
		why += n + 2;
	if (t->text.n > 0)
		between = strcmp(t->why, why) == 0 ? ", " : "; ";
	if (strcmp(t->why, why) != 0)
		end_reason(t);
	snprintf(t->why, sizeof(t->why), "%.999s", why);
	buf_printf(&t->text, "%s%s", between, path);
}

static const char *
tried_text(struct tried *t)
{
	end_reason(t);
	return t->text.failed ? "nothing" : t->text.p;
}

static bool
search(struct noe *noe, struct tried *tried)
{
	struct npu_err why = { 0 };

	for (size_t i = 0; i < NPATHS; i++) {
		if (open_file(noe, search_paths[i], &why) == 0)
			return true;
		tried->present |= why.detail != ENOENT;
		add_tried(tried, search_paths[i], why.msg);
	}
	return false;
}

static int
open_emulator(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err)
{
	const char *path = opt->emulator != NULL ? opt->emulator :
	    "libnoe-emu.so";
	struct npu_err why = { 0 };
	int rc = open_file(noe, path, &why);

	if (rc < 0)
		return npu_fail(err, rc == NPU_ESYSTEM ? rc : NPU_ENODEV,
		    "the emulator cannot be loaded: %s", why.msg);
	if (noe->emulator)
		return 0;
	noe_close(noe);
	return npu_fail(err, NPU_ENODEV, "%s is not the emulator: it does not "
	    "export noe_emu_version", path);
}

static int
no_library(struct tried *tried, const char *node, struct npu_err *err)
{
	const char *paths = tried_text(tried);
	int why = noe_probe_node(node);

	if (node == NULL)
		node = NPU_DEFAULT_NODE;
	if (tried->present)
		return npu_fail(err, NPU_ENODEV, "the vendor library here "
		    "cannot be used: mend it, remove it, or use -d emu "
		    "(tried %s)", paths);
	if (why == ENOENT)
		return npu_fail(err, NPU_ENODEV, "no NPU: %s does not exist "
		    "and no vendor library was found; -d emu runs the emulator "
		    "(tried %s)", node, paths);
	return npu_fail(err, NPU_ENODEV, "%s is there but no vendor library: "
	    "install the package cix-noe-umd, name libnoe.so with -L, or use "
	    "-d emu (tried %s)", node, paths);
}

/* A library without a node, or a node that may not be opened: half a board. */
static int
no_node(const struct noe *noe, const char *node, int why, struct npu_err *err)
{
	const char *advice = "see the kernel log (dmesg)";

	if (node == NULL)
		node = NPU_DEFAULT_NODE;
	if (why == ENOENT)
		advice = "load the kernel driver (modprobe aipu), or use "
		    "-d emu for the emulator";
	else if (why == EACCES || why == EPERM)
		advice = "ask for access to the node (ls -l shows whose it is)";
	return npu_fail(err, NPU_ENODEV, "the vendor library %s is here, but "
	    "%s: %s; %s", noe->path, node, strerror(why), advice);
}

/* The emulator under the vendor's name, where only the vendor's library is
 * allowed. */
static int
misplaced(const struct noe *noe, const char *because, struct npu_err *err)
{
	return npu_fail(err, NPU_ENODEV, "%s is the emulator, found where the "
	    "vendor's library should be, and %s: mend LD_LIBRARY_PATH, or "
	    "name the vendor's with -L", noe->path, because);
}

/* The library that -L or NPU_LIBRARY names is used or refused, never passed
 * over. */
static int
open_named(struct noe *noe, const struct npu_options *opt, const char *path,
    const char *by, struct npu_err *err)
{
	int rc, why;

	if ((rc = open_file(noe, path, err)) < 0)
		return npu_prefix(err, rc, "the library named by %s cannot be "
		    "used", by);
	if (opt->device == NPU_DEVICE_NPU && noe->emulator)
		rc = npu_fail(err, NPU_ENODEV, "%s (named by %s) is the "
		    "emulator, which -d npu forbids: use -d emu, or name the "
		    "vendor's libnoe.so", path, by);
	else if (opt->device == NPU_DEVICE_EMU && !noe->emulator)
		rc = npu_fail(err, NPU_ENODEV, "%s (named by %s) is not the "
		    "emulator, which -d emu demands: leave it out", path, by);
	else if (!noe->emulator && (why = noe_probe_node(opt->node)) != 0)
		rc = no_node(noe, opt->node, why, err);
	if (rc < 0)
		noe_close(noe);
	return rc;
}

static int
open_npu(struct noe *noe, const struct npu_options *opt, struct tried *tried,
    struct npu_err *err)
{
	int rc = 0, why;

	if (!search(noe, tried))
		return no_library(tried, opt->node, err);
	if (noe->emulator)
		rc = misplaced(noe, "-d npu forbids it", err);
	else if ((why = noe_probe_node(opt->node)) != 0)
		rc = no_node(noe, opt->node, why, err);
	if (rc < 0)
		noe_close(noe);
	return rc;
}

/* Opens the emulator only where there is neither a node nor a vendor
 * library. */
static int
open_auto(struct noe *noe, const struct npu_options *opt, struct tried *tried,
    struct npu_err *err)
{
	int rc = 0, why = noe_probe_node(opt->node);
	const char *node = opt->node != NULL ? opt->node : NPU_DEFAULT_NODE;

	if (!search(noe, tried)) {
		if (why != ENOENT || tried->present)
			return no_library(tried, opt->node, err);
		if ((rc = open_emulator(noe, opt, err)) < 0)
			return npu_prefix(err, rc, "no NPU here (neither %s "
			    "nor a vendor library)", node);
	} else if (noe->emulator && why != ENOENT) {
		rc = misplaced(noe, "there is a device node (-d emu asks for "
		    "the emulator)", err);
	} else if (!noe->emulator && why != 0) {
		rc = no_node(noe, opt->node, why, err);
	}
	if (rc < 0)
		noe_close(noe);
	else if (noe->emulator && opt->note != NULL)
		opt->note(opt->note_arg, "no NPU here: using the emulator (-d "
		    "emu asks for it without this line, -d npu forbids it)");
	return rc;
}

/* The library that was named, and by which of the two; NULL: it is searched
 * for. */
static const char *
named_library(const struct npu_options *opt, const char **by)
{
	const char *env = getenv("NPU_LIBRARY");

	*by = opt->library != NULL ? "-L" : "NPU_LIBRARY";
	if (opt->library != NULL)
		return opt->library;
	return env != NULL && *env != '\0' ? env : NULL;
}

static int
open_library(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err)
{
	const char *by, *named = named_library(opt, &by);
	struct tried tried = { 0 };
	int rc;

	if (named != NULL)
		return open_named(noe, opt, named, by, err);
	if (opt->device == NPU_DEVICE_EMU)
		return open_emulator(noe, opt, err);
	if (opt->device == NPU_DEVICE_NPU)
		rc = open_npu(noe, opt, &tried, err);
	else
		rc = open_auto(noe, opt, &tried, err);
	buf_free(&tried.text);
	return rc;
}

int
noe_open(struct noe *noe, const struct npu_options *opt, struct npu_err *err)
{
	const char *env = getenv("NPU_NOE_DEVICE");
	int64_t device = NOE_DEVICE_NPU;
	int rc;

	if (env != NULL && *env != '\0' &&
	    (rc = num_int(env, 0, UINT32_MAX, &device, err)) < 0)
		return npu_prefix(err, rc, "NPU_NOE_DEVICE");
	if ((rc = open_library(noe, opt, err)) == 0)
		noe->init_device = (uint32_t)device;
	return rc;
}

/* Opens the library or emulator that opt asks for, or else the vendor's. */
static int
open_any(struct noe *noe, const struct npu_options *opt)
{
	const char *by, *named = named_library(opt, &by);
	struct tried tried = { 0 };
	struct npu_err err;
	int rc;

	if (named != NULL)
		rc = open_file(noe, named, &err);
	else if (opt->device == NPU_DEVICE_EMU)
		rc = open_emulator(noe, opt, &err);
	else
		rc = search(noe, &tried) ? 0 : NPU_ENODEV;
	buf_free(&tried.text);
	return rc;
}

int
noe_find(const struct npu_options *opt, char *path, size_t n)
{
	struct noe noe;
	int rc = open_any(&noe, opt);

	if (rc < 0)
		return rc;
	snprintf(path, n, "%s%s", noe.path, noe.emulator ? " (the emulator)" :
	    "");
	noe_close(&noe);
	return 0;
}

int
noe_inspect(const struct npu_options *opt, struct noe_about *about)
{
	struct noe_about a = { .path = "" };
	struct noe noe;
	size_t at = 0;
	int rc = open_any(&noe, opt);

	if (rc < 0)
		return rc;
	snprintf(a.path, sizeof(a.path), "%s", noe.path);
	a.emulator = noe.emulator;
	a.has_device_status = dlsym(noe.dl, "noe_get_device_status") != NULL;
	/* (all names fit) */
	for (size_t i = 0; i < NFUNCTIONS; i++)
		if (dlsym(noe.dl, functions[i].name) == NULL)
			at += (size_t)snprintf(a.lacks + at,
			    sizeof(a.lacks) - at, "%s%s", at > 0 ? ", " : "",
			    functions[i].name);
	noe_close(&noe);
	*about = a;
	return 0;
}

const char *
noe_named_library(const struct npu_options *opt)
{
	const char *by;

	return named_library(opt, &by);
}

const char *
noe_search_path(size_t i)
{
	return i < NPATHS ? search_paths[i] : NULL;
}

void
noe_close(struct noe *noe)
{
	if (noe->dl != NULL)
		dlclose(noe->dl);
	free(noe->path);
	*noe = (struct noe){ 0 };
}

noe_status_t
noe_init(const struct noe *noe, context_handler_t **ctx)
{
	noe_status_t (*init)(context_handler_t **, uint64_t);

	memcpy(&init, &noe->init_context, sizeof(init));
	return init(ctx, noe->init_device);
}
