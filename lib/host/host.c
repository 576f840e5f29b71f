// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/err.h"
#include "host/host.h"
#include "host/mounts.h"

/*
 * Limits for the size of a file.  A longer table of mounts is refused; other
 * files are cut: in /proc/stat the processors come first, with at most 100
 * bytes each.
 */
enum {
	STAT_SIZE = 1 << 20,
	MEMINFO_SIZE = 1 << 15,
	MOUNTS_SIZE = 1 << 26,	/* 512 bytes per mount */
	LINE_SIZE = 1 << 10,
	FIRST_SIZE = 1 << 14,	/* first buffer for a file of unknown size */
};

/* ---- Errors ------------------------------------------------------------ */

/*
 * Errors that are a valid answer of a file in /proc or /sys: the file does not
 * exist; its driver has no value, or its process has ended; we may not read it;
 * or the measured part is off, asleep or late, as reported by sensors of
 * wireless cards (ENETDOWN), of regmap (EBUSY) and of SCMI.
 */
static const int answers[] = {
	ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG,
	ENXIO, ENODEV, ENODATA, ENOTTY, EOPNOTSUPP, EINVAL, EAGAIN, ESRCH,
	EACCES, EPERM,
	EBUSY, ETIMEDOUT, ENETDOWN, ESHUTDOWN, EREMOTEIO, ECOMM, EPROTO, ERANGE,
};

/* EIO means that a disk failed, except in this machine's /sys, where a driver
 * returns it. */
static bool
is_answer(const struct npu_err *err)
{
	if (err->detail == EIO && strncmp(err->msg, "/sys/", 5) == 0)
		return true;
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++)
		if (err->detail == answers[i])
			return true;
	return false;
}

void
host_note(struct npu_err *trouble, const struct npu_err *err)
{
	if (trouble != NULL && trouble->code == 0 &&
	    err->code == NPU_ESYSTEM && !is_answer(err))
		*trouble = *err;
}

void
host_note_error(struct npu_err *trouble, const char *root, const char *path,
    int error)
{
	struct npu_err err;

	npu_fail_detail(&err, NPU_ESYSTEM, error, "%s%s: %s", root, path,
	    strerror(error));
	host_note(trouble, &err);
}

/* ---- Files ------------------------------------------------------------ */

/* Reads size bytes, or to the end of the file; returns -1 with errno on
 * failure. */
static ssize_t
read_all(int fd, char *p, size_t size)
{
	size_t n = 0;
	ssize_t r;

	while (n < size) {
		r = read(fd, p + n, size - n);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -1;
		if (r == 0)
			break;
		n += (size_t)r;
	}
	return (ssize_t)n;
}

/* Opens the plain file at path; returns -1 with errno on failure.  st_size is 0
 * for files in /proc. */
static int
open_plain(const char *path, struct stat *st)
{
	/* O_NONBLOCK: do not wait for a writer if path is a pipe. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd >= 0 && fstat(fd, st) == 0 && !S_ISREG(st->st_mode)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

/* A buffer for a file's bytes and a NUL: size bytes, which may grow to most. */
struct room {
	char *p;
	size_t size, most;
};

/* Returns false with errno on failure.  expected: size of the file in bytes; 0:
 * unknown. */
static bool
grow_room(struct room *r, size_t expected)
{
	size_t size = r->size > 0 ? 2 * r->size : FIRST_SIZE;
	char *p;

	/* One more byte, to see that the file ends. */
	if (size < expected + 2)
		size = expected + 2;
	if (size > r->most)
		size = r->most;
	if ((p = realloc(r->p, size)) == NULL)
		return false;
	r->p = p;
	r->size = size;
	return true;
}

/* Reads until the buffer is full or the file ends; returns -1 with errno on
 * failure. */
static ssize_t
fill_room(int fd, struct room *r, size_t expected)
{
	size_t n = 0;
	ssize_t got;

	do {
		if (r->size < r->most && !grow_room(r, expected))
			return -1;
		got = read_all(fd, r->p + n, r->size - 1 - n);
		if (got < 0)
			return -1;
		n += (size_t)got;
	} while (n == r->size - 1 && r->size < r->most);
	r->p[n] = '\0';
	return (ssize_t)n;
}

static int
read_plain(const char *root, const char *path, struct room *r,
    struct npu_err *err)
{
	struct stat st = { .st_size = 0 };
	ssize_t n = -1;
	char *full;
	int fd;

	if (asprintf(&full, "%s%s", root, path) < 0)
		return npu_fail_detail(err, NPU_ESYSTEM, ENOMEM, "%s%s: %s",
		    root, path, strerror(ENOMEM));
	fd = open_plain(full, &st);
	if (fd >= 0)
		n = fill_room(fd, r, (size_t)st.st_size);
	if (n < 0)
		npu_fail_detail(err, NPU_ESYSTEM, errno, "%s: %s", full,
		    strerror(errno));
	if (fd >= 0)
		close(fd);
	free(full);
	return n < 0 ? NPU_ESYSTEM : (int)n;
}

int
host_read_file(const char *root, const char *path, char *p, size_t size,
    struct npu_err *err)
{
	return read_plain(root, path, &(struct room){ p, size, size }, err);
}

int
host_load_file(const char *root, const char *path, size_t size, char **text,
    struct npu_err *err)
{
	struct room r = { .most = size };
	int n = read_plain(root, path, &r, err);

	if (n < 0) {
		free(r.p);
		r.p = NULL;
	}
	*text = r.p;
	return n;
}

bool
host_in_list(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (;; list++) {
		if (strncmp(list, name, n) == 0 &&
		    (list[n] == ',' || list[n] == '\0'))
			return true;
		if ((list = strchr(list, ',')) == NULL)
			return false;
	}
}

/* A file to parse. */
struct host_source {
	const char *root, *path;
	size_t size;
	bool whole;		/* a longer file is refused, not cut */
	int (*parse)(struct bytes b, void *to, struct npu_err *err);
};

static int
read_parsed(const struct host_source *s, void *to, struct npu_err *err)
{
	char *p;
	int n, rc;

	rc = n = host_load_file(s->root, s->path, s->size, &p, err);
	if (s->whole && n == (int)s->size - 1) {
		rc = npu_fail(err, NPU_EFORMAT, "%s%s: has more than %zu "
		    "bytes", s->root, s->path, s->size - 2);
	} else if (n >= 0) {
		rc = s->parse((struct bytes){ (uint8_t *)p, (size_t)n }, to,
		    err);
		if (rc < 0)
			npu_prefix(err, rc, "%s%s", s->root, s->path);
	}
	free(p);
	return rc;
}

static int
parse_stat(struct bytes b, void *to, struct npu_err *err)
{
	return host_parse_stat(b, to, err);
}

static int
parse_meminfo(struct bytes b, void *to, struct npu_err *err)
{
	return host_parse_meminfo(b, to, err);
}

static int
parse_loadavg(struct bytes b, void *to, struct npu_err *err)
{
	return host_parse_loadavg(b, to, err);
}

static int
parse_mounts(struct bytes b, void *to, struct npu_err *err)
{
	return host_parse_mounts(b, to, err);
}

int
host_read_cpu(const char *root, struct host_cpu *c, struct npu_err *err)
{
	return read_parsed(&(struct host_source){ root, "/proc/stat", STAT_SIZE,
	    false, parse_stat }, c, err);
}

int
host_read_memory(const char *root, struct host_memory *m, struct npu_err *err)
{
	return read_parsed(&(struct host_source){ root, "/proc/meminfo",
	    MEMINFO_SIZE, false, parse_meminfo }, m, err);
}

int
host_read_load(const char *root, double *load, struct npu_err *err)
{
	return read_parsed(&(struct host_source){ root, "/proc/loadavg",
	    LINE_SIZE, false, parse_loadavg }, load, err);
}

int
host_read_name(const char *root, char name[HOST_NAME], struct npu_err *err)
{
	int n = host_read_file(root, "/proc/sys/kernel/hostname", name,
	    HOST_NAME, err);

	if (n < 0)
		return n;
	name[strcspn(name, "\n")] = '\0';
	if (name[0] == '\0')
		return npu_fail(err, NPU_EFORMAT,
		    "%s/proc/sys/kernel/hostname: is empty", root);
	return 0;
}

/* ---- Disks ------------------------------------------------------------ */

/* Adds the disk at root + path, unless path is not a folder or does not
 * exist. */
static void
add_disk(const char *root, const char *path, struct host_items *disks,
    struct npu_err *trouble)
{
	struct host_item *i = &disks->item[disks->n];
	struct statfs s;
	char *full;
	int fd;

	if (asprintf(&full, "%s%s", root, path) < 0) {
		host_note_error(trouble, root, path, ENOMEM);
		return;
	}
	/* Files can be mounted also, such as /etc/hosts in a container. */
	fd = open(full, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && fstatfs(fd, &s) == 0) {
		snprintf(i->name, sizeof(i->name), "%s", path);
		i->value = host_disk_percent(s.f_blocks, s.f_bfree,
		    s.f_bavail);
		disks->n++;
	} else {
		host_note_error(trouble, root, path, errno);
	}
	if (fd >= 0)
		close(fd);
	free(full);
}

int
host_read_disks(const char *root, struct host_items *disks,
    struct npu_err *trouble, struct npu_err *err)
{
	/* "self" is this process.  With another root, the view of its first
	 * process is read. */
	struct host_source s = { root, *root != '\0' ? "/proc/1/mounts" :
	    "/proc/self/mounts", MOUNTS_SIZE, true, parse_mounts };
	struct host_mounts m = { 0 };
	int rc;

	rc = read_parsed(&s, &m, err);
	if (rc == NPU_ESYSTEM && *root != '\0') {
		s.path = "/proc/mounts";
		rc = read_parsed(&s, &m, err);
	}
	if (rc < 0)
		return rc;
	disks->n = 0;
	for (size_t i = 0; i < m.n && disks->n < HOST_ITEMS; i++)
		add_disk(root, m.mount[i].path, disks, trouble);
	host_mounts_free(&m);
	return 0;
}
