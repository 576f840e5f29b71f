/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file systems of /proc/mounts that are disks and can be asked how full
 * they are: the answer must not come over a network or from another program,
 * because then it may never come.
 */
#ifndef HOST_MOUNTS_H
#define HOST_MOUNTS_H

#include <stddef.h>

#include "base/bytes.h"
#include "npu.h"

enum host_mount_kind {
	HOST_MOUNT_OTHER,	/* may wait, or unknown */
	HOST_MOUNT_HARMLESS,	/* not a disk, but answers at once */
	HOST_MOUNT_DISK,
};

struct host_mount {
	char *source, *path;	/* \040 and the like are decoded */
	enum host_mount_kind kind;
};

struct host_mounts {
	struct host_mount *mount;
	size_t n;
	char *text;		/* the memory they point into */
};

/* The most lines of a table: Linux allows 100,000 mounts (fs.mount-max). */
enum { HOST_MOUNTS = 1 << 17 };

/*
 * Finds the disks, in order of path.  Lines that are no mounts are skipped.
 * A disk is of a listed type; at its path it is the last mount; each source
 * comes once, with its shortest path; and every mount above it is of a listed
 * type.  A table of more than HOST_MOUNTS lines is refused: the missing ones
 * could be those that must not be touched.  Free *d with host_mounts_free().
 */
int host_parse_mounts(struct bytes b, struct host_mounts *d,
    struct npu_err *err);
void host_mounts_free(struct host_mounts *d);

/* The used share in percent, as df(1) computes it: of the used blocks and those
 * that any user may still use; 0 for a file system without blocks. */
double host_disk_percent(uint64_t blocks, uint64_t unused,
    uint64_t available);

#endif
