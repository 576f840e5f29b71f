/* SPDX-License-Identifier: Apache-2.0 */
/* Reports files that cannot be read, in messages and documents. */
#ifndef CMD_XCLBIN_UNREAD_H
#define CMD_XCLBIN_UNREAD_H

#include "base/json.h"

/* Warns that a file cannot be read.  In a document, adds an object with its
 * name and the error to the open array; j is NULL for text. */
void xclbin_unread(struct json *j, const char *name, const struct npu_err *err);

#endif
