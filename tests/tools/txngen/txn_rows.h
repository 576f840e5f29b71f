/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction streams for AMD XDNA NPUs, sound, odd or damaged, and files of
 * other kinds. */
#ifndef TESTS_TOOLS_TXNGEN_TXN_ROWS_H
#define TESTS_TOOLS_TXNGEN_TXN_ROWS_H

#include "base/buf.h"

/* Returns the name of row i; NULL at the end. */
const char *txn_row_name(size_t i);
/* Returns its buffers, "0:in:1024 1:out:1024"; NULL: it is refused. */
const char *txn_row_buffers(size_t i);
/* Returns part of the message with which it is refused. */
const char *txn_row_says(size_t i);

/* Adds the file of row i to *out, in version 1.0 if old, otherwise in 0.1. */
void txn_row_make(size_t i, bool old, struct buf *out);

#endif
