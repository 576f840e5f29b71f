// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cmd.h"
#include "device/xdna/kinds.h"
#include "host/sys.h"
#include "node.h"

enum { NODES = 64 };

/* Returns the number, such as 0x1502, in a sysfs file of the node's device, or
 * 0 if the file cannot be read. */
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
	const struct xdna_kind *kind;
	struct stat st;
	unsigned device;

	if (stat(path, &st) < 0 || !S_ISCHR(st.st_mode) ||
	    read_hex(root, &st, "vendor") != XDNA_VENDOR)
		return d;
	device = read_hex(root, &st, "device");
	d.known = xdna_is_npu(device);
	kind = xdna_find_kind(device, read_hex(root, &st, "revision"));
	if (kind != NULL) {
		d.generation = kind->generation;
		d.user_queues = kind->columns == 0;
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
