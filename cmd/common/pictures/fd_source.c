// SPDX-License-Identifier: Apache-2.0
/* fd_source.c - files as sources for lib/image. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "fd_source.h"

int
fd_source_open(const char *path, struct npu_err *err)
{
	int fd;

	if (cmd_is_dash(path))
		return STDIN_FILENO;
	if ((fd = cmd_try_open_file(path)) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	return fd;
}

void
fd_source_close(int fd)
{
	if (fd > STDIN_FILENO)
		close(fd);
}

static int64_t
read_fd(void *arg, void *p, size_t n, struct npu_err *err)
{
	const int *fd = arg;
	ssize_t got;

	do {
		got = read(*fd, p, n);
	} while (got < 0 && errno == EINTR && cmd_stop == 0);
	if (got < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	return got;
}

struct picture_source
fd_source(int *fd)
{
	return (struct picture_source){ read_fd, fd };
}

static int
write_output(void *arg, const void *p, size_t n, struct npu_err *err)
{
	(void)err;
	cmd_write(arg, p, n);
	return 0;
}

struct sink
output_sink(struct output *o)
{
	return (struct sink){ write_output, o };
}
