/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that a process locks and replaces atomically: if the process is killed
 * at any time, either the old or the new file is there, complete.
 */
#ifndef VEC_DRIFT_STATE_FILE_H
#define VEC_DRIFT_STATE_FILE_H

#include "base/buf.h"

struct state_file {
	const char *path;
	int fd;			/* holds the lock */
};

/*
 * Locks the file and adds its contents, at most limit bytes, to *b.  Creates an
 * empty file if it does not exist.  Dies if another process holds the lock.
 */
void state_file_open(struct state_file *f, const char *path, size_t limit,
    struct buf *b);
/* Replaces the file by a new file with the bytes of *b, and frees *b.  Dies on
 * failure. */
void state_file_replace(struct state_file *f, struct buf *b);
void state_file_close(struct state_file *f);

#endif
