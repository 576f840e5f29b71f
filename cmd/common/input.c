// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "cmd.h"
#include "model/cix.h"

bool
cmd_is_dash(const char *path)
{
	return path != NULL && strcmp(path, "-") == 0;
}

static bool
is_stdin(const char *path)
{
	return path == NULL || cmd_is_dash(path);
}

const char *
cmd_input_name(const char *path)
{
	return is_stdin(path) ? "stdin" : path;
}

/* Waits here for the writer of a pipe; a signal can interrupt this. */
int
cmd_try_open_file(const char *path)
{
	int fd;

	do {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	} while (fd < 0 && errno == EINTR && cmd_stop == 0);
	if (fd >= 0)
		cmd_note_input(fd);
	return fd;
}

int
cmd_try_open_input(const char *path)
{
	int fd = is_stdin(path) ? STDIN_FILENO : cmd_try_open_file(path);

	if (fd == STDIN_FILENO)
		cmd_note_input(fd);
	/* A larger pipe smooths the transfer; ignore a refusal. */
	if (fd >= 0)
		fcntl(fd, F_SETPIPE_SZ, 1 << 20);
	return fd;
}

bool
cmd_looks_like_text(const char *path)
{
	return path != NULL && strchr(path, ' ') != NULL &&
	    access(path, F_OK) < 0 && errno == ENOENT;
}

void
cmd_refuse_terminal(const char *path)
{
	if (path == NULL && isatty(STDIN_FILENO))
		cmd_usage("input is a terminal; name a file, redirect "
		    "(< file), or say '-' to type it");
}

/* Usage error if stdin is named a second time. */
static void
only_once(bool *done)
{
	if (*done)
		cmd_usage("stdin can be read only once; name files for the "
		    "rest");
	*done = true;
}

void
cmd_take_stdin(const char *path)
{
	static bool taken;

	if (is_stdin(path))
		only_once(&taken);
}

void
cmd_name_input(const char *path)
{
	static bool named;

	if (path != NULL && is_stdin(path))
		only_once(&named);
}

void
cmd_name_operands(char *const *operands)
{
	if (*operands == NULL)
		cmd_name_input("-");
	for (; *operands != NULL; operands++)
		cmd_name_input(*operands);
}

int
cmd_open_input(const char *path)
{
	int fd;

	cmd_refuse_terminal(path);
	cmd_take_stdin(path);
	if ((fd = cmd_try_open_input(path)) < 0)
		cmd_die("%s: %s", cmd_visible_name(path), strerror(errno));
	return fd;
}

bool
cmd_would_wait(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	/* An interrupted poll() counts as having to wait, which is harmless. */
	return poll(&p, 1, 0) <= 0;
}

int64_t
cmd_try_read(int fd, void *p, size_t n)
{
	size_t got = 0;
	ssize_t r;

	while (got < n && cmd_stop == 0) {
		r = read(fd, (char *)p + got, n - got);
		if (r == 0)
			break;
		if (r < 0 && errno != EINTR)
			return -1;
		if (r > 0)
			got += (size_t)r;
	}
	return (int64_t)got;
}

size_t
cmd_read(int fd, const char *name, void *p, size_t n)
{
	int64_t got = cmd_try_read(fd, p, n);

	if (got < 0)
		cmd_die("%s: %s", name, strerror(errno));
	return (size_t)got;
}

void *
cmd_read_file(const char *path, size_t limit, size_t *n)
{
	int fd = cmd_open_input(path);
	struct buf b = { 0 };
	struct npu_err err;

	if (file_read(fd, limit, &b, &err) < 0)
		cmd_die_err(cmd_input_name(path), &err);
	if (fd != STDIN_FILENO)
		close(fd);
	*n = b.n;
	return b.p;
}

int
cmd_read_model(int fd, struct buf *b, struct npu_err *err)
{
	struct stat st;

	/* Some devices, such as /dev/zero, never end. */
	if (fstat(fd, &st) == 0 && (S_ISCHR(st.st_mode) ||
	    S_ISBLK(st.st_mode)))
		return npu_fail(err, NPU_EFORMAT, "is a device, not a model");
	return file_read(fd, CIX_LARGEST, b, err);
}
