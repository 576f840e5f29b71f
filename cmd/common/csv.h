/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_CSV_H
#define CMD_CSV_H

#include "base/buf.h"

/* A field of comma-separated values, in quotes where RFC 4180 wants them. */
void csv_text(struct buf *b, const char *s);

#endif
