// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "emu/file.h"

int
file_load(const char *path, size_t limit, struct buf *out,
    struct npu_err *err)
{
	int fd, rc;

	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return npu_fail(err, NPU_ESYSTEM, "cannot be opened: %s",
		    strerror(errno));
	if ((rc = file_read(fd, limit, out, err)) < 0) {
		npu_prefix(err, rc, "cannot be read");
		buf_free(out);
	}
	close(fd);
	return rc;
}
