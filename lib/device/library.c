// SPDX-License-Identifier: Apache-2.0
/* library.c - chooses the library: the file that the user named, or the first
 * that the search finds. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/installed.h"
#include "base/num.h"
#include "device/loader_path.h"
#include "device/names.h"
#include "device/noe.h"

/*
 * The names under which a vendor library is looked for, in order (architecture,
 * The device).  Debian's package installs it outside the loader's path, under
 * the third name (noe-abi 0); 3.1.2 is named libnoe.so.3.1.0 (noe-abi 10).
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

#define EMULATOR "libnoe-emu.so"

#define NPATHS (sizeof(search_paths) / sizeof(*search_paths))

/* The paths that were tried: "a, b: why; c: another why". */
struct tried {
	struct buf text;
	char why[1000];	/* reason of the last paths, not yet in text */
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

	/* The loader's messages already begin with the path. */
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

/* Fails as noe_open_file() would for a name that the loader cannot find. */
static int
not_found(const char *name, struct npu_err *err)
{
	return npu_fail_detail(err, NPU_ENODEV, ENOENT, "%s: cannot open "
	    "shared object file: %s", name, strerror(ENOENT));
}

/* Returns whether dlopen() may find the file: asking takes a fraction of the
 * time of a dlopen() that fails. */
static bool
may_open(const char *path, bool by_name)
{
	return strchr(path, '/') == NULL ? by_name :
	    access(path, F_OK) == 0 || errno != ENOENT;
}

/* Collects the reasons in *tried, unless tried is NULL. */
static bool
search(struct noe *noe, struct tried *tried)
{
	const bool by_name = loader_may_find(search_paths, NPATHS);
	struct npu_err why = { 0 };

	for (size_t i = 0; i < NPATHS; i++) {
		const char *path = search_paths[i];
		bool may = may_open(path, by_name);

		if (may && noe_open_file(noe, path, &why) == 0)
			return true;
		if (tried == NULL)
			continue;
		if (!may)
			not_found(path, &why);
		tried->present |= why.detail != ENOENT;
		add_tried(tried, path, why.msg);
	}
	return false;
}

/*
 * Finds the emulator that was installed with libnpu.so, in a tree that may have
 * been moved: in npu-utils beside it, or one folder up if LIBDIR is such as
 * lib/aarch64-linux-gnu.  In a program with libnpu.a, PREFIX must do.
 */
static bool
beside_libnpu(char path[PATH_MAX])
{
	static const char *const places[] = { "", "/.." };
	char self[PATH_MAX], at[PATH_MAX], *name;
	Dl_info info = { .dli_fname = NULL };

	/* dladdr() of one of our objects gives the path of this library. */
	if (dladdr(&search_paths, &info) == 0 || info.dli_fname == NULL ||
	    realpath(info.dli_fname, self) == NULL)
		return false;
	name = strrchr(self, '/');
	if (strncmp(name, "/libnpu.so", strlen("/libnpu.so")) != 0)
		return false;
	*name = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (snprintf(at, sizeof(at), "%s%s/npu-utils/" EMULATOR, self,
		    places[i]) < PATH_MAX && realpath(at, path) != NULL)
			return true;
	return false;
}

/* Opens the emulator that opt names, or else the installed emulator, or else
 * one that the loader finds. */
static int
open_some_emulator(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err)
{
	char installed[PATH_MAX];
	int rc;

	if (opt->emulator != NULL)
		return noe_open_file(noe, opt->emulator, err);
	if (!beside_libnpu(installed))
		snprintf(installed, sizeof(installed), "%s/lib/npu-utils/"
		    EMULATOR, installed_prefix());
	rc = noe_open_file(noe, installed, err);
	if (rc < 0 && err->detail == ENOENT)
		rc = noe_open_file(noe, EMULATOR, err);
	if (rc == 0 || err->detail != ENOENT)
		return rc;
	return npu_fail(err, rc, "neither %s nor a " EMULATOR " where the "
	    "loader looks: name it by NPU_LIBRARY or %s", installed,
	    option_names(opt).emulator);
}

static int
open_emulator(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err)
{
	struct npu_err why = { 0 };
	int rc = open_some_emulator(noe, opt, &why);

	if (rc < 0)
		return npu_fail(err, rc == NPU_ESYSTEM ? rc : NPU_ENODEV,
		    "the emulator cannot be loaded: %s", why.msg);
	if (noe->emulator)
		return 0;
	rc = npu_fail(err, NPU_ENODEV, "%s is not the emulator: it does not "
	    "export noe_emu_version", noe->path);
	noe_close(noe);
	return rc;
}

static int
no_library(struct tried *tried, const struct npu_options *opt,
    struct npu_err *err)
{
	const char *paths = tried_text(tried), *node = opt->node;
	struct npu_names say = option_names(opt);
	int why = noe_probe_node(node);

	if (node == NULL)
		node = NPU_DEFAULT_NODE;
	if (tried->present)
		return npu_fail(err, NPU_ENODEV, "the vendor library here "
		    "cannot be used: mend it, remove it, or use %s "
		    "(tried %s)", say.device_emu, paths);
	if (why == ENOENT)
		return npu_fail(err, NPU_ENODEV, "no NPU: %s does not exist "
		    "and no vendor library was found; %s runs the emulator "
		    "(tried %s)", node, say.device_emu, paths);
	return npu_fail(err, NPU_ENODEV, "%s is there but no vendor library: "
	    "install the package cix-noe-umd, name libnoe.so with %s, or use "
	    "%s (tried %s)", node, say.library, say.device_emu, paths);
}

/* Fails because half of a board is missing: the library is there, but the node
 * does not exist or cannot be opened. */
static int
no_node(const struct noe *noe, const struct npu_options *opt, int why,
    struct npu_err *err)
{
	const char *node = opt->node != NULL ? opt->node : NPU_DEFAULT_NODE;
	const char *advice = "see the kernel log (dmesg)";
	char or_emulate[200];

	snprintf(or_emulate, sizeof(or_emulate), "load the kernel driver "
	    "(modprobe aipu), or use %s for the emulator",
	    option_names(opt).device_emu);
	if (why == ENOENT)
		advice = or_emulate;
	else if (why == EACCES || why == EPERM)
		advice = "join its group, which npu-kmd makes npu (sudo "
		    "usermod -aG npu $USER), and log in again";
	return npu_fail(err, NPU_ENODEV, "the vendor library %s is here, but "
	    "%s: %s; %s", noe->path, node, strerror(why), advice);
}

/* Fails because the emulator was found under the vendor's name where only the
 * vendor's library is allowed. */
static int
misplaced(const struct noe *noe, const struct npu_options *opt,
    struct npu_err *err)
{
	struct npu_names say = option_names(opt);
	char because[300];

	if (opt->device == NPU_DEVICE_NPU)
		snprintf(because, sizeof(because), "%s forbids it",
		    say.device_npu);
	else
		snprintf(because, sizeof(because), "there is a device node "
		    "(%s asks for the emulator)", say.device_emu);
	return npu_fail(err, NPU_ENODEV, "%s is the emulator, found where the "
	    "vendor's library should be, and %s: mend LD_LIBRARY_PATH, or "
	    "name the vendor's with %s", noe->path, because, say.library);
}

/* Opens the library that the options or NPU_LIBRARY name, or fails: such a
 * library is never skipped. */
static int
open_named(struct noe *noe, const struct npu_options *opt, const char *path,
    const char *by, struct npu_err *err)
{
	struct npu_names say = option_names(opt);
	int rc, why;

	if ((rc = noe_open_file(noe, path, err)) < 0)
		return npu_prefix(err, rc, "the library named by %s cannot be "
		    "used", by);
	if (opt->device == NPU_DEVICE_NPU && noe->emulator)
		rc = npu_fail(err, NPU_ENODEV, "%s (named by %s) is the "
		    "emulator, which %s forbids: use %s, or name the vendor's "
		    "libnoe.so", path, by, say.device_npu, say.device_emu);
	else if (opt->device == NPU_DEVICE_EMU && !noe->emulator)
		rc = npu_fail(err, NPU_ENODEV, "%s (named by %s) is not the "
		    "emulator, which %s demands: leave it out", path, by,
		    say.device_emu);
	else if (!noe->emulator && (why = noe_probe_node(opt->node)) != 0)
		rc = no_node(noe, opt, why, err);
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
		return no_library(tried, opt, err);
	if (noe->emulator)
		rc = misplaced(noe, opt, err);
	else if ((why = noe_probe_node(opt->node)) != 0)
		rc = no_node(noe, opt, why, err);
	if (rc < 0)
		noe_close(noe);
	return rc;
}

static void
note_emulator(const struct npu_options *opt)
{
	struct npu_names say = option_names(opt);
	char line[400];

	if (opt->note == NULL)
		return;
	snprintf(line, sizeof(line), "no NPU here: using the emulator (%s asks "
	    "for it without this line, %s forbids it)", say.device_emu,
	    say.device_npu);
	opt->note(opt->note_arg, line);
}

/* Opens the emulator only if neither a node nor a vendor library exists. */
static int
open_auto(struct noe *noe, const struct npu_options *opt, struct tried *tried,
    struct npu_err *err)
{
	int rc = 0, why = noe_probe_node(opt->node);
	const char *node = opt->node != NULL ? opt->node : NPU_DEFAULT_NODE;

	if (!search(noe, tried)) {
		if (why != ENOENT || tried->present)
			return no_library(tried, opt, err);
		if ((rc = open_emulator(noe, opt, err)) < 0)
			return npu_prefix(err, rc, "no NPU here (neither %s "
			    "nor a vendor library)", node);
	} else if (noe->emulator && why != ENOENT) {
		rc = misplaced(noe, opt, err);
	} else if (!noe->emulator && why != 0) {
		rc = no_node(noe, opt, why, err);
	}
	if (rc < 0)
		noe_close(noe);
	else if (noe->emulator)
		note_emulator(opt);
	return rc;
}

/* Returns the library named by the option or by NPU_LIBRARY, and sets *by to
 * which of the two; NULL if the library is to be searched for. */
static const char *
named_library(const struct npu_options *opt, const char **by)
{
	const char *env = getenv("NPU_LIBRARY");

	*by = opt->library != NULL ? option_names(opt).library :
	    "NPU_LIBRARY";
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
	if ((rc = open_library(noe, opt, err)) < 0)
		return rc;
	noe->init_device = (uint32_t)device;
	noe->device_named = env != NULL && *env != '\0';
	return 0;
}

/* Opens the emulator for an ONNX model: the file that the options name, or else
 * the emulator that they would find, or else the file of NPU_LIBRARY, which may
 * name the vendor's library for other models. */
static int
find_for_onnx(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err)
{
	const char *by, *named = named_library(opt, &by);
	struct npu_err why;
	int rc;

	if (opt->library != NULL)
		return noe_open_file(noe, opt->library, err);
	if ((rc = open_emulator(noe, opt, err)) == 0 || named == NULL)
		return rc;
	return noe_open_file(noe, named, &why) == 0 ? 0 : rc;
}

int
noe_open_for_onnx(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err)
{
	struct npu_names say = option_names(opt);
	int rc;

	if (opt->device == NPU_DEVICE_NPU &&
	    opt->provider == NPU_PROVIDER_CPU)
		return npu_fail(err, NPU_EUSAGE, "an ONNX model runs on the "
		    "processor, and %s demands the NPU: give the .cix model "
		    "that CixBuilder compiles from it, or use %s",
		    say.device_npu, say.device_emu);
	if ((rc = find_for_onnx(noe, opt, err)) < 0)
		return npu_prefix(err, rc, "an ONNX model runs in the "
		    "emulator");
	if (noe->load_onnx != NULL)
		return 0;
	rc = npu_fail(err, noe->emulator ? NPU_ENODEV : NPU_EUSAGE, "an ONNX "
	    "model runs in the emulator of npu-utils " NPU_VERSION ", which "
	    "%s is not: leave %s out", noe->path, opt->library != NULL ?
	    say.library : "NPU_LIBRARY");
	noe_close(noe);
	return rc;
}

/* Opens the library or emulator that opt names, or else the vendor's
 * library. */
static int
open_any(struct noe *noe, const struct npu_options *opt)
{
	const char *by, *named = named_library(opt, &by);
	struct npu_err err;

	if (named != NULL)
		return noe_open_file(noe, named, &err);
	if (opt->device == NPU_DEVICE_EMU)
		return open_emulator(noe, opt, &err);
	return search(noe, NULL) ? 0 : NPU_ENODEV;
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
	struct noe noe;
	int rc = open_any(&noe, opt);

	if (rc < 0)
		return rc;
	noe_describe(&noe, about);
	noe_close(&noe);
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
