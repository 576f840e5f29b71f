// SPDX-License-Identifier: Apache-2.0
/* create.c - creates an index that appears complete or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "store/create.h"
#include "store/layout.h"

/* Creates a new file beside path to write to; the caller frees *name. */
static int
create_beside(const char *path, char **name, struct npu_err *err)
{
	const char *slash = strrchr(path, '/');
	int dir = slash != NULL ? (int)(slash - path) + 1 : 0, fd;
	uint64_t r;

	for (int tries = 0; tries < 100; tries++) {
		if (getrandom(&r, sizeof(r), GRND_NONBLOCK) != sizeof(r))
			r = (uint64_t)getpid() << 32 | (unsigned)tries;
		if (asprintf(name, "%.*s.npu-%016llx", dir, path,
		    (unsigned long long)r) < 0)
			return npu_fail(err, NPU_ESYSTEM, "out of memory");
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    0666);
		if (fd >= 0)
			return fd;
		free(*name);
		if (errno != EEXIST)
			break;
	}
	return npu_fail(err, NPU_ESYSTEM, "cannot be made: %s",
	    strerror(errno));
}

static int
fill(int fd, const struct index_header *h, struct npu_err *err)
{
	struct buf b = { 0 };
	int rc = layout_put_header(&b, h, err);

	errno = ENOSPC;		/* after a short write */
	if (rc == 0 && (write(fd, b.p, b.n) != (ssize_t)b.n ||
	    (fsync(fd) < 0 && errno != EINVAL)))
		rc = npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	buf_free(&b);
	return rc;
}

/* Gives the file its name, unless another process was faster, which is equally
 * good. */
static int
give_name(const char *name, const char *path, struct npu_err *err)
{
	if (renameat2(AT_FDCWD, name, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	/* The file system does not support RENAME_NOREPLACE. */
	if ((errno == EINVAL || errno == ENOSYS) && link(name, path) == 0)
		errno = EEXIST;
	if (errno == EEXIST) {
		unlink(name);
		return 0;
	}
	return npu_fail(err, NPU_ESYSTEM, "cannot be made: %s",
	    strerror(errno));
}

/* Creates the file at path, which is not a link. */
static int
create(const char *path, const struct index_header *h, struct npu_err *err)
{
	char *name;
	int fd, rc;

	if ((fd = create_beside(path, &name, err)) < 0)
		return fd;
	rc = fill(fd, h, err);
	close(fd);
	if (rc == 0)
		rc = give_name(name, path, err);
	if (rc < 0)
		unlink(name);
	free(name);
	return rc;
}

/* Does the same if links may lead to the file. */
static int
create_target(const char *path, const struct index_header *h,
    struct npu_err *err)
{
	char *target = file_target(path);
	int rc;

	if (target == NULL)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	rc = create(target, h, err);
	free(target);
	return rc;
}

int
create_is_current(int fd, const char *path, struct npu_err *err)
{
	struct stat a, b;

	if (fstat(fd, &a) < 0 || stat(path, &b) < 0)
		return npu_fail(err, NPU_ESYSTEM, "while it is in use: %s",
		    strerror(errno));
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* ---- Empty files ------------------------------------------------------- */

/* Such as a file made by mktemp(1). */
static bool
is_empty(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0;
}

/* Replaces another file by a new index, with the same permissions. */
static int
put_over(int old, const char *path, const struct index_header *h,
    struct npu_err *err)
{
	struct stat st;
	char *name;
	int fd, rc;

	if ((fd = create_beside(path, &name, err)) < 0)
		return fd;
	rc = fill(fd, h, err);
	if (rc == 0 && (fstat(old, &st) < 0 ||
	    fchmod(fd, st.st_mode & 07777) < 0 || rename(name, path) < 0))
		rc = npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	close(fd);
	if (rc < 0)
		unlink(name);
	free(name);
	return rc;
}

int
create_over(int fd, const char *path, const struct index_header *h,
    struct npu_err *err)
{
	char *target = file_target(path);
	int rc;

	if (target == NULL)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	rc = put_over(fd, target, h, err);
	free(target);
	return rc;
}

/* Replaces the empty file fd, unless another process was faster: of the
 * processes that wait for its lock, only one finds fd still at path. */
static int
replace_empty(int fd, const char *path, const struct index_header *h,
    struct npu_err *err)
{
	int rc;

	if (flock(fd, LOCK_EX) < 0)
		return npu_fail(err, errno == EINTR ? NPU_ESTOPPED :
		    NPU_ESYSTEM, "%s", strerror(errno));
	if ((rc = create_is_current(fd, path, err)) > 0 && is_empty(fd))
		rc = create_over(fd, path, h, err);
	return rc;
}

/* ---- Opening ----------------------------------------------------------- */

enum { NOT_YET = 1 };

/* Returns 0 with the file in *fd, or NOT_YET if the file was made and must now
 * be opened. */
static int
try_open(int *fd, const char *path, const struct index_header *h,
    struct npu_err *err)
{
	int rc;

	*fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd < 0 && errno != ENOENT)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (*fd >= 0 && !is_empty(*fd))
		return 0;
	if (*fd >= 0) {
		rc = replace_empty(*fd, path, h, err);
		close(*fd);
	} else {
		rc = create_target(path, h, err);
	}
	return rc < 0 ? rc : NOT_YET;
}

int
create_or_open(const char *path, const struct index_header *h,
    struct npu_err *err)
{
	int fd, rc;

	for (int tries = 0; tries < 3; tries++)
		if ((rc = try_open(&fd, path, h, err)) != NOT_YET)
			return rc < 0 ? rc : fd;
	return npu_fail(err, NPU_ESYSTEM, "is removed by another process "
	    "whenever it is made");
}
