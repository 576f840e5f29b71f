/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_TSV_H
#define CMD_TSV_H

#include "base/buf.h"

/* A field of tab-separated values: what would end it, or talk to a terminal,
 * is escaped: \t, \n, \\, \x1b. */
void tsv_text(struct buf *b, const char *s);
void tsv_bytes(struct buf *b, const char *s, size_t n);

#endif
