// SPDX-License-Identifier: Apache-2.0
/*
 * Which library is used, in cases that no program can cause: options that
 * programs always set, a node that may not be opened, and a model file that
 * cannot be read.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>

#include "device/info.h"
#include "device/noe.h"
#include "diagnose/health/health.h"
#include "model/cix.h"
#include "nomem.h"

static char odd[PATH_MAX], emulator[PATH_MAX], model[PATH_MAX];
static struct npu_err err;

/* Returns the message of noe_open(), or "" if the library was opened. */
static const char *
opened(const struct npu_options *opt)
{
	struct noe noe;

	err = (struct npu_err){ .msg = "" };
	if (noe_open(&noe, opt, &err) < 0)
		return err.msg;
	noe_close(&noe);
	return "";
}

static void
says(const char *what, struct npu_options opt, const char *text)
{
	const char *msg = opened(&opt);

	if (!ok(*text == '\0' ? *msg == '\0' : strstr(msg, text) != NULL,
	    "%s", what))
		diag("%s", msg);
}

static void
by_options(void)
{
	struct npu_options o = { .device = NPU_DEVICE_EMU };
	const struct npu_names named = { .library = "--lib",
	    .device_emu = "--emulate" };
	bool board = access(NPU_DEFAULT_NODE, F_OK) == 0;

	if (access("/usr/local/lib/npu-utils/libnoe-emu.so", F_OK) == 0)
		diag("the emulator is installed here");
	else
		says("without a named emulator, its absence is reported",
		    o, "the emulator cannot be loaded: neither "
		    "/usr/local/lib/");
	o.emulator = odd;
	says("a library that is not the emulator is refused as emulator",
	    o, "oddnoe.so is not the emulator");
	o.emulator = emulator;
	says("the emulator is opened", o, "");
	o.library = emulator;
	says("the emulator is opened as the library", o, "");
	o.library = odd;
	says("another library is refused if the emulator is required", o,
	    "oddnoe.so (named by npu_options.library) is not the emulator, "
	    "which NPU_DEVICE_EMU demands");
	o = (struct npu_options){ .library = emulator,
	    .device = NPU_DEVICE_NPU };
	says("the emulator is refused if the NPU is required",
	    o, "libnoe-emu.so (named by npu_options.library) is the emulator, "
	    "which NPU_DEVICE_NPU forbids");
	o.names = &named;
	says("the message uses the program's names for options",
	    o, "(named by --lib) is the emulator, which NPU_DEVICE_NPU "
	    "forbids: use --emulate, ");
	o = (struct npu_options){ .library = odd };
	says("a vendor's library needs a node", o, board ? "" :
	    "oddnoe.so is here, but " NPU_DEFAULT_NODE ": No such file");
	o = (struct npu_options){ .library = emulator };
	setenv("NPU_NOE_DEVICE", "", 1);
	says("an empty NPU_NOE_DEVICE is ignored", o, "");
	setenv("NPU_NOE_DEVICE", "x", 1);
	says("an NPU_NOE_DEVICE that is not a number is refused",
	    o, "NPU_NOE_DEVICE: 'x' is not");
	unsetenv("NPU_NOE_DEVICE");
}

/* Tests a machine without any library.  Runs first, because the emulator stays
 * loaded and is then found by its own name. */
static void
automatic(void)
{
	struct npu_options o = { .node = "/none/aipu", .emulator = emulator };
	struct noe noe;

	setenv("NPU_LIBRARY", "", 1);
	if (noe_find(&o, err.msg, sizeof(err.msg)) == 0) {
		diag("there is a vendor's library here");
		return;
	}
	o.emulator = "/none/libnoe-emu.so";
	says("without NPU, library and emulator, all three are reported",
	    o, "no NPU here (neither /none/aipu nor a vendor library): the "
	    "emulator cannot be loaded: /none/lib");
	o.node = model;			/* an existing file */
	says("a node without a library is reported",
	    o, "is there but no vendor library");
	o.node = NULL;
	o.device = NPU_DEVICE_NPU;
	says("without a node option, a missing library is reported",
	    o, "no vendor library");
	o = (struct npu_options){ .node = "/none/aipu", .emulator = emulator };
	ok(noe_open(&noe, &o, &err) == 0 && noe.emulator,
	    "an empty NPU_LIBRARY is ignored without a message");
	noe_close(&noe);
	unsetenv("NPU_LIBRARY");
}

/* Searches for a library.  No usable library is found; with little memory, less
 * is reported about the others. */
static int
search(struct npu_err *e)
{
	struct npu_options o = { .device = NPU_DEVICE_NPU };
	struct noe noe;
	int rc = noe_open(&noe, &o, e);

	if (strstr(e->msg, "(null)") != NULL)
		return NOMEM_WRONG;
	if (rc == NPU_ENODEV && (strstr(e->msg, "is the emulator") != NULL ||
	    strstr(e->msg, "vendor library here cannot be used") != NULL))
		return 0;
	return rc == 0 ? NOMEM_WRONG : rc;
}

/* The emulator is found under the vendor's name, because it is loaded. */
static void
misplaced(void)
{
	void *so = dlopen(emulator, RTLD_NOW | RTLD_LOCAL);
	struct npu_options o = { .device = NPU_DEVICE_NPU };
	char path[PATH_MAX + 20];
	struct noe_about about;

	says("the emulator in place of the vendor's library is refused", o,
	    "libnoe-emu.so is the emulator, found where the vendor's library "
	    "should be, and NPU_DEVICE_NPU forbids it");
	ok(noe_find(&o, path, sizeof(path)) == 0 &&
	    strstr(path, "libnoe-emu.so (the emulator)") != NULL, "noe_find() "
	    "gives the path and says that it is the emulator: %s", path);
	ok(noe_inspect(&o, &about) == 0 && about.emulator &&
	    strstr(about.path, "libnoe-emu.so") != NULL, "noe_inspect() gives "
	    "the path of the emulator: %s", about.path);
	nomem("searching for a library", search);
	if (so != NULL)
		dlclose(so);
}

/* Checks the generation of a library 3.x, which is found by opening the
 * library. */
static void
generation(const char *name, unsigned want)
{
	char folder[PATH_MAX + 10], path[PATH_MAX + 40];
	char command[3 * PATH_MAX];
	struct npu_options o = { .library = path };
	struct health_library l = { .generation = 0 };

	snprintf(folder, sizeof(folder), "%s.d", model);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	snprintf(command, sizeof(command), "mkdir '%s' && "
	    "cp '%.*s/noe3/libnoe.so.3.1.0' '%s'", folder,
	    (int)(strrchr(emulator, '/') - emulator), emulator, path);
	ok(system(command) == 0 && health_inspect_library(&o, &l) == 0 &&
	    l.generation == want && strcmp(l.path, path) == 0,
	    "library %s has generation %u", name,
	    (unsigned)l.generation);
	unlink(path);
	rmdir(folder);
}

static void
generations(void)
{
	struct npu_options o = { .library = odd };
	struct health_library l;

	generation("libnoe.so.4", 4);
	generation("libnoe.so", 3);
	ok(health_inspect_library(&o, &l) == 0 && l.generation == 2 &&
	    strcmp(l.lacks, "noe_ioctl, noe_get_partition_count, "
	    "noe_get_cluster_count, noe_get_core_count") == 0,
	    "the missing functions of oddnoe.so are reported: %s", l.lacks);
}

/* A node that may not be opened, and a node that fails. */
static void
nodes(void)
{
	static const struct {
		int error;
		const char *advice;
	} rows[] = {
		{ EACCES, "sudo usermod -aG npu $USER" },
		{ EPERM, "sudo usermod -aG npu $USER" },
		{ EIO, "see the kernel log" },
		{ ENOENT, "load the kernel driver" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct npu_options o = { .library = odd, .node = model };

		/* Only this call is ours; the loader makes its calls itself. */
		nomem_files = true;
		nomem_errno = rows[i].error;
		nomem_count = 0;
		nomem_at = 2;		/* after the library's path */
		says(strerror(rows[i].error), o, rows[i].advice);
		nomem_at = 0;
	}
	nomem_files = false;
}

/* A library of 3.x without its back end. */
static void
backends(void)
{
	static char name[] = "libnoe.so.3.1.0";
	char path[PATH_MAX + 40];
	struct noe n = { .path = name };

	snprintf(path, sizeof(path), "%.*s/noe3/libnoe.so.3.1.0",
	    (int)(strrchr(emulator, '/') - emulator), emulator);
	if ((n.dl = dlopen(path, RTLD_NOW | RTLD_LOCAL)) == NULL) {
		ok(false, "%s", dlerror());
		return;
	}
	setenv("AIPU_LIB_PATH", "", 1);
	ok(noe_init_refused(&err, &n, (noe_status_t)0x3f0) == NPU_ENODEV &&
	    strstr(err.msg, "init_context: unknown status (0x3F0): "
	    "libaipudrv.so cannot be read, ") == err.msg, "an unknown status "
	    "names the missing back end: %s", err.msg);
	setenv("AIPU_LIB_PATH", "/none/x.so", 1);
	ok(noe_init_refused(&err, &n, NOE_STATUS_ERROR_OPEN_DEV_FAIL) ==
	    NPU_ENODEV && strstr(err.msg, ": /none/x.so cannot be read, ") !=
	    NULL, "a status for no device names the missing back end: %s",
	    err.msg);
	setenv("AIPU_LIB_PATH", model, 1);
	ok(noe_init_refused(&err, &n, NOE_STATUS_ERROR_OPEN_DEV_FAIL) ==
	    NPU_ENODEV && strstr(err.msg, " does not load (") != NULL, "a back "
	    "end that does not load is named: %s",
	    err.msg);
	setenv("AIPU_LIB_PATH", path, 1);
	ok(noe_init_refused(&err, &n, NOE_STATUS_ERROR_OPEN_DEV_FAIL) ==
	    NPU_ENODEV && strstr(err.msg, "modprobe aipu") != NULL, "with a "
	    "working back end, the driver is the likely cause: %s",
	    err.msg);
	unsetenv("AIPU_LIB_PATH");
	dlclose(n.dl);
}

/* Calls library 3.x without a context: each call looks for the back end. */
static void
front(void)
{
	noe_status_t (*set_freq)(int), (*print)(char *, char *);
	noe_status_t (*status)(const context_handler_t *, void *);
	char path[PATH_MAX + 40];
	void *so, *back;

	snprintf(path, sizeof(path), "%.*s/noe3/libaipudrv.so",
	    (int)(strrchr(emulator, '/') - emulator), emulator);
	back = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	snprintf(path, sizeof(path), "%.*s/noe3/libnoe.so.3.1.0",
	    (int)(strrchr(emulator, '/') - emulator), emulator);
	so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (so == NULL || back == NULL) {
		ok(false, "%s", dlerror());
		return;
	}
	*(void **)&set_freq = dlsym(so, "noe_set_freq");
	*(void **)&print = dlsym(so, "aipu_printf");
	*(void **)&status = dlsym(back, "aipudrv_emu_status");
	setenv("AIPU_LIB_PATH", "/none", 1);
	ok(set_freq(9) == NOE_STATUS_ERROR_OPEN_DEV_FAIL &&
	    print(NULL, NULL) == NOE_STATUS_ERROR_OPEN_DEV_FAIL,
	    "calls fail without a back end");
	setenv("AIPU_LIB_PATH", "", 1);
	ok(set_freq(9) == NOE_STATUS_ERROR_INVALID_CONFIG &&
	    print(NULL, NULL) == NOE_STATUS_ERROR_NULL_PTR,
	    "with an empty AIPU_LIB_PATH, the loaded back end is used");
	unsetenv("AIPU_LIB_PATH");
	ok(status(NULL, NULL) == NOE_STATUS_ERROR_NULL_PTR,
	    "the back end refuses a status query without a context");
	dlclose(so);
	dlclose(back);
}

/* ---- Devices ----------------------------------------------------------- */

static void
topologies(void)
{
	static const struct {
		const char *knob, *value;
		uint32_t partitions, clusters, cores;
	} rows[] = {
		{ "ODD_NONE", "", 1, 2, 6 },
		{ "ODD_CLUSTERS", "70", 1, 70, 192 },
		{ "ODD_PARTITIONS", "70", 70, 128, 384 },
		{ "ODD_CORE", "0x14", 1, 2, 0 },
		{ "ODD_CLUSTER", "0x14", 1, 0, 0 },
		{ "ODD_PARTITION", "0x14", 0, 0, 0 },
		{ "ODD_IOCTL", "0x13", 1, 2, 6 },
		{ "ODD_TARGET", "0x14", 1, 2, 6 },
	};
	char more[PATH_MAX];
	struct npu_options o = { .library = more, .node = model };
	struct device_info i;

	snprintf(more, sizeof(more), "%.*s/oddmore.so",
	    (int)(strrchr(odd, '/') - odd), odd);
	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		setenv(rows[k].knob, rows[k].value, 1);
		ok(device_info_read(&o, &i, &err) == 0 &&
		    i.partitions == rows[k].partitions &&
		    i.clusters == rows[k].clusters &&
		    i.cores == rows[k].cores,
		    "a library with %s=%s has the right numbers of partitions, "
		    "clusters and cores", rows[k].knob,
		    rows[k].value);
		unsetenv(rows[k].knob);
	}
	setenv("ODD_INIT", "4", 1);
	ok(device_info_read(&o, &i, &err) == NPU_ENODEV &&
	    strstr(err.msg, "oddmore.so: init_context: ") != NULL, "a failed "
	    "init_context() is reported with the library: %s",
	    err.msg);
	unsetenv("ODD_INIT");
	o.library = odd;
	ok(device_info_read(&o, &i, &err) == 0 && i.partitions == 0,
	    "a library without the counting functions has 0 partitions");
}

/* ---- Models -------------------------------------------------------------- */

static int
open_model(struct npu_err *e)
{
	const struct npu_options o = { .device = NPU_DEVICE_EMU,
	    .emulator = emulator };
	struct npu *npu;
	int rc = npu_open(&npu, model, &o, e);

	if (rc < 0)
		return rc;
	rc = npu_input_size(npu) == 4 ? 0 : NOMEM_WRONG;
	npu_close(npu);
	return rc;
}

static bool
write_model(void)
{
	struct npu_tensor t = { .dtype = NPU_U8, .scale = 1, .ndim = 1,
	    .dim = { 4 }, .size = 4 };
	const struct cix_pack pack = { .name = "n", .inputs = &t,
	    .n_inputs = 1, .outputs = &t, .n_outputs = 1,
	    .device = CIX_ISA_EMULATOR << 16 };
	struct buf file = { 0 };
	const char *b = getenv("B");
	bool good = false;
	int fd;

	b = b != NULL ? b : "build";
	snprintf(model, sizeof(model), "%s/model.XXXXXX", b);
	snprintf(odd, sizeof(odd), "%s/tests/tools/oddnoe.so", b);
	snprintf(emulator, sizeof(emulator),
	    "%s/lib/npu-utils/libnoe-emu.so", b);
	if (cix_write(&pack, &file, NULL) == 0 &&
	    (fd = mkstemp(model)) >= 0) {
		good = write(fd, file.p, file.n) == (ssize_t)file.n;
		close(fd);
	}
	buf_free(&file);
	return good;
}

int
main(void)
{
	if (!write_model())
		return 1;
	unsetenv("NPU_LIBRARY");
	unsetenv("NPU_NOE_DEVICE");
	setenv("NPU_EMU_COMPUTE", "none", 1);
	automatic();
	by_options();
	misplaced();
	generations();
	nodes();
	backends();
	front();
	topologies();
	nomem("opening a model on the emulator", open_model);
	nomem_files = true;
	nomem_errno = EIO;
	nomem("opening a model on the emulator with errors of its file",
	    open_model);
	unlink(model);
	return done();
}
