/* SPDX-License-Identifier: Apache-2.0 */
/* Reads records of text from a stream, one at a time, which end with newlines
 * or NULs. */
#ifndef CMD_LINES_H
#define CMD_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

struct lines {
	int fd;
	const char *name;	/* for messages */
	char delimiter;
	size_t limit;		/* most bytes in one record */
	/* Called before a read() that would have to wait; may be NULL. */
	void (*pause)(void *arg);
	void *arg;
	uint64_t number;	/* number of the record that was read last,
				   from 1 */
	char *p;		/* owned; freed by lines_close() */
	size_t from, n, cap;	/* p[from .. from + n) is unread */
	bool ended;
	struct npu_err err;	/* code 0: no error so far */
};

/* Sets up *l.  Memory grows with the longest recent record, and not with the
 * stream. */
void lines_open(struct lines *l, int fd, const char *name, char delimiter,
    size_t limit);
/*
 * Reads the next record without its delimiter, which the last record may lack.
 * The record is valid until the next call.  Returns false at the end, at a read
 * error and at a record longer than the limit.
 */
bool lines_next(struct lines *l, char **p, size_t *n);
/* Does the same for text, and removes the byte order mark of UTF-8.  Also
 * returns false if the first record shows another encoding. */
bool lines_next_name(struct lines *l, char **p, size_t *n);
/* Does the same, and removes the CR of CR LF. */
bool lines_next_text(struct lines *l, char **p, size_t *n);
/* Returns the next n bytes without consuming them; NULL if fewer remain. */
const char *lines_peek(struct lines *l, size_t n);
/* Reads up to n bytes, fewer only at the end or a read error. */
size_t lines_read(struct lines *l, void *p, size_t n);
/* Returns the noun for a record: "line", or "text" if records end with NUL. */
const char *lines_unit(const struct lines *l);
/* Dies as "name: reason" after an error. */
void lines_close(struct lines *l);

#endif
