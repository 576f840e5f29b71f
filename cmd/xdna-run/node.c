// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cmd.h"
#include "host/sys.h"
#include "node.h"

enum { NODES = 64, AMD = 0x1022 };

/* Numbers of PCI: drivers/accel/amdxdna of Linux 7.2 (amdxdna_pci_drv.c), and
 * amd/xdna-driver 856409ca for those with user-mode queues. */
static const struct {
	unsigned device, generation;	/* 0: user-mode queues */
} kinds[] = {
	{ 0x1502, 3 },				/* npu1 */
	{ 0x17f0, 4 },				/* npu2, npu4 to npu6 */
	{ 0x17f1, 0 }, { 0x17f2, 0 }, { 0x17f3, 0 },
	{ 0x1b0a, 0 }, { 0x1b0b, 0 }, { 0x1b0c, 0 },
};

/* The number in a file of the device behind a node, "0x1502"; 0: none. */
static unsigned
read_hex(const char *root, const struct stat *st, const char *file)
{
	char path[100], word[SYS_WORD];

	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/%s",
	    major(st->st_rdev), minor(st->st_rdev), file);
	return sys_word(root, path, word, NULL) ?
	    (unsigned)strtoul(word, NULL, 16) : 0;
}

struct node_device
node_device(const char *root, const char *path)
{
	struct node_device d = { .known = false };
	struct stat st;
	unsigned device;

	if (stat(path, &st) < 0 || !S_ISCHR(st.st_mode) ||
	    read_hex(root, &st, "vendor") != AMD)
		return d;
	device = read_hex(root, &st, "device");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].device == device) {
			d.known = true;
			d.generation = kinds[i].generation;
			d.user_queues = d.generation == 0;
		}
	return d;
}

char *
node_find(const char *root)
{
	char *first = NULL, *path;

	for (int i = 0; i < NODES; i++) {
		path = cmd_text("%s/dev/accel/accel%d", root, i);
		if (access(path, F_OK) == 0 && node_device(root, path).known) {
			free(first);
			return path;
		}
		if (first == NULL && access(path, F_OK) == 0)
			first = path;
		else
			free(path);
	}
	return first;
}
