// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "local_file.h"

enum { CHUNK = 1 << 18 };

static int
copy_body(int fd, const struct transfer_request *q, struct npu_err *err)
{
	char *p = cmd_alloc(CHUNK);
	int64_t n;
	int rc = 0;

	while (rc == 0 && (n = cmd_try_read(fd, p, CHUNK)) != 0)
		rc = n < 0 ? npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno)) :
		    q->body(q->arg, p, (size_t)n, err);
	free(p);
	return rc;
}

static int
file_length(int fd, int64_t *length, struct npu_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return npu_fail(err, NPU_ESYSTEM, "not a regular file");
	*length = st.st_size;
	return 0;
}

int
local_file_copy(const char *path, const struct transfer_request *q,
    struct response *r, struct npu_err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), rc;

	if (fd < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	r->status = 200;
	if ((rc = file_length(fd, &r->length, err)) == 0 &&
	    (rc = q->begin(q->arg, r, err)) == 0)
		rc = copy_body(fd, q, err);
	close(fd);
	return rc;
}
