// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "emu/file.h"

static int
read_rest(int fd, size_t limit, struct buf *out, struct npu_err *err)
{
	ssize_t n;
	void *at;

	for (;;) {
		if ((at = buf_reserve(out, 65536)) == NULL)
			return npu_fail(err, NPU_ESYSTEM, "out of memory");
		if ((n = read(fd, at, 65536)) == 0)
			return 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return npu_fail(err, NPU_ESYSTEM,
			    "cannot be read: %s", strerror(errno));
		out->n += (size_t)n;
		if (out->n > limit)
			return npu_fail(err, NPU_EFORMAT,
			    "more than %zu bytes", limit);
	}
}

int
file_read(const char *path, size_t limit, struct buf *out,
    struct npu_err *err)
{
	struct stat s;
	int fd, rc;

	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return npu_fail(err, NPU_ESYSTEM, "cannot be opened: %s",
		    strerror(errno));
	if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode) &&
	    (uint64_t)s.st_size <= limit)
		buf_reserve(out, (size_t)s.st_size + 65536);
	rc = read_rest(fd, limit, out, err);
	close(fd);
	if (rc < 0)
		buf_free(out);
	return rc;
}
