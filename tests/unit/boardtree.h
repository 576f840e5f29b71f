/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a board as a tree of files in a folder of its own, and changes the
 * tree. */
#ifndef TESTS_UNIT_BOARDTREE_H
#define TESTS_UNIT_BOARDTREE_H

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char board[PATH_MAX];

#define DEVICE "/sys/devices/platform/CIXH4000:00"
#define MODULES "/lib/modules/7.0.12"

/* Makes the folders that path leads through. */
static inline void
board_folders(const char *path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", board, path);
	for (char *s = full + strlen(board) + 1; *s != '\0'; s++)
		if (*s == '/') {
			*s = '\0';
			mkdir(full, 0700);
			*s = '/';
		}
}

/* Writes a file of the tree.  If p is NULL, removes the file. */
static inline void
board_bytes(const char *path, const void *p, size_t n)
{
	char full[2 * PATH_MAX];
	FILE *f;

	board_folders(path);
	snprintf(full, sizeof(full), "%s%s", board, path);
	unlink(full);
	if (p == NULL || (f = fopen(full, "wb")) == NULL)
		return;
	fwrite(p, 1, n, f);
	fclose(f);
}

static inline void
board_put(const char *path, const char *text)
{
	board_bytes(path, text, text != NULL ? strlen(text) : 0);
}

static inline void
board_link(const char *path, const char *to)
{
	char full[2 * PATH_MAX];

	board_folders(path);
	snprintf(full, sizeof(full), "%s%s", board, path);
	unlink(full);
	if (symlink(to, full) != 0)
		perror(full);
}

/* Returns the 200 bytes of the answer to QUERY_CAP, in hexadecimal digits: one
 * partition, with one cluster of 3 cores (kernel-driver 6). */
static inline const char *
board_cap(void)
{
	static char text[500];
	uint8_t b[200] = { 0 };
	uint32_t v[3] = { 3, 3, 4 };

	b[0] = 1;
	b[80] = 5;			/* the instruction set */
	b[96] = 1;			/* clusters */
	memcpy(b + 100, v, sizeof(v));
	for (size_t i = 0; i < sizeof(b); i++)
		snprintf(text + 2 * i, 3, "%02x", b[i]);
	return text;
}

/* "6.2.0" in bytes. */
#define BOARD_VERSION "0x80084112 362e322e3000\n"
#define BOARD_IDLE "0x8004410a 00000000\n"

static inline void
board_node(const char *rest)
{
	char text[2000];

	snprintf(text, sizeof(text), "0x80c84100 %s\n%s", board_cap(), rest);
	board_put("/dev/aipu", text);
}

/* Makes all files, without any fault, for driver 6.2.0 in ACPI. */
static inline void
board_make(void)
{
	static const char *const files[][2] = {
		{ "/proc/sys/kernel/osrelease", "7.0.12\n" },
		{ "/proc/meminfo", "MemTotal: 16000000 kB\n"
		    "MemAvailable: 8000000 kB\n" },
		{ "/proc/interrupts", "           CPU0\n"
		    " 77:   42  GICv3 391 Level  aipu\n" },
		{ "/proc/cmdline", "quiet iommu=pt\n" },
		{ "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
		    "2097152\n" },
		{ "/sys/class/dmi/id/product_name", "Orion O6\n" },
		{ "/sys/class/dmi/id/bios_version", "1.2\n" },
		{ "/sys/bus/acpi/devices/CIXH4010:00/x", "" },
		{ "/sys/bus/platform/drivers/armchina/x", "" },
		{ "/sys/kernel/iommu_groups/9/type", "DMA\n" },
		{ DEVICE "/modalias", "acpi:CIXH4000:\n" },
		{ DEVICE "/power/control", "auto\n" },
		{ DEVICE "/power/runtime_status", "suspended\n" },
		{ DEVICE "/power/runtime_active_time", "1234\n" },
		{ DEVICE "/power/runtime_suspended_time", "98765\n" },
		{ DEVICE "/devfreq/npu/governor", "userspace\n" },
		{ DEVICE "/devfreq/npu/cur_freq", "1200000000\n" },
		{ DEVICE "/devfreq/npu/available_frequencies",
		    "400000000 1200000000 \n" },
		{ "/sys/module/armchina_npu/initstate", "live\n" },
		{ "/sys/module/armchina_npu/version", "6.2.0\n" },
		{ "/sys/module/armchina_npu/refcnt", "2\n" },
		{ "/var/log/dmesg", "[    5.1] aipu: detected\n" },
		{ "/usr/share/cix/lib/libnoe.so.3.1.0", "" },
		{ "/usr/share/cix/lib/libaipudrv.so", "" },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		board_put(files[i][0], files[i][1]);
	board_link("/sys/bus/platform/devices/CIXH4000:00",
	    "../../../devices/platform/CIXH4000:00");
	board_link(DEVICE "/driver", "../../../bus/platform/drivers/armchina");
	board_link(DEVICE "/iommu_group", "../../../kernel/iommu_groups/9");
	board_node(BOARD_VERSION BOARD_IDLE);
}

static inline int
board_remove_one(const char *path, const struct stat *st, int flag,
    struct FTW *at)
{
	(void)st;
	(void)flag;
	(void)at;
	return remove(path);
}

static inline void
board_remove(void)
{
	nftw(board, board_remove_one, 20, FTW_DEPTH | FTW_PHYS);
}

/* Makes the board's folder, still empty, in the build tree. */
static inline bool
board_open(void)
{
	const char *b = getenv("B");
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/board.XXXXXX",
	    b != NULL ? b : "build");
	return mkdtemp(path) != NULL && realpath(path, board) != NULL;
}

#endif
