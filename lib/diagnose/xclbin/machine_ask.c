// SPDX-License-Identifier: Apache-2.0
/*
 * machine_ask.c - asks the driver of an AMD NPU for its interface's version and
 * its power mode: two queries without side effects that need no root.
 *
 * Numbers and structures: include/uapi/drm/drm.h and amdxdna_accel.h of Linux
 * 7.2 (DRM_IOCTL_VERSION, DRM_IOCTL_AMDXDNA_GET_INFO).  Debian 12 and 13 have
 * no amdxdna_accel.h.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "diagnose/xclbin/machine_impl.h"

#define VERSION		0xc0406400ul
#define GET_INFO	0xc0106447ul

enum {
	POWER_MODE = 9,		/* a question of GET_INFO */
	TRIES = 16,		/* of a call that signals interrupt */
};

/* Lengths in and out, texts at our addresses. */
struct version {
	int32_t v[3], pad;
	uint64_t name_n, name, date_n, date, description_n, description;
};

struct get_info {
	uint32_t what, size;
	uint64_t buffer;
};

struct power_mode {
	uint8_t mode, pad[7];
};

static_assert(sizeof(struct version) == 64, "bits 16 to 29 of VERSION");
static_assert(sizeof(struct get_info) == 16, "bits 16 to 29 of GET_INFO");

/* ---- Calls -------------------------------------------------------------- */

static int
open_node(const char *path)
{
	return open(path, O_RDWR | O_CLOEXEC);
}

static int
ask_node(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

const struct xclbin_node_calls xclbin_system_calls = { .open = open_node,
    .ioctl = ask_node, .close = close };

/* ---- Questions ---------------------------------------------------------- */

static bool
ask(const struct xclbin_node_calls *calls, int fd, unsigned long request,
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
ask_version(const struct xclbin_node_calls *calls, int fd,
    struct npu_answers *a)
{
	char name[sizeof(a->name)] = "";
	struct version v = { .name_n = sizeof(name) - 1,
	    .name = (uintptr_t)name };

	if (!ask(calls, fd, VERSION, &v))
		return;
	memcpy(a->name, name, sizeof(name));
	memcpy(a->version, v.v, sizeof(a->version));
}

static void
ask_power(const struct xclbin_node_calls *calls, int fd,
    struct npu_answers *a)
{
	struct power_mode p = { .mode = 0 };
	struct get_info g = { .what = POWER_MODE, .size = sizeof(p),
	    .buffer = (uintptr_t)&p };

	if (ask(calls, fd, GET_INFO, &g))
		a->mode = p.mode;
}

void
npu_ask(const char *path, const struct xclbin_node_calls *calls,
    struct npu_answers *a)
{
	int fd = -1;

	errno = EINTR;
	for (int i = 0; i < TRIES && fd < 0 && errno == EINTR; i++)
		fd = calls->open(path);
	if (fd < 0) {
		a->refused = errno;
		return;
	}
	a->asked = true;
	ask_version(calls, fd, a);
	/* Another driver's numbers mean other things. */
	if (strcmp(a->name, "amdxdna_accel_driver") == 0)
		ask_power(calls, fd, a);
	calls->close(fd);
}
