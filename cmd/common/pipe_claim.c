// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "pipe_claim.h"

/*
 * Binds a socket to a name in the abstract namespace: only one program can bind
 * a name, which is not a file and is free again when the program ends in any
 * way.  The socket is therefore left open.
 */
bool
pipe_claim(const char *what)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct stat st;
	socklen_t n;
	int fd;

	if (fstat(STDERR_FILENO, &st) < 0)
		return true;
	n = (socklen_t)snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1,
	    "npu-utils/%s/%jd/%jx/%jx", what, (intmax_t)getpgrp(),
	    (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	if ((fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) < 0)
		return true;
	n += (socklen_t)offsetof(struct sockaddr_un, sun_path) + 1;
	if (bind(fd, (struct sockaddr *)&a, n) == 0)
		return true;
	n = errno == EADDRINUSE;
	close(fd);
	return n == 0;
}
