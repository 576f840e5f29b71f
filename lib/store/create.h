/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_CREATE_H
#define STORE_CREATE_H

#include "store/index.h"

/*
 * Opens the file at path to read and write, and returns its descriptor.  A file
 * that does not exist appears with the whole header *h, even if others create
 * it at the same time.
 */
int create_or_open(const char *path, const struct index_header *h,
    struct npu_err *err);

#endif
