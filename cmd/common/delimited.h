/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of comma-separated and tab-separated values. */
#ifndef CMD_DELIMITED_H
#define CMD_DELIMITED_H

#include "base/buf.h"

/* Adds a field, in quotes where RFC 4180 requires them. */
void csv_text(struct buf *b, const char *s);
void csv_bytes(struct buf *b, const char *s, size_t n);

/* Adds a field.  Escapes tabs, newlines, backslashes and control characters as
 * \t, \n, \\ and \x1b. */
void tsv_text(struct buf *b, const char *s);
void tsv_bytes(struct buf *b, const char *s, size_t n);

#endif
