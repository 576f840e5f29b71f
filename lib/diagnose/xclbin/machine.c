// SPDX-License-Identifier: Apache-2.0
/* machine.c - reads what /sys and /proc show about an AMD NPU. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "diagnose/xclbin/machine_impl.h"
#include "host/host.h"
#include "host/platform.h"
#include "host/scan.h"

#define PCI "/sys/bus/pci/devices"

enum {
	DEVICES = 1 << 16,	/* most names read from a folder */
	PATHS = 3 * SYS_PATH,
};

/* ---- The device --------------------------------------------------------- */

/* Writes and returns the path of a file of the device. */
static const char *
device_path(const struct npu_machine *m, const char *file, char path[PATHS])
{
	snprintf(path, PATHS, PCI "/%s/%s", m->address, file);
	return path;
}

static void
read_word(struct npu_machine *m, const char *file, char word[SYS_WORD])
{
	char path[PATHS];

	if (!sys_word(m->root, device_path(m, file, path), word, &m->trouble))
		word[0] = '\0';
}

/* Returns the number in a file of the device, such as "0x1502"; 0 without a
 * number. */
static unsigned
read_hex(struct npu_machine *m, const char *file)
{
	char word[SYS_WORD];

	read_word(m, file, word);
	return (unsigned)strtoul(word, NULL, 16);
}

/* Reads the device at an address into *m; returns false if it is not an AMD
 * NPU. */
static bool
try_device(struct npu_machine *m, const char *address)
{
	snprintf(m->address, sizeof(m->address), "%.63s", address);
	if (read_hex(m, "vendor") != XDNA_VENDOR)
		return false;
	m->id = read_hex(m, "device");
	m->revision = read_hex(m, "revision");
	m->kind = xdna_find_kind(m->id, m->revision);
	return xdna_is_npu(m->id);
}

/* Finds the NPU with the lowest address. */
static void
find_device(struct npu_machine *m)
{
	DIR *d = sys_open_folder(m->root, PCI, &m->trouble);
	char found[SYS_NAME] = "";
	const char *name;

	for (int n = 0; n < DEVICES && (name = sys_next_name(d, m->root, PCI,
	    &m->trouble)) != NULL; n++)
		if (name[0] != '.' && strlen(name) < SYS_NAME &&
		    (found[0] == '\0' || strcmp(name, found) < 0) &&
		    try_device(m, name))
			strcpy(found, name);
	if (d != NULL)
		closedir(d);
	m->found = found[0] != '\0' && try_device(m, found);
}

/* ---- The driver and its node -------------------------------------------- */

static void
read_driver(struct npu_machine *m)
{
	char path[PATHS];

	if (!sys_word(m->root, "/proc/sys/kernel/osrelease", m->kernel,
	    &m->trouble))
		m->kernel[0] = '\0';
	if (!host_link_name(m->root, device_path(m, "driver", path), m->driver,
	    &m->trouble))
		m->driver[0] = '\0';
	m->module = host_exists(m->root, "/sys/module/amdxdna", &m->trouble);
	if (!sys_word(m->root, "/sys/module/amdxdna/version",
	    m->module_version, &m->trouble))
		m->module_version[0] = '\0';
}

static void
read_node(struct npu_machine *m)
{
	struct sys_numbers found;
	char path[PATHS];

	sys_list_numbers(m->root, device_path(m, "accel", path), "accel", "",
	    &found, &m->trouble);
	if (found.n == 0)
		return;
	snprintf(m->node, sizeof(m->node), "/dev/accel/accel%lu", found.v[0]);
	m->node_exists = host_exists(m->root, m->node, &m->trouble);
}

/* Reads whether a firmware file exists, compressed or not. */
static void
read_firmware(struct npu_machine *m)
{
	static const char *const folders[] = { "/lib", "/usr/lib" };
	static const char *const names[] = { "npu.sbin", "npu.sbin.xz",
	    "npu.sbin.zst", "npu_7.sbin", "npu_7.sbin.xz", "npu_7.sbin.zst" };
	char path[PATHS];

	read_word(m, "fw_version", m->firmware);
	for (size_t f = 0; f < sizeof(folders) / sizeof(*folders); f++)
		for (size_t i = 0; i < sizeof(names) / sizeof(*names) &&
		    !m->firmware_file; i++) {
			snprintf(path, sizeof(path), "%s/firmware/amdnpu/"
			    "%04x_%02x/%s", folders[f], m->id, m->revision,
			    names[i]);
			m->firmware_file = host_exists(m->root, path,
			    &m->trouble);
		}
}

/* ---- The machine -------------------------------------------------------- */

/*
 * Records an option of the kernel's command line about the IOMMU.  With
 * force_isolation, Linux does not check whether a device has PASIDs, except if
 * addresses are passed through (drivers/iommu/amd/iommu.c, iommu_init_device).
 */
static void
note_option(struct npu_machine *m, const char *word, bool *passes)
{
	static const char *const off[] = { "amd_iommu=off", "iommu=off",
	    "iommu=soft" };

	for (size_t i = 0; i < sizeof(off) / sizeof(*off); i++)
		if (strcmp(word, off[i]) == 0)
			strcpy(m->iommu_option, off[i]);
	m->isolated |= strcmp(word, "amd_iommu=force_isolation") == 0;
	*passes |= strcmp(word, "iommu=pt") == 0 ||
	    strcmp(word, "iommu.passthrough=1") == 0;
}

/* Does not keep the other options, because they may be private. */
static void
read_options(struct npu_machine *m)
{
	char line[4096], *word, *rest;
	struct npu_err err;
	bool passes = false;

	if (host_read_file(m->root, "/proc/cmdline", line, sizeof(line), &err)
	    < 0) {
		host_note(&m->trouble, &err);
		return;
	}
	for (word = strtok_r(line, " \n", &rest); word != NULL;
	    word = strtok_r(NULL, " \n", &rest))
		note_option(m, word, &passes);
	m->isolated &= !passes;
}

static void
read_iommu(struct npu_machine *m)
{
	char path[PATHS], features[SYS_WORD];

	read_options(m);
	/* The file has two numbers with a colon between them; the first one
	 * counts. */
	read_word(m, "iommu/amd-iommu/features", features);
	m->iommu_features = strtoull(features, NULL, 16);
	if (!host_link_name(m->root, device_path(m, "iommu_group", path),
	    m->iommu_group, &m->trouble)) {
		m->iommu_group[0] = '\0';
		return;
	}
	snprintf(path, sizeof(path), "/sys/kernel/iommu_groups/%s/type",
	    m->iommu_group);
	if (!sys_word(m->root, path, m->iommu_type, &m->trouble))
		m->iommu_type[0] = '\0';
}

/* Reads the soft limit from /proc/PID/limits (proc(5)). */
static void
parse_limits(struct npu_machine *m, struct bytes text)
{
	static const char name[] = "Max locked memory";
	struct bytes line;

	while (scan_line(&text, &line)) {
		if (!bytes_start(line, name))
			continue;
		bytes_sub(line, sizeof(name) - 1, line.n - sizeof(name) + 1,
		    &line);
		scan_blanks(&line);
		m->locked = UINT64_MAX;
		m->locked_known = bytes_start(line, "unlimited") ||
		    scan_uint(&line, &m->locked);
		return;
	}
}

static void
read_limits(struct npu_machine *m)
{
	char text[4096];
	struct npu_err err;
	int n = host_read_file(m->root, "/proc/self/limits", text,
	    sizeof(text), &err);

	if (n < 0)
		host_note(&m->trouble, &err);
	else
		parse_limits(m, (struct bytes){ (uint8_t *)text, (size_t)n });
}

/* Looks for files that Docker, Podman, and systemd leave in a container. */
static void
read_container(struct npu_machine *m)
{
	static const char *const files[] = { "/.dockerenv",
	    "/run/.containerenv", "/run/systemd/container" };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (m->container == NULL && host_exists(m->root, files[i],
		    &m->trouble))
			m->container = files[i];
}

void
npu_machine_read(struct npu_machine *m)
{
	find_device(m);
	if (!m->found)
		return;
	read_driver(m);
	read_node(m);
	read_firmware(m);
	read_word(m, "power/runtime_status", m->runtime);
	read_iommu(m);
	read_limits(m);
	read_container(m);
}

int
xclbin_check_machine(const char *root, const struct xdna_calls *calls,
    const struct xclbin_demands *demands,
    struct health_check checks[XCLBIN_MACHINE_CHECKS], struct npu_err *err)
{
	struct npu_machine m = { .root = root, .copy = calls == NULL,
	    .demands = demands, .answers = { .mode = -1 } };
	char path[PATH_MAX];

	npu_machine_read(&m);
	if (m.trouble.code != 0) {
		*err = m.trouble;
		return m.trouble.code;
	}
	if (calls != NULL && m.node_exists && !npu_has_user_queues(&m) &&
	    (size_t)snprintf(path, sizeof(path), "%s%s", root, m.node) <
	    sizeof(path))
		npu_ask(path, calls, &m.answers);
	npu_machine_judge(&m, checks);
	return 0;
}
