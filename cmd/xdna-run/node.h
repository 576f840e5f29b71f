/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the device nodes of accelerators, and the AMD NPU behind a node. */
#ifndef XDNA_RUN_NODE_H
#define XDNA_RUN_NODE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns the first node of an AMD NPU in /dev/accel.  If no node belongs to an
 * AMD NPU, returns the first node, which may belong to another driver; NULL if
 * /dev/accel does not have a node.  root is "" for this machine, or the folder
 * that contains another machine's dev and sys.  Owned by the caller.
 */
char *node_find(const char *root);

/* The device of a node, as described in sysfs. */
struct node_device {
	bool known;		/* an AMD NPU */
	bool user_queues;	/* AIE4: needs another interface */
	unsigned generation;	/* the generation of its instruction streams;
				   0: unknown, because the revision is */
};

struct node_device node_device(const char *root, const char *path);

#endif
