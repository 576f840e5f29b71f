/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that one process holds and replaces whole: whenever it is killed, the
 * file is the old one or the new one.
 */
#ifndef VEC_DRIFT_STATE_FILE_H
#define VEC_DRIFT_STATE_FILE_H

#include "base/buf.h"

struct held {
	const char *path;
	int fd;			/* has the lock */
};

/*
 * Locks the file, which is made if it is not there, and adds what it holds, at
 * most limit bytes, to *b; nothing: it is new.  Dies if another process holds
 * it.
 */
void held_open(struct held *h, const char *path, size_t limit, struct buf *b);
/* Puts the bytes of *b, which is freed, in its place; dies. */
void held_replace(struct held *h, struct buf *b);
void held_close(struct held *h);

#endif
