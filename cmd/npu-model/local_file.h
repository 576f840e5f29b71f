/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NPU_MODEL_LOCAL_FILE_H
#define NPU_MODEL_LOCAL_FILE_H

#include "transfer.h"

/* Answers a request for a file:// URL with the regular file at path, as
 * transfer_get() does. */
int local_file_copy(const char *path, const struct transfer_request *q,
    struct response *r, struct npu_err *err);

#endif
