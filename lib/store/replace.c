// SPDX-License-Identifier: Apache-2.0
/* replace.c - prepares the replacement of an index by another file. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/err.h"
#include "store/create.h"
#include "store/layout.h"

/* Locks the file that path leads to.  Returns 1, or 0 if another file has taken
 * its place. */
static int
lock_file(int fd, const char *path, struct npu_err *err)
{
	if (flock(fd, LOCK_EX) < 0)
		return npu_fail(err, errno == EINTR ? NPU_ESTOPPED :
		    NPU_ESYSTEM, "while waiting for the lock: %s",
		    strerror(errno));
	return create_is_current(fd, path, err);
}

int
index_lock(const char *path, struct npu_err *err)
{
	int fd, rc;

	do {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd < 0)
			return npu_fail(err, NPU_ESYSTEM, "%s",
			    strerror(errno));
		if ((rc = lock_file(fd, path, err)) > 0)
			return fd;
		close(fd);
	} while (rc == 0);
	return rc;
}

int
index_put_header(struct buf *b, const struct index_header *h,
    struct npu_err *err)
{
	return layout_put_header(b, h, err);
}

void
index_put_row(struct buf *b, uint32_t dim, uint64_t at,
    const struct index_row *row)
{
	layout_put_record(b, dim, at, 0, row);
}
