// SPDX-License-Identifier: Apache-2.0
/*
 * machine_ask.c - asks an AMD NPU's driver for its interface's version, the
 * columns and the power mode.  These queries have no side effects and do not
 * need root.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "diagnose/xclbin/machine_impl.h"

enum { TRIES = 16 };		/* for a call that fails with EINTR or EAGAIN */

static bool
ask(const struct xdna_calls *calls, int fd, unsigned long request,
    void *arg)
{
	for (int i = 0; i < TRIES; i++) {
		if (calls->ioctl(fd, request, arg) == 0)
			return true;
		if (errno != EINTR && errno != EAGAIN)
			return false;
	}
	return false;
}

static void
ask_version(const struct xdna_calls *calls, int fd,
    struct npu_answers *a)
{
	char name[sizeof(a->name)] = "";
	struct xdna_version v = { .name_n = sizeof(name) - 1,
	    .name = (uintptr_t)name };

	if (!ask(calls, fd, XDNA_VERSION, &v))
		return;
	memcpy(a->name, name, sizeof(name));
	a->version[0] = v.major;
	a->version[1] = v.minor;
	a->version[2] = v.patch;
}

static void
ask_columns(const struct xdna_calls *calls, int fd,
    struct npu_answers *a)
{
	struct xdna_aie aie = { .columns = 0 };
	struct xdna_get_info g = { .param = XDNA_INFO_AIE,
	    .size = sizeof(aie), .buffer = (uintptr_t)&aie };

	if (ask(calls, fd, XDNA_GET_INFO, &g))
		a->columns = aie.columns;
}

static void
ask_power(const struct xdna_calls *calls, int fd,
    struct npu_answers *a)
{
	struct xdna_power p = { .mode = 0 };
	struct xdna_get_info g = { .param = XDNA_INFO_POWER, .size = sizeof(p),
	    .buffer = (uintptr_t)&p };

	if (ask(calls, fd, XDNA_GET_INFO, &g))
		a->mode = p.mode;
}

void
npu_ask(const char *path, const struct xdna_calls *calls,
    struct npu_answers *a)
{
	int fd = -1;

	errno = EINTR;
	for (int i = 0; i < TRIES && fd < 0 && errno == EINTR; i++)
		fd = calls->open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		a->refused = errno;
		return;
	}
	a->asked = true;
	ask_version(calls, fd, a);
	/* With another driver these numbers mean something else. */
	if (strcmp(a->name, XDNA_DRIVER) == 0) {
		ask_columns(calls, fd, a);
		ask_power(calls, fd, a);
	}
	calls->close(fd);
}
