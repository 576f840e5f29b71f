/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that one process locks and replaces atomically: whenever the process
 * is killed, the file is the old one or the new one.
 */
#ifndef VEC_DRIFT_STATE_FILE_H
#define VEC_DRIFT_STATE_FILE_H

#include "base/buf.h"

struct state_file {
	const char *path;
	int fd;			/* has the lock */
};

/*
 * Locks the file, which is created if need be, and adds its contents, at most
 * limit bytes, to *b; none: it is new.  Dies if another process holds the lock.
 */
void state_file_open(struct state_file *f, const char *path, size_t limit,
    struct buf *b);
/* Replaces the contents by the bytes of *b, which is freed; dies. */
void state_file_replace(struct state_file *f, struct buf *b);
void state_file_close(struct state_file *f);

#endif
