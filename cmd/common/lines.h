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
	size_t limit;		/* bytes of one record */
	/* Called before a read() that would have to wait; may be NULL. */
	void (*pause)(void *arg);
	void *arg;
	uint64_t number;	/* of the record that was read last, from 1 */
	char *p;		/* owned; lines_close() */
	size_t from, n, cap;	/* p[from .. from + n) is not used yet */
	bool ended;
	struct npu_err err;	/* code 0: no error so far */
};

/* Needs memory for the longest of the last records, not for the stream. */
void lines_open(struct lines *l, int fd, const char *name, char delimiter,
    size_t limit);
/*
 * The next record without its delimiter, which the last may lack; valid until
 * the next call.  False at the end, at a read error and at a record longer
 * than the limit.
 */
bool lines_next(struct lines *l, char **p, size_t *n);
/* The same for text: without the byte order mark of UTF-8; also false where the
 * first record shows another encoding. */
bool lines_next_name(struct lines *l, char **p, size_t *n);
/* The same, and a line without the CR of CR LF. */
bool lines_next_text(struct lines *l, char **p, size_t *n);
/* The next n bytes, which are not used up; NULL if there are fewer. */
const char *lines_peek(struct lines *l, size_t n);
/* Reads up to n bytes, fewer only at the end or a read error. */
size_t lines_read(struct lines *l, void *p, size_t n);
/* The noun for a record: "line", or "text" where NULs end them. */
const char *lines_unit(const struct lines *l);
/* Dies as "name: reason" after an error. */
void lines_close(struct lines *l);

#endif
