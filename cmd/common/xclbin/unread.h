/* SPDX-License-Identifier: Apache-2.0 */
/* Files that cannot be read, in messages and documents. */
#ifndef CMD_XCLBIN_UNREAD_H
#define CMD_XCLBIN_UNREAD_H

#include "base/json.h"

/* Warns that a file cannot be read.  In a document, NULL in a text, adds an
 * object with its name and the error to the array at hand. */
void xclbin_unread(struct json *j, const char *name, const struct npu_err *err);

#endif
