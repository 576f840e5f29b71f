/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of comma-separated and tab-separated values. */
#ifndef CMD_DELIMITED_H
#define CMD_DELIMITED_H

#include "base/buf.h"

/* In quotes where RFC 4180 wants them. */
void csv_text(struct buf *b, const char *s);

/* With a tab, a newline, a backslash and control characters escaped: \t, \n,
 * \\, \x1b. */
void tsv_text(struct buf *b, const char *s);
void tsv_bytes(struct buf *b, const char *s, size_t n);

#endif
