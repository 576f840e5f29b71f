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

/* Opens the file and locks it.  False if another process replaced the file
 * between the two. */
static bool
lock(struct state_file *f)
{
	struct stat ours, there;

	f->fd = open(f->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY |
	    O_NONBLOCK, 0666);
	if (f->fd < 0 || fstat(f->fd, &ours) < 0)
		cmd_die("%s: %s", cmd_visible_name(f->path), strerror(errno));
	if (!S_ISREG(ours.st_mode))
		cmd_die("%s: is not a regular file", f->path);
	if (flock(f->fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK)
			cmd_die("%s: another process uses it", f->path);
		cmd_die("%s: cannot be locked: %s", f->path, strerror(errno));
	}
	if (stat(f->path, &there) == 0 && there.st_dev == ours.st_dev &&
	    there.st_ino == ours.st_ino)
		return true;
	close(f->fd);
	return false;
}

void
state_file_open(struct state_file *f, const char *path, size_t limit,
    struct buf *b)
{
	struct npu_err err;

	f->path = path;
	/* A process that replaces the file holds a lock on the new file, so
	 * another attempt usually ends the program. */
	for (int tries = 0; !lock(f); tries++)
		if (tries == 100)
			cmd_die("%s: another process uses it", path);
	if (file_read(f->fd, limit, b, &err) < 0)
		cmd_die_err(path, &err);
}

void
state_file_replace(struct state_file *f, struct buf *b)
{
	struct output o;
	int fd;

	cmd_open_output(&o, f->path, false);
	if (o.temporary == NULL)
		cmd_die("%s: cannot be replaced as a whole; name a file",
		    f->path);
	/* Lock the new file before it gets the name.  The duplicate keeps the
	 * lock when cmd_close_output() closes o.fd. */
	fd = fcntl(o.fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		cmd_die("%s: cannot be locked: %s", f->path, strerror(errno));
	cmd_write_buf(&o, b);
	cmd_close_output(&o);
	close(f->fd);
	f->fd = fd;
}

void
state_file_close(struct state_file *f)
{
	close(f->fd);
	f->fd = -1;
}
