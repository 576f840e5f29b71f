// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "load.h"

enum { BEGINNING = 512, MOST = 1 << 30 };

static int
load(int fd, struct buf *b, struct npu_err *err)
{
	char *p = buf_reserve(b, BEGINNING);
	int64_t n;

	if (p == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((n = cmd_try_read(fd, p, BEGINNING)) < 0)
		return npu_fail_detail(err, NPU_ESYSTEM, errno, "%s",
		    strerror(errno));
	b->n += (size_t)n;
	if (n < BEGINNING || memcmp(p, "xclbin2", 8) != 0)
		return 0;
	return file_read(fd, MOST, b, err);
}

int
xclbin_load(const char *path, struct buf *b, struct npu_err *err)
{
	int fd, rc;

	cmd_take_stdin(path);
	if ((fd = cmd_try_open_input(path)) < 0)
		return npu_fail_detail(err, NPU_ESYSTEM, errno, "%s",
		    strerror(errno));
	rc = load(fd, b, err);
	if (fd != STDIN_FILENO)
		close(fd);
	return rc;
}
