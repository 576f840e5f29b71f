/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_CREATE_H
#define STORE_CREATE_H

#include "store/index.h"

/* A descriptor of the file at path, to read and write; one that is not there
 * appears with the whole header *h, whoever else makes it at the same time. */
int create_or_open(const char *path, const struct index_header *h,
    struct npu_err *err);

#endif
