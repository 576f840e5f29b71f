// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "host/mounts.h"

/* ---- Types ------------------------------------------------------------ */

/* File systems on this machine's disks. */
static const char *const disks[] = {
	"bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfs",
	"hfsplus", "jffs2", "jfs", "minix", "msdos", "nilfs2", "ntfs",
	"ntfs3", "reiserfs", "ubifs", "ufs", "vfat", "xfs", "zfs", NULL
};

/* File systems that are not on disks, or always full, but never make a process
 * wait for a path. */
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

/* An overlay counts as a disk if it is the root of a container, because its
 * layers are on a disk. */
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

/* Decodes a backslash and three octal digits, in place (getmntent(3)). */
static void
decode_escapes(char *s)
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

/* Adds a line of the table, and cuts it into words.  The first word is empty if
 * the mount has no source; Linux writes one blank after each word. */
static void
add_line(struct host_mounts *all, char *line)
{
	struct host_mount m;
	char *type;

	m.source = strsep(&line, " ");
	m.path = strsep(&line, " ");
	type = strsep(&line, " ");
	if (type == NULL || m.path[0] != '/')
		return;
	decode_escapes(m.source);
	decode_escapes(m.path);
	m.kind = kind(m.path, type);
	all->mount[all->n++] = m;
}

static int
read_table(struct bytes b, struct host_mounts *all, struct npu_err *err)
{
	char *line, *rest;
	size_t lines = 0;

	for (size_t i = 0; i < b.n; i++)
		lines += b.p[i] == '\n' || i == b.n - 1;
	if (lines > HOST_MOUNTS)
		return npu_fail(err, NPU_EFORMAT,
		    "has %zu lines, more than %d", lines, HOST_MOUNTS);
	all->text = malloc(b.n + 1);
	all->mount = calloc(lines + 1, sizeof(*all->mount));
	if (all->text == NULL || all->mount == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (b.n > 0)
		memcpy(all->text, b.p, b.n);
	all->text[b.n] = '\0';
	for (line = strtok_r(all->text, "\n", &rest); line != NULL;
	    line = strtok_r(NULL, "\n", &rest))
		add_line(all, line);
	return 0;
}

/* ---- Selection -------------------------------------------------------- */

/* Mounts sorted by path; mounts at the same path are in the order of
 * mounting. */
struct by_path {
	const struct host_mount **mount;
	size_t n;
};

static int
path_then_place(const void *a, const void *b)
{
	const struct host_mount *x = *(const struct host_mount *const *)a;
	const struct host_mount *y = *(const struct host_mount *const *)b;
	int c = strcmp(x->path, y->path);

	return c != 0 ? c : x < y ? -1 : x > y;
}

/* The beginning of a path, to compare with a mount point. */
struct key {
	const char *path;
	size_t n;
};

static int
key_to_mount(const void *a, const void *b)
{
	const struct key *k = a;
	const struct host_mount *m = *(const struct host_mount *const *)b;
	int c = strncmp(k->path, m->path, k->n);

	return c != 0 ? c : m->path[k->n] == '\0' ? 0 : -1;
}

static bool
is_in(const struct by_path *set, const char *path, size_t n)
{
	struct key k = { path, n };

	return set->n > 0 && bsearch(&k, set->mount, set->n,
	    sizeof(*set->mount), key_to_mount) != NULL;
}

/* Returns whether path leads through one of the mount points. */
static bool
leads_through(const char *path, const struct by_path *above)
{
	if (is_in(above, "/", 1))
		return true;
	for (size_t i = 1; path[i] != '\0'; i++)
		if (path[i + 1] == '/' || path[i + 1] == '\0')
			if (is_in(above, path, i + 1))
				return true;
	return false;
}

/* Copies from all, in order, the disks that answer without waiting: disks that
 * no other mount covers, and that are not below a mount that may wait. */
static void
choose(const struct by_path *all, const struct by_path *others,
    struct host_mounts *d)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct host_mount *m = all->mount[i];

		if (i + 1 < all->n &&
		    strcmp(all->mount[i + 1]->path, m->path) == 0)
			continue;
		if (m->kind == HOST_MOUNT_DISK &&
		    !leads_through(m->path, others))
			d->mount[d->n++] = *m;
	}
}

/* Compares by source, then by length of path. */
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
	struct host_mounts table = { 0 }, found = { 0 };
	struct by_path all = { 0 }, others = { 0 };
	int rc;

	if ((rc = read_table(b, &table, err)) < 0)
		goto out;
	all.mount = calloc(table.n + 1, sizeof(*all.mount));
	others.mount = calloc(table.n + 1, sizeof(*others.mount));
	found.mount = calloc(table.n + 1, sizeof(*found.mount));
	if (all.mount == NULL || others.mount == NULL || found.mount == NULL) {
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < table.n; i++)
		all.mount[all.n++] = &table.mount[i];
	qsort(all.mount, all.n, sizeof(*all.mount), path_then_place);
	for (size_t i = 0; i < all.n; i++)
		if (all.mount[i]->kind == HOST_MOUNT_OTHER)
			others.mount[others.n++] = all.mount[i];
	choose(&all, &others, &found);
	keep_first_of_source(&found);
	found.text = table.text;
	table.text = NULL;
	*d = found;
	found = (struct host_mounts){ 0 };
out:
	host_mounts_free(&found);
	host_mounts_free(&table);
	free(others.mount);
	free(all.mount);
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
