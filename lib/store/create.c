// SPDX-License-Identifier: Apache-2.0
/* create.c - a new index appears whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "store/create.h"
#include "store/layout.h"

/* Creates a new file beside path; *name is the caller's to free. */
static int
open_beside(const char *path, char **name, struct npu_err *err)
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

/* Gives the file its name, unless another process was first, which is as
 * good. */
static int
settle(const char *name, const char *path, struct npu_err *err)
{
	if (renameat2(AT_FDCWD, name, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	/* The file system does not support it. */
	if ((errno == EINVAL || errno == ENOSYS) && link(name, path) == 0)
		errno = EEXIST;
	if (errno == EEXIST) {
		unlink(name);
		return 0;
	}
	return npu_fail(err, NPU_ESYSTEM, "cannot be made: %s",
	    strerror(errno));
}

static int
create(const char *path, const struct index_header *h, struct npu_err *err)
{
	char *name;
	int fd, rc;

	if ((fd = open_beside(path, &name, err)) < 0)
		return fd;
	rc = fill(fd, h, err);
	close(fd);
	if (rc == 0)
		rc = settle(name, path, err);
	if (rc < 0)
		unlink(name);
	free(name);
	return rc;
}

int
create_or_open(const char *path, const struct index_header *h,
    struct npu_err *err)
{
	int fd, rc;

	for (int tries = 0; tries < 3; tries++) {
		fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd >= 0)
			return fd;
		if (errno != ENOENT)
			return npu_fail(err, NPU_ESYSTEM, "%s",
			    strerror(errno));
		if ((rc = create(path, h, err)) < 0)
			return rc;
	}
	return npu_fail(err, NPU_ESYSTEM, "a link to nothing, or removed "
	    "whenever it is made");
}
