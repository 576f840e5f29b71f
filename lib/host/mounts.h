/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which file systems of /proc/mounts are disks that may be asked how full
 * they are: an answer must not have to come over a network or from another
 * program, for then it may never come.
 */
#ifndef HOST_MOUNTS_H
#define HOST_MOUNTS_H

#include <stddef.h>

#include "base/bytes.h"
#include "npu.h"

enum host_mount_kind {
	HOST_MOUNT_OTHER,	/* may have to wait, for all we know */
	HOST_MOUNT_HARMLESS,	/* no disk, but answers at once */
	HOST_MOUNT_DISK,
};

struct host_mount {
	char *source, *path;	/* \040 and the like are undone */
	enum host_mount_kind kind;
};

struct host_mounts {
	struct host_mount *mount;
	size_t n;
	char *text;		/* what they point into */
};

/* Lines of a table at most: Linux allows 100,000 mounts (fs.mount-max). */
enum { HOST_MOUNTS = 1 << 17 };

/*
 * The disks, in the order of their paths.  Of lines that are no mounts none is
 * taken.  A disk's type is one of a list; it is where it was mounted last;
 * each source comes once, where its path is shortest; and nothing above it is
 * of a type that is on no list.  A table of more than HOST_MOUNTS lines is
 * refused: those that are left out could be the ones that must not be touched.
 * Free *d with host_mounts_free().
 */
int host_parse_mounts(struct bytes b, struct host_mounts *d,
    struct npu_err *err);
void host_mounts_free(struct host_mounts *d);

/*
 * Percent that is used, as df(1) has it: of what is used and what anybody may
 * still use; 0 of a file system that has no blocks.
 */
double host_disk_percent(uint64_t blocks, uint64_t unused,
    uint64_t available);

#endif
