// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/bytes.h"
#include "diagnose/health/impl.h"
#include "diagnose/kmd.h"
#include "host/host.h"
#include "host/machine.h"
#include "host/platform.h"
#include "host/proc.h"
#include "host/process.h"
#include "host/sys.h"

enum {
	PATHS = 4 * SYS_PATH,
	INTERRUPTS_SIZE = 1 << 20,
};

/* Sets a fact to the first line of a file. */
static void
read_text(const struct health_reader *r, enum health_id id, const char *path)
{
	struct npu_err err = { .msg = "" };
	char word[HEALTH_TEXT];

	if (host_read_file(r->root, path, word, sizeof(word), &err) >= 0) {
		word[strcspn(word, "\n")] = '\0';
		health_set_text(r->h, id, word);
	} else if (err.detail == EACCES || err.detail == EPERM) {
		health_set_hidden(r, id, path);
	} else {
		host_note(r->trouble, &err);
	}
}

/* Sets a fact to the number in a file, divided by unit and rounded.  If the
 * file has anything else, the fact stays unknown. */
static void
read_number(const struct health_reader *r, enum health_id id, const char *path,
    uint64_t unit)
{
	int64_t v;

	read_text(r, id, path);
	if (r->h->fact[id].state != HEALTH_KNOWN)
		return;
	r->h->fact[id] = (struct health_fact){ .text = "" };
	if (sys_number(r->root, path, &v, r->trouble) && v >= 0)
		health_set_number(r->h, id, ((uint64_t)v + unit / 2) / unit);
}

/* ---- The machine ------------------------------------------------------- */

/*
 * Returns the size of a page; 0: unknown.  A huge page contains as many pages
 * as pointers of 8 bytes fit in a page (hpage_pmd_size: transhuge.rst of the
 * kernel).
 */
static uint64_t
page_bytes(const struct health_reader *r)
{
	int64_t huge;

	if (*r->root == '\0')
		return (uint64_t)sysconf(_SC_PAGESIZE);
	if (sys_number(r->root,
	    "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", &huge,
	    r->trouble))
		for (uint64_t n = 4096; n <= 65536; n *= 2)
			if ((uint64_t)huge == n * (n / 8))
				return n;
	return 0;
}

static void
read_memory(const struct health_reader *r)
{
	uint64_t page = page_bytes(r);
	struct host_memory m;
	struct npu_err err;

	if (page != 0)
		health_set_number(r->h, HEALTH_PAGE_BYTES, page);
	if (host_read_memory(r->root, &m, &err) == 0)
		health_set_number(r->h, HEALTH_MEMORY_FREE_MIB,
		    m.available / 1024);
	else
		host_note(r->trouble, &err);
}

static void
read_machine(const struct health_reader *r)
{
	char name[HOST_NAME];
	struct utsname u = { .release = "" };

	host_read_board(r->root, name, r->trouble);
	health_set_text(r->h, HEALTH_BOARD, name);
	host_read_firmware(r->root, name, r->trouble);
	health_set_text(r->h, HEALTH_FIRMWARE, name);
	/* If a processor emulator runs this program, uname(2) reports the
	 * emulated machine. */
	if (*r->root == '\0') {
		uname(&u);
		health_set_text(r->h, HEALTH_KERNEL, u.release);
		if (getenv("NPU_MODEL_PATH") != NULL)
			health_set_text(r->h, HEALTH_MODEL_PATH,
			    getenv("NPU_MODEL_PATH"));
	} else {
		read_text(r, HEALTH_KERNEL, "/proc/sys/kernel/osrelease");
	}
	read_memory(r);
}

/* Reads the driver that the module registered: the kernel makes a link to it
 * (module_add_driver). */
static void
read_drivers(const struct health_reader *r, const char *module)
{
	struct sys_names names;
	char path[PATHS];

	snprintf(path, sizeof(path), "/sys/module/%s/drivers", module);
	sys_list_names(r->root, path, &names, r->trouble);
	if (names.n > 0)
		health_set_text(r->h, HEALTH_MODULE_DRIVERS, names.v[0]);
}

/* The driver's module has one of these names (kernel-driver 1). */
static void
read_module(const struct health_reader *r)
{
	static const char *const names[] = { "aipu", "armchina_npu",
	    "armchina_npu_r2p0" };
	static const struct {
		enum health_id id;
		const char *file;
	} files[] = {
		{ HEALTH_MODULE_STATE, "initstate" },
		{ HEALTH_MODULE_VERSION, "version" },
		{ HEALTH_MODULE_SRCVERSION, "srcversion" },
	};
	char path[PATHS];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "/sys/module/%s", names[i]);
		if (!host_exists(r->root, path, r->trouble))
			continue;
		health_set_text(r->h, HEALTH_MODULE, names[i]);
		for (size_t k = 0; k < sizeof(files) / sizeof(*files); k++) {
			snprintf(path, sizeof(path), "/sys/module/%s/%s",
			    names[i], files[k].file);
			read_text(r, files[k].id, path);
		}
		snprintf(path, sizeof(path), "/sys/module/%s/refcnt",
		    names[i]);
		read_number(r, HEALTH_MODULE_USERS, path, 1);
		read_drivers(r, names[i]);
		return;
	}
}

/* Interrupts are listed under the driver's name (kernel-driver 5). */
static void
read_interrupts(const struct health_reader *r)
{
	char *text;
	struct npu_err err = { .msg = "" };
	uint64_t count;
	int n = host_load_file(r->root, "/proc/interrupts", INTERRUPTS_SIZE,
	    &text, &err);

	if (n >= 0 && host_parse_interrupts((struct bytes){ (uint8_t *)text,
	    (size_t)n }, "aipu", &count, NULL) == 0)
		health_set_number(r->h, HEALTH_INTERRUPTS, count);
	else if (n < 0 && (err.detail == EACCES || err.detail == EPERM))
		health_set_hidden(r, HEALTH_INTERRUPTS, "/proc/interrupts");
	else if (n < 0)
		host_note(r->trouble, &err);
	free(text);
}

/* ---- The device -------------------------------------------------------- */

/* Converts "400000000 600000000" to "400 600" MHz.  Any other text is
 * unknown. */
static void
set_mhz_available(struct health *h, const char *hz)
{
	char text[HEALTH_TEXT] = "", *end;
	size_t at = 0;

	for (;; hz = end) {
		unsigned long long v;

		while (*hz == ' ')
			hz++;
		if (*hz < '0' || *hz > '9')
			break;
		v = strtoull(hz, &end, 10);
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%llu",
		    at > 0 ? " " : "", (v + 500000) / 1000000);
		if (at >= sizeof(text))
			return;
	}
	if (*hz == '\0')
		health_set_text(h, HEALTH_MHZ_AVAILABLE, text);
}

/* Reads the device's clock, which may have any name. */
static void
read_clock(const struct health_reader *r, const char *device)
{
	char folder[SYS_PATH + 16], path[PATHS], word[HEALTH_TEXT];
	struct sys_names names;
	struct npu_err err;

	snprintf(folder, sizeof(folder), "%s/devfreq", device);
	sys_list_names(r->root, folder, &names, r->trouble);
	if (names.n == 0)
		return;
	health_set_text(r->h, HEALTH_DEVFREQ, names.v[0]);
	snprintf(path, sizeof(path), "%s/%s/governor", folder, names.v[0]);
	read_text(r, HEALTH_GOVERNOR, path);
	snprintf(path, sizeof(path), "%s/%s/cur_freq", folder, names.v[0]);
	read_number(r, HEALTH_MHZ, path, 1000000);
	snprintf(path, sizeof(path), "%s/%s/available_frequencies", folder,
	    names.v[0]);
	if (host_read_file(r->root, path, word, sizeof(word), &err) >= 0) {
		word[strcspn(word, "\n")] = '\0';
		set_mhz_available(r->h, word);
	} else {
		host_note(r->trouble, &err);
	}
}

static void
read_power(const struct health_reader *r, const char *device)
{
	char path[PATHS];

	snprintf(path, sizeof(path), "%s/power/control", device);
	read_text(r, HEALTH_POWER_CONTROL, path);
	snprintf(path, sizeof(path), "%s/power/runtime_status", device);
	read_text(r, HEALTH_POWER_STATUS, path);
	snprintf(path, sizeof(path), "%s/power/autosuspend_delay_ms", device);
	read_number(r, HEALTH_POWER_DELAY_MS, path, 1);
	snprintf(path, sizeof(path), "%s/power/runtime_active_time", device);
	read_number(r, HEALTH_POWER_ACTIVE_MS, path, 1);
	snprintf(path, sizeof(path), "%s/power/runtime_suspended_time",
	    device);
	read_number(r, HEALTH_POWER_SUSPENDED_MS, path, 1);
}

/* Reads the options of the kernel's command line that affect the IOMMU.  The
 * other options are not read, because they may be private. */
static void
read_options(const struct health_reader *r)
{
	static const char *const options[] = { "iommu=pt", "iommu=off",
	    "iommu.passthrough=1", "arm-smmu-v3.disable_bypass=0",
	    "arm-smmu.disable_bypass=0" };
	char line[4096], found[HEALTH_TEXT] = "", *word, *rest;
	struct npu_err err;
	size_t at = 0;

	if (host_read_file(r->root, "/proc/cmdline", line, sizeof(line),
	    &err) < 0) {
		host_note(r->trouble, &err);
		return;
	}
	for (word = strtok_r(line, " \n", &rest); word != NULL;
	    word = strtok_r(NULL, " \n", &rest))
		for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
			if (strcmp(word, options[i]) == 0 &&
			    at + strlen(word) + 2 < sizeof(found))
				at += (size_t)sprintf(found + at, "%s%s",
				    at > 0 ? " " : "", word);
	health_set_text(r->h, HEALTH_IOMMU_OPTIONS, found);
}

static void
read_iommu(const struct health_reader *r, const char *device)
{
	char path[PATHS], group[SYS_NAME];

	read_options(r);
	snprintf(path, sizeof(path), "%s/iommu_group", device);
	if (!host_link_name(r->root, path, group, r->trouble))
		return;
	health_set_text(r->h, HEALTH_IOMMU_GROUP, group);
	snprintf(path, sizeof(path), "/sys/kernel/iommu_groups/%s/type",
	    group);
	read_text(r, HEALTH_IOMMU_TYPE, path);
}

/* Finds the device by its ACPI name, or by the compatible string in the device
 * tree (kernel-driver 4). */
bool
health_find_device(const char *root, char name[SYS_NAME],
    char modalias[SYS_WORD], struct npu_err *trouble)
{
	static const char *const words[] = { "acpi:CIXH4000:",
	    "Carmchina,zhouyi", NULL };

	return host_find_platform(root, words, name, modalias, trouble);
}

/* Only ACPI has a device for each core. */
static void
read_platform(const struct health_reader *r)
{
	char name[SYS_NAME], alias[SYS_WORD], device[SYS_PATH], path[PATHS];
	char driver[SYS_NAME];
	bool acpi;

	if (!health_find_device(r->root, name, alias, r->trouble))
		return;
	acpi = strncmp(alias, "acpi:", 5) == 0;
	health_set_text(r->h, HEALTH_PLATFORM_DEVICE, name);
	health_set_text(r->h, HEALTH_MODALIAS, alias);
	health_set_text(r->h, HEALTH_DESCRIBED_BY,
	    acpi ? "ACPI" : "device tree");
	if (acpi)
		health_set_number(r->h, HEALTH_CORE_DEVICES, host_count_names(
		    r->root, "/sys/bus/acpi/devices", "CIXH4010:", r->trouble));
	snprintf(device, sizeof(device), "/sys/bus/platform/devices/%s", name);
	snprintf(path, sizeof(path), "%s/driver", device);
	if (host_link_name(r->root, path, driver, r->trouble))
		health_set_text(r->h, HEALTH_BOUND_DRIVER, driver);
	read_iommu(r, device);
	read_clock(r, device);
	read_power(r, device);
}

/* ---- The driver -------------------------------------------------------- */

static void
read_node(const struct health_reader *r)
{
	char mode[8], *full;
	struct stat st;
	int rc;

	if (asprintf(&full, "%s%s", r->root, r->node) < 0) {
		host_note_error(r->trouble, r->root, r->node, ENOMEM);
		return;
	}
	rc = stat(full, &st);
	if (rc < 0)
		host_note_error(r->trouble, r->root, r->node, errno);
	free(full);
	if (rc < 0)
		return;
	health_set_text(r->h, HEALTH_NODE, r->node);
	snprintf(mode, sizeof(mode), "%04o", (unsigned)st.st_mode & 07777);
	health_set_text(r->h, HEALTH_NODE_MODE, mode);
}

/* Lists the processes that have the node open: "npu-run (70), npu-top (81)", or
 * "nobody". */
static void
read_holders(const struct health_reader *r)
{
	char text[HEALTH_TEXT] = "", *real;
	struct host_holders list;
	size_t n = 0;

	if (!health_known(r->h, HEALTH_NODE))
		return;
	real = *r->root == '\0' ? realpath(r->node, NULL) : strdup(r->node);
	if (real == NULL) {
		host_note_error(r->trouble, r->root, r->node, errno);
		return;
	}
	host_list_holders(r->root, real, &list, r->trouble);
	free(real);
	if (list.n == 0 && list.hidden > 0) {
		r->h->fact[HEALTH_HOLDERS].state = HEALTH_HIDDEN;
		host_describe_hidden(&list, r->h->fact[HEALTH_HOLDERS].text,
		    HEALTH_TEXT);
		return;
	}
	for (size_t i = 0; i < list.n && n < sizeof(text); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s (%ld)",
		    i > 0 ? ", " : "", list.holder[i].name,
		    (long)list.holder[i].pid);
	health_set_text(r->h, HEALTH_HOLDERS, list.n == 0 ? "nobody" : text);
}

static void
read_capability(struct health *h, struct kmd *k)
{
	static const char *const statuses[] = { "idle", "busy", "exception" };
	struct kmd_cap c;
	char version[17];
	uint32_t status;

	if (kmd_query(k, &c, &h->driver) < 0)
		return;
	health_set_number(h, HEALTH_CAPABILITY_BYTES,
	    kmd_cap_bytes(k->generation));
	health_set_number(h, HEALTH_PARTITIONS, c.partitions);
	health_set_number(h, HEALTH_CLUSTERS, c.clusters);
	health_set_number(h, HEALTH_CORES, c.cores);
	health_set_number(h, HEALTH_CORES_ENABLED, c.enabled);
	health_set_number(h, HEALTH_TECS, c.tecs);
	health_set_number(h, HEALTH_ISA, c.isa);
	health_set_number(h, HEALTH_ON_CHIP_BYTES, (uint64_t)c.gm_bytes[0] +
	    c.gm_bytes[1]);
	if (kmd_version(k, version, sizeof(version), NULL) == 0)
		health_set_text(h, HEALTH_DRIVER_VERSION, version);
	if (kmd_ask(k, KMD_HW_STATUS, &status, sizeof(status), NULL) == 0 &&
	    status < sizeof(statuses) / sizeof(*statuses))
		health_set_text(h, HEALTH_STATUS, statuses[status]);
}

void
health_note_driver(struct npu_err *trouble, const struct npu_err *err)
{
	struct npu_err own = *err;

	if (own.code == NPU_ENODEV && (own.detail == ENOMEM ||
	    own.detail == EMFILE || own.detail == ENFILE ||
	    (own.detail == EIO && strncmp(own.msg, "/dev/", 5) != 0)))
		own.code = NPU_ESYSTEM;
	host_note(trouble, &own);
}

static void
read_driver(const struct health_reader *r)
{
	struct health *h = r->h;
	struct kmd k;

	if (kmd_open(&k, r->root, r->node, &h->driver) == 0) {
		read_capability(h, &k);
		kmd_close(&k);
		return;
	}
	health_note_driver(r->trouble, &h->driver);
	if (h->driver.detail != EACCES && h->driver.detail != EPERM)
		return;
	for (int i = HEALTH_CAPABILITY_BYTES; i <= HEALTH_STATUS; i++)
		health_set_hidden(r, (enum health_id)i, r->node);
}

void
health_read(struct health *h, const char *root,
    const struct npu_options *opt, const struct health_library *l)
{
	struct health_reader r = { .h = h, .trouble = &h->trouble,
	    .root = root, .opt = opt,
	    .node = opt->node != NULL ? opt->node : NPU_DEFAULT_NODE,
	    .library = *root == '\0' ? l : NULL };

	memset(h, 0, sizeof(*h));
	read_machine(&r);
	read_node(&r);
	read_holders(&r);
	read_module(&r);
	health_read_module_file(&r);
	read_driver(&r);
	read_platform(&r);
	read_interrupts(&r);
	health_read_log(&r);
	health_read_smmu(&r);
	health_read_packages(&r);
	health_read_library(&r);
	health_judge_pair(h);
	health_read_server(&r);
	h->container = health_is_container(&r);
	h->machine = health_judge_machine(h, opt);
	h->trace = h->fact[HEALTH_NODE].state == HEALTH_KNOWN ||
	    h->fact[HEALTH_MODULE].state == HEALTH_KNOWN ||
	    h->fact[HEALTH_PLATFORM_DEVICE].state == HEALTH_KNOWN;
}
