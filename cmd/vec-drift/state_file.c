// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd.h"
#include "state_file.h"

/* Opens and locks; false if the file was replaced in between. */
static bool
lock(struct held *h)
{
	struct stat ours, there;

	h->fd = open(h->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY |
	    O_NONBLOCK, 0666);
	if (h->fd < 0 || fstat(h->fd, &ours) < 0)
		cmd_die("%s: %s", h->path, strerror(errno));
	if (!S_ISREG(ours.st_mode))
		cmd_die("%s: is no plain file", h->path);
	if (flock(h->fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK)
			cmd_die("%s: another process uses it", h->path);
		cmd_die("%s: cannot be locked: %s", h->path, strerror(errno));
	}
	if (stat(h->path, &there) == 0 && there.st_dev == ours.st_dev &&
	    there.st_ino == ours.st_ino)
		return true;
	close(h->fd);
	return false;
}

void
held_open(struct held *h, const char *path, size_t limit, struct buf *b)
{
	struct npu_err err;

	h->path = path;
	/* Who has replaced it holds the new one, so this ends soon. */
	for (int tries = 0; !lock(h); tries++)
		if (tries == 100)
			cmd_die("%s: another process uses it", path);
	if (file_read(h->fd, limit, b, &err) < 0)
		cmd_die_err(path, &err);
}

void
held_replace(struct held *h, struct buf *b)
{
	struct output o;
	int fd;

	cmd_open_output(&o, h->path, false);
	if (o.temporary == NULL)
		cmd_die("%s: is no place for a file that is replaced",
		    h->path);
	/* Locked before it has the name, and for longer than o.fd is open. */
	fd = fcntl(o.fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		cmd_die("%s: cannot be locked: %s", h->path, strerror(errno));
	cmd_write_buf(&o, b);
	cmd_close_output(&o);
	close(h->fd);
	h->fd = fd;
}

void
held_close(struct held *h)
{
	close(h->fd);
	h->fd = -1;
}
