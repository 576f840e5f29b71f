/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches the calls to a device: counts what was made and not yet freed,
 * remembers the last call that failed, writes a line for each call, and keeps
 * the packet of the last command.
 */
#ifndef TESTS_UNIT_XDNA_WATCH_H
#define TESTS_UNIT_XDNA_WATCH_H

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "base/buf.h"
#include "xdna_abi.h"

static const struct xdna_calls *watched;	/* the calls that are made */

static struct {
	int nodes, memories, contexts;	/* that are not freed */
	int64_t bytes;			/* mapped */
	const char *failed;		/* the last call that failed */
	unsigned calls;			/* of open, ioctl and mmap */
	struct buf lines;
	uint8_t *packet;		/* where the command is mapped */
	uint32_t sent[64];
} watch;

static const struct {
	uint32_t request;
	const char *name;
} request_names[] = {
	{ XDNA_VERSION, "VERSION" }, { XDNA_GEM_CLOSE, "GEM_CLOSE" },
	{ XDNA_TIMELINE_WAIT, "SYNCOBJ_TIMELINE_WAIT" },
	{ XDNA_CREATE_HWCTX, "CREATE_HWCTX" },
	{ XDNA_DESTROY_HWCTX, "DESTROY_HWCTX" },
	{ XDNA_CONFIG_HWCTX, "CONFIG_HWCTX" },
	{ XDNA_CREATE_BO, "CREATE_BO" },
	{ XDNA_GET_BO_INFO, "GET_BO_INFO" }, { XDNA_SYNC_BO, "SYNC_BO" },
	{ XDNA_EXEC_CMD, "EXEC_CMD" }, { XDNA_GET_INFO, "GET_INFO" },
};

static const char *
request_name(unsigned long request)
{
	for (size_t i = 0; i < sizeof(request_names) /
	    sizeof(*request_names); i++)
		if (request_names[i].request == request)
			return request_names[i].name;
	return "?";
}

static int
watch_open(const char *path, int flags)
{
	int fd = watched->open(path, flags);

	watch.calls++;
	watch.nodes += fd >= 0;
	watch.failed = fd < 0 ? "open" : watch.failed;
	buf_printf(&watch.lines, "open\n");
	return fd;
}

/* Adds a line with the fields that are known before the call. */
static void
note(unsigned long request, const void *arg)
{
	const struct xdna_create_bo *bo = arg;
	const struct xdna_sync_bo *sync = arg;
	const struct xdna_create_hwctx *c = arg;
	const struct xdna_exec_cmd *e = arg;

	buf_printf(&watch.lines, "%s", request_name(request));
	if (request == XDNA_CREATE_BO)
		buf_printf(&watch.lines, " type %" PRIu32 " size %" PRIu64,
		    bo->type, bo->size);
	else if (request == XDNA_SYNC_BO)
		buf_printf(&watch.lines, " %" PRIu32 " direction %" PRIu32
		    " size %" PRIu64, sync->handle, sync->direction,
		    sync->size);
	else if (request == XDNA_CREATE_HWCTX)
		buf_printf(&watch.lines, " max_opc %" PRIu32 " num_tiles %"
		    PRIu32, c->operations, c->tiles);
	else if (request == XDNA_EXEC_CMD)
		buf_printf(&watch.lines, " cmd %" PRIu64 " args %" PRIu32,
		    e->command, e->n);
	else if (request == XDNA_GEM_CLOSE || request == XDNA_GET_BO_INFO)
		buf_printf(&watch.lines, " %" PRIu32, request ==
		    XDNA_GEM_CLOSE ? ((const uint32_t *)arg)[0] :
		    ((const uint32_t *)arg)[4]);
	buf_printf(&watch.lines, "\n");
}

static int
watch_ioctl(int fd, unsigned long request, void *arg)
{
	int rc, number;

	watch.calls++;
	note(request, arg);
	if (request == XDNA_EXEC_CMD && watch.packet != NULL)
		memcpy(watch.sent, watch.packet, sizeof(watch.sent));
	rc = watched->ioctl(fd, request, arg);
	number = errno;
	if (rc < 0)
		watch.failed = request_name(request);
	watch.memories += rc == 0 && request == XDNA_CREATE_BO;
	watch.memories -= rc == 0 && request == XDNA_GEM_CLOSE;
	watch.contexts += rc == 0 && request == XDNA_CREATE_HWCTX;
	watch.contexts -= rc == 0 && request == XDNA_DESTROY_HWCTX;
	errno = number;
	return rc;
}

static void *
watch_mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	void *p = watched->mmap(at, n, protection, flags, fd, offset);

	watch.calls++;
	if (p == MAP_FAILED)
		watch.failed = "mmap";
	else if ((flags & MAP_FIXED) == 0)
		watch.bytes += (int64_t)n;
	if (fd >= 0)
		buf_printf(&watch.lines, "mmap %zu%s\n", n, p != MAP_FAILED &&
		    (uintptr_t)p % n == 0 && n > 4096 ? " at a multiple" : "");
	/* The first mapping of one page is the command's. */
	if (fd >= 0 && n == XDNA_COMMAND_SIZE && watch.packet == NULL &&
	    p != MAP_FAILED)
		watch.packet = p;
	return p;
}

static int
watch_munmap(void *p, size_t n)
{
	watch.bytes -= (int64_t)n;
	return watched->munmap(p, n);
}

static int
watch_close(int fd)
{
	watch.nodes--;
	buf_printf(&watch.lines, "close\n");
	return watched->close(fd);
}

static const struct xdna_calls watch_calls = {
	watch_open, watch_ioctl, watch_mmap, watch_munmap, watch_close,
};

__attribute__((unused)) static void
watch_begin(void)
{
	buf_free(&watch.lines);
	memset(&watch, 0, sizeof(watch));
}

/* Returns true if everything that was made has been freed. */
__attribute__((unused)) static bool
watch_is_even(void)
{
	return watch.nodes == 0 && watch.memories == 0 &&
	    watch.contexts == 0 && watch.bytes == 0;
}

#endif
