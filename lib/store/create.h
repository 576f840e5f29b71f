/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_CREATE_H
#define STORE_CREATE_H

#include "store/index.h"

/*
 * Opens the file at path to read and write, and returns its descriptor.  A file
 * that does not exist, or is empty, appears with the complete header *h, even
 * if other processes create it at the same time.
 */
int create_or_open(const char *path, const struct index_header *h,
    struct npu_err *err);

/* Replaces fd, the file at path, by an index without records.  The caller has
 * the exclusive lock of fd. */
int create_over(int fd, const char *path, const struct index_header *h,
    struct npu_err *err);

/* Returns 1 if path still leads to the file fd, 0 if it leads to another
 * file. */
int create_is_current(int fd, const char *path, struct npu_err *err);

#endif
