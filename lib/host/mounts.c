// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "host/mounts.h"

/* ---- Lists ------------------------------------------------------------ */

/* On disks of this machine. */
static const char *const disks[] = {
	"bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfs",
	"hfsplus", "jffs2", "jfs", "minix", "msdos", "nilfs2", "ntfs",
	"ntfs3", "reiserfs", "ubifs", "ufs", "vfat", "xfs", "zfs", NULL
};

/* No disks, or always full, but nothing that a path has to wait for. */
static const char *const harmless[] = {
	"cramfs", "devtmpfs", "erofs", "iso9660", "overlay", "ramfs",
	"romfs", "rootfs", "squashfs", "sysfs", "tmpfs", "udf", NULL
};

static bool
listed(const char *const *list, const char *type)
{
	for (; *list != NULL; list++)
		if (strcmp(*list, type) == 0)
			return true;
	return false;
}

/* An overlay is a disk as the root of a container: its layers lie on one. */
static enum host_mount_kind
kind(const char *path, const char *type)
{
	if (listed(disks, type))
		return HOST_MOUNT_DISK;
	if (strcmp(type, "overlay") == 0 && strcmp(path, "/") == 0)
		return HOST_MOUNT_DISK;
	return listed(harmless, type) ? HOST_MOUNT_HARMLESS : HOST_MOUNT_OTHER;
}

/* ---- The table -------------------------------------------------------- */

/* Three octal digits after a backslash, in place (getmntent(3)). */
static void
undo_octal(char *s)
{
	char *to = s;

	for (; *s != '\0'; s++, to++) {
		unsigned v = 0;
		int i = 0;

		if (*s == '\\')
			for (i = 1; i <= 3 && s[i] >= '0' && s[i] <= '7'; i++)
				v = v * 8 + (unsigned)(s[i] - '0');
		*to = *s;
		if (i == 4 && v > 0 && v < 256) {
			*to = (char)v;
			s += 3;
		}
	}
	*to = '\0';
}

/* Adds a line of the table, which is cut into words. */
static void
add_line(struct host_mounts *all, char *line)
{
	struct host_mount m;
	char *rest, *type;

	m.source = strtok_r(line, " ", &rest);
	m.path = strtok_r(NULL, " ", &rest);
	type = strtok_r(NULL, " ", &rest);
	if (type == NULL || m.path[0] != '/')
		return;
	undo_octal(m.source);
	undo_octal(m.path);
	m.kind = kind(m.path, type);
	all->mount[all->n++] = m;
}

static int
read_table(struct bytes b, struct host_mounts *all, struct npu_err *err)
{
	char *line, *rest;

	all->text = malloc(b.n + 1);
	all->mount = calloc(HOST_MOUNTS, sizeof(*all->mount));
	if (all->text == NULL || all->mount == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (b.n > 0)
		memcpy(all->text, b.p, b.n);
	all->text[b.n] = '\0';
	for (line = strtok_r(all->text, "\n", &rest);
	    line != NULL && all->n < HOST_MOUNTS;
	    line = strtok_r(NULL, "\n", &rest))
		add_line(all, line);
	return 0;
}

/* ---- The rule --------------------------------------------------------- */

/* Whether the way to path goes through the mount point above. */
static bool
leads_through(const char *path, const char *above)
{
	size_t n = strlen(above);

	if (n == 1)
		return true;
	return strncmp(path, above, n) == 0 &&
	    (path[n] == '/' || path[n] == '\0');
}

/* A disk, and asking it cannot hang. */
static bool
may_be_asked(const struct host_mounts *all, size_t at)
{
	const struct host_mount *m = &all->mount[at];

	if (m->kind != HOST_MOUNT_DISK)
		return false;
	for (size_t i = 0; i < all->n; i++) {
		const struct host_mount *o = &all->mount[i];

		if (i > at && strcmp(o->path, m->path) == 0)
			return false;	/* it is covered */
		if (o->kind == HOST_MOUNT_OTHER &&
		    leads_through(m->path, o->path))
			return false;
	}
	return true;
}

/* By source, then the shortest path first. */
static int
by_source(const void *a, const void *b)
{
	const struct host_mount *x = a, *y = b;
	size_t nx = strlen(x->path), ny = strlen(y->path);
	int c = strcmp(x->source, y->source);

	if (c != 0)
		return c;
	if (nx != ny)
		return nx < ny ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int
by_path(const void *a, const void *b)
{
	const struct host_mount *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static void
keep_first_of_source(struct host_mounts *d)
{
	size_t n = 0;

	qsort(d->mount, d->n, sizeof(*d->mount), by_source);
	for (size_t i = 0; i < d->n; i++)
		if (n == 0 || strcmp(d->mount[n - 1].source,
		    d->mount[i].source) != 0)
			d->mount[n++] = d->mount[i];
	d->n = n;
	qsort(d->mount, d->n, sizeof(*d->mount), by_path);
}

int
host_parse_mounts(struct bytes b, struct host_mounts *d, struct npu_err *err)
{
	struct host_mounts all = { 0 };
	bool *asked;
	size_t n = 0;
	int rc;

	asked = calloc(HOST_MOUNTS, sizeof(*asked));
	if (asked == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((rc = read_table(b, &all, err)) < 0)
		goto out;
	for (size_t i = 0; i < all.n; i++)
		asked[i] = may_be_asked(&all, i);
	for (size_t i = 0; i < all.n; i++)
		if (asked[i])
			all.mount[n++] = all.mount[i];
	all.n = n;
	keep_first_of_source(&all);
	*d = all;
	all = (struct host_mounts){ 0 };
out:
	host_mounts_free(&all);
	free(asked);
	return rc;
}

void
host_mounts_free(struct host_mounts *d)
{
	free(d->mount);
	free(d->text);
	*d = (struct host_mounts){ 0 };
}

double
host_disk_percent(uint64_t blocks, uint64_t unused, uint64_t available)
{
	double used = unused < blocks ? (double)(blocks - unused) : 0;
	double all = used + (double)available;

	return all > 0 ? 100 * used / all : 0;
}
