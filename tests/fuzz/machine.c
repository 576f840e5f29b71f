// SPDX-License-Identifier: Apache-2.0
/*
 * Files that describe a machine, read as --root reads them.  The input contains
 * some files, each after a byte 0x1e and the file's letter; the other files
 * have the contents that they have on a board.  Every text that is read is
 * terminated, and every number is possible.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "diagnose/health/health.h"
#include "host/machine.h"
#include "host/process.h"
#include "host/redact.h"
#include "large.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { BEGIN = 0x1e };

#define DMI "sys/class/dmi/id/"
#define NPU "sys/devices/platform/CIXH4000:00/"
#define FREQ NPU "devfreq/CIXH4000:00/"

static const struct {
	char letter;
	const char *path, *text;
} files[] = {
	{ 'A', "dev/aipu", "# 5.11.0\n0x8004410a 00000000\n"
	    "0x80084112 352e31312e3000\n" },
	{ 'B', DMI "sys_vendor", "Radxa\n" },
	{ 'C', DMI "product_name", "Orion O6\n" },
	{ 'D', DMI "bios_version", "1.0\n" },
	{ 'E', DMI "product_serial", "AB1234\n" },
	{ 'F', "proc/device-tree/compatible", "radxa,orion-o6\0" },
	{ 'G', "proc/sys/kernel/osrelease", "6.1.44-cix\n" },
	{ 'H', "proc/sys/kernel/hostname", "box.lab.example\n" },
	{ 'I', "etc/passwd", "ann:x:1000:1000:Ann B:/home/ann:/bin/sh\n" },
	{ 'J', "proc/cmdline", "root=/dev/sda1 iommu=pt quiet\n" },
	{ 'K', "proc/mounts", "/dev/sda1 / ext4 rw 0 0\n" },
	{ 'L', "proc/interrupts", " CPU0\n 7: 1 GICv3 391 Level aipu\n" },
	{ 'M', "proc/120/status", "Name:\tsh\nTgid:\t120\nVmHWM:\t9 kB\n" },
	{ 'N', "proc/120/stat", "120 (sh) S 1 1 1 0 -1 1 1 0 2 0 50 7 1\n" },
	{ 'O', "proc/120/comm", "npu-run\n" },
	{ 'P', "sys/module/aipu/version", "5.11.0\n" },
	{ 'Q', "sys/module/aipu/refcnt", "2\n" },
	{ 'R', "sys/module/aipu/initstate", "live\n" },
	{ 'S', NPU "modalias", "acpi:CIXH4000:\n" },
	{ 'T', NPU "power/runtime_status", "suspended\n" },
	{ 'U', NPU "power/runtime_active_time", "1234\n" },
	{ 'V', FREQ "governor", "userspace\n" },
	{ 'W', FREQ "cur_freq", "1200000000\n" },
	{ 'X', FREQ "available_frequencies", "400000000 1200000000 \n" },
	{ 'Y', "sys/kernel/iommu_groups/9/type", "DMA\n" },
	{ 'Z', "lib/modules/6.1.44-cix/modules.dep",
	    "updates/dkms/aipu.ko: kernel/x.ko\n" },
	{ 'a', "lib/modules/6.1.44-cix/updates/dkms/aipu.ko", "\177ELF" },
	{ 'b', "var/lib/dpkg/status", "Package: cix-noe-umd\n"
	    "Status: install ok installed\nVersion: 2.0.2\n" },
	{ 'c', "var/log/dmesg", "[    5.1] AIPU KMD (v5.11.0) probe start\n" },
	{ 'd', "etc/ld.so.conf.d/cix.conf", "/usr/share/cix/lib\n" },
	{ 'e', "usr/share/cix/lib/libnoe.so", "\177ELF" },
	{ 'f', "sys/class/thermal/thermal_zone0/type", "npu-thermal\n" },
	{ 'g', "sys/class/thermal/thermal_zone0/temp", "44250\n" },
	{ 'h', "sys/class/hwmon/hwmon1/name", "ina238\n" },
	{ 'i', "sys/class/hwmon/hwmon1/power1_input", "7250000\n" },
	{ 'j', "sys/class/hwmon/hwmon1/power1_label", "board\n" },
	{ 'k', "sys/class/power_supply/bat/type", "Battery\n" },
	{ 'l', "sys/class/power_supply/bat/status", "Discharging\n" },
	{ 'm', "sys/class/power_supply/bat/voltage_now", "12000000\n" },
	{ 'n', "sys/class/power_supply/bat/current_now", "1500000\n" },
	{ 'o', "sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
	    "schedutil\n" },
	{ 'p', "sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq",
	    "1800000\n" },
	{ 'q', "proc/cpuinfo", "CPU implementer\t: 0x41\nCPU part\t: 0xd81\n" },
	{ 'r', "proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 745 kB\n" },
	{ 's', "proc/loadavg", "0.46 0.50 0.61 2/345 6789\n" },
	{ 't', "proc/stat", "cpu  10 20 30 100 40 1 2 3 0 0\ncpu0 1 1 1 1\n" },
	{ 'u', "etc/group", "bob:x:1000:\nnpu:x:990:bob\n" },
	{ 'v', "lib/systemd/system/npu-serve.service", "[Unit]\n" },
};

enum { FILES = sizeof(files) / sizeof(*files) };

static const struct {
	const char *path, *to;
} links[] = {
	{ "sys/bus/platform/devices/CIXH4000:00",
	    "../../../devices/platform/CIXH4000:00" },
	{ NPU "driver", "../../../bus/platform/drivers/armchina" },
	{ NPU "iommu_group", "../../../kernel/iommu_groups/9" },
	{ "proc/120/fd/3", "/dev/aipu" },
};

static char root[4096];
static int file[FILES];		/* in memory: on a disk, files would be written
				   */
static bool changed[FILES];

/* ---- The tree ----------------------------------------------------------- */

static void
must(bool good)
{
	if (!good)
		abort();
}

static const char *
full(const char *path)
{
	static char name[sizeof(root) + 200];

	snprintf(name, sizeof(name), "%s/%s", root, path);
	return name;
}

static void
make_folders(const char *path)
{
	char *name = strdup(full(path));

	for (char *s = strchr(name + strlen(root) + 1, '/'); s != NULL;
	    s = strchr(s + 1, '/')) {
		*s = '\0';
		mkdir(name, 0700);
		*s = '/';
	}
	free(name);
}

static void
put(size_t i, const void *p, size_t n)
{
	must(ftruncate(file[i], 0) == 0 &&
	    pwrite(file[i], p, n, 0) == (ssize_t)n);
}

/* Makes file i in memory, and a link to it in the tree. */
static void
make_file(size_t i)
{
	char link[40];

	file[i] = memfd_create("file", MFD_CLOEXEC);
	must(file[i] >= 0);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", file[i]);
	make_folders(files[i].path);
	must(symlink(link, full(files[i].path)) == 0);
	changed[i] = true;
}

static void
remove_tree(void)
{
	char command[sizeof(root) + 20];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (system(command) != 0)
		fprintf(stderr, "%s is left\n", root);
}

/* Makes the tree beside the program, and removes it when the program ends. */
static void
make_tree(void)
{
	ssize_t n = readlink("/proc/self/exe", root, sizeof(root) - 40);

	must(n > 0);
	snprintf(root + n, 40, ".tree.%ld", (long)getpid());
	must(mkdir(root, 0700) == 0);
	atexit(remove_tree);
	for (size_t i = 0; i < FILES; i++)
		make_file(i);
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		make_folders(links[i].path);
		must(symlink(links[i].to, full(links[i].path)) == 0);
	}
}

static void
restore(void)
{
	for (size_t i = 0; i < FILES; i++) {
		if (changed[i])
			put(i, files[i].text, strlen(files[i].text));
		changed[i] = false;
	}
}

/* Takes one file: its letter, then its bytes. */
static void
take(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < FILES && n > 0; i++) {
		if (files[i].letter != (char)p[0])
			continue;
		put(i, p + 1, n - 1);
		changed[i] = true;
	}
}

/* ---- Reading ------------------------------------------------------------ */

static void
ends(const char *s, size_t n)
{
	must(memchr(s, '\0', n) != NULL);
}

static void
look_at_health(void)
{
	static struct health h;
	static struct health_check checks[HEALTH_CHECKS];
	struct npu_options opt = { 0 };
	size_t n;

	memset(&h, 'x', sizeof(h));
	health_read(&h, root, &opt, NULL);
	for (size_t i = 0; i < HEALTH_N; i++)
		ends(h.fact[i].text, sizeof(h.fact[i].text));
	must(h.log.n_troubles <= HEALTH_TROUBLES);
	n = health_run_checks(&h, checks);
	must(n <= HEALTH_CHECKS);
	for (size_t i = 0; i < n; i++) {
		ends(checks[i].finding, sizeof(checks[i].finding));
		ends(checks[i].next, sizeof(checks[i].next));
	}
}

static void
look_at_items(const struct host_items *items)
{
	must(items->n <= HOST_ITEMS);
	for (size_t i = 0; i < items->n; i++) {
		ends(items->item[i].name, sizeof(items->item[i].name));
		must(isfinite(items->item[i].value));
	}
}

static void
look_at_host(void)
{
	static struct host_items items;
	static struct host_freqs freqs;
	struct host_memory m;
	struct host_cpu cpu;
	char name[HOST_NAME];
	double load;

	host_read_board(root, name, NULL);
	ends(name, sizeof(name));
	host_read_firmware(root, name, NULL);
	ends(name, sizeof(name));
	host_read_cpu_name(root, name, NULL);
	ends(name, sizeof(name));
	if (host_read_name(root, name, NULL) >= 0)
		ends(name, sizeof(name));
	host_read_cpu(root, &cpu, NULL);
	host_read_memory(root, &m, NULL);
	host_read_load(root, &load, NULL);
	items.n = 0;
	host_read_zones(root, &items, NULL);
	host_read_hwmon(root, &items, NULL);
	host_read_power(root, &items, NULL);
	host_read_supplies(root, &items, NULL);
	look_at_items(&items);
	host_read_disks(root, &items, NULL, NULL);
	host_read_freqs(root, &freqs, NULL);
	must(freqs.n <= HOST_ITEMS);
}

static void
look_at_people(void)
{
	static struct host_holders holders;
	static const char text[] = "ann on box.lab.example has AB1234";
	struct redact p = { 0 };
	struct buf out = { 0 };
	uint64_t v;

	host_read_ticks(root, 120, &v, NULL);
	host_read_peak(root, 120, &v, NULL);
	host_read_group(root, 120, &v, NULL);
	host_list_holders(root, "/dev/aipu", &holders, NULL);
	must(holders.n <= HOST_ITEMS);
	redact_read_machine(&p, root);
	redact_text(&p, text, sizeof(text) - 1, &out);
	buf_free(&out);
	redact_free(&p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *end;

	if (root[0] == '\0')
		make_tree();
	restore();
	for (; n > 0; n -= (size_t)(end - p), p = end) {
		end = n > 1 ? memchr(p + 1, BEGIN, n - 1) : NULL;
		if (end == NULL)
			end = p + n;
		if (*p == BEGIN)
			take(p + 1, (size_t)(end - p) - 1);
	}
	look_at_health();
	look_at_host();
	look_at_people();
	return 0;
}
