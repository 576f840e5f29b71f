// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "load.h"

enum { BEGINNING = 512, MOST = 1 << 30 };

static int
refuse(int fd, struct npu_err *err)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > MOST)
		return npu_fail(err, NPU_EFORMAT, "%jd bytes are more than the "
		    "%d that are read", (intmax_t)st.st_size, MOST);
	return npu_fail(err, NPU_EFORMAT, "there are more than the %d bytes "
	    "that are read", MOST);
}

static int
load(int fd, struct buf *b, struct npu_err *err)
{
	char *p = buf_reserve(b, BEGINNING);
	int64_t n;
	int rc;

	if (p == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((n = cmd_try_read(fd, p, BEGINNING)) < 0)
		return npu_fail_detail(err, NPU_ESYSTEM, errno, "%s",
		    strerror(errno));
	b->n += (size_t)n;
	if (n < BEGINNING || memcmp(p, "xclbin2", 8) != 0)
		return 0;
	rc = file_read(fd, MOST - BEGINNING, b, err);
	return rc == NPU_EFORMAT ? refuse(fd, err) : rc;
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
