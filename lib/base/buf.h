/* SPDX-License-Identifier: Apache-2.0 */
/* A growing buffer of bytes.  A failed allocation sets failed, and later
 * additions are dropped, so a writer checks once, at the end. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *p;		/* owned; buf_free() */
	size_t n, cap;
	bool failed;
};

void buf_add(struct buf *b, const void *p, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_printf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns room for n more bytes at the end, which are not yet counted in n;
 * NULL if the allocation failed. */
void *buf_reserve(struct buf *b, size_t n);
/* Empties the buffer but keeps its memory. */
void buf_clear(struct buf *b);
void buf_free(struct buf *b);

#endif
