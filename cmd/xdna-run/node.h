/* SPDX-License-Identifier: Apache-2.0 */
/* Device nodes of accelerators, and which AMD NPU is behind one. */
#ifndef XDNA_RUN_NODE_H
#define XDNA_RUN_NODE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Finds the first node of an AMD NPU in /dev/accel, else the first node at all,
 * which another driver may have; NULL: there is none.  root: "" for this
 * machine, else the folder with its dev and sys.  Owned by the caller.
 */
char *node_find(const char *root);

/* What sysfs says of a node. */
struct node_device {
	bool known;		/* it belongs to an AMD NPU */
	bool user_queues;	/* it needs another interface: AIE4 */
	unsigned generation;	/* of its instruction streams; 0: unknown, as
				   its revision is */
};

struct node_device node_device(const char *root, const char *path);

#endif
