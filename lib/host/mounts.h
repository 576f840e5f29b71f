/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the file systems in /proc/mounts that are disks and can be asked how
 * full they are.  The answer must not come over a network or from another
 * program, because then it may never come.
 */
#ifndef HOST_MOUNTS_H
#define HOST_MOUNTS_H

#include <stddef.h>

#include "base/bytes.h"
#include "npu.h"

enum host_mount_kind {
	HOST_MOUNT_OTHER,	/* unknown, or may wait */
	HOST_MOUNT_HARMLESS,	/* not a disk, but answers at once */
	HOST_MOUNT_DISK,
};

struct host_mount {
	char *source, *path;	/* \040 and similar escapes are decoded */
	enum host_mount_kind kind;
};

struct host_mounts {
	struct host_mount *mount;
	size_t n;
	char *text;		/* the memory that the mounts point into */
};

/* Most lines of a table: Linux allows 100,000 mounts (fs.mount-max). */
enum { HOST_MOUNTS = 1 << 17 };

/*
 * Finds the disks, sorted by path.  Lines that are not mounts are skipped.  A
 * mount is a disk if its type is listed, it is the last mount at its path, and
 * every mount above it has a listed type.  Each source is reported once, with
 * its shortest path.  A table of more than HOST_MOUNTS lines is refused,
 * because the missing lines could be mounts that must not be touched.  Free *d
 * with host_mounts_free().
 */
int host_parse_mounts(struct bytes b, struct host_mounts *d,
    struct npu_err *err);
void host_mounts_free(struct host_mounts *d);

/*
 * Returns the used percentage as df(1) computes it: used blocks divided by the
 * sum of used blocks and blocks that any user may still use.  Returns 0 for a
 * file system without blocks.
 */
double host_disk_percent(uint64_t blocks, uint64_t unused,
    uint64_t available);

#endif
