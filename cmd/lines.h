/* SPDX-License-Identifier: Apache-2.0 */
/* Records of text from a stream, one at a time: lines, or what NULs end. */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines {
	int fd;
	const char *name;	/* for messages */
	char delimiter;
	size_t limit;		/* bytes of one record */
	uint64_t number;	/* of the record that was read last, from 1 */
	char *p;		/* owned; lines_close() */
	size_t from, n, cap;	/* what waits is p[from .. from + n) */
	bool ended;
};

/* Memory is that of the longest of the last records, not of the stream. */
void lines_open(struct lines *l, int fd, const char *name, char delimiter,
    size_t limit);
/*
 * The next record without its delimiter, which the last may lack; valid until
 * the next call.  Dies on read errors and on a record longer than the limit.
 */
bool lines_next(struct lines *l, char **p, size_t *n);
/* False if the next record would have to be waited for. */
bool lines_waiting(const struct lines *l);
/* The next n bytes as they are, if there are so many; they are not taken. */
const char *lines_peek(struct lines *l, size_t n);
/* Up to n bytes as they are, fewer only at the end. */
size_t lines_read(struct lines *l, void *p, size_t n);
/* What a record is called: "line", or "text" where NULs end them. */
const char *lines_unit(const struct lines *l);
void lines_close(struct lines *l);

#endif
