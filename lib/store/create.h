/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_CREATE_H
#define STORE_CREATE_H

#include "store/index.h"

/*
 * Opens the file at path to read and write, and returns its descriptor.  A file
 * that does not exist, or is empty, appears with the whole header *h, even if
 * others create it at the same time.
 */
int create_or_open(const char *path, const struct index_header *h,
    struct npu_err *err);

/* Puts an index without records in the place of fd, the file at path, whose
 * exclusive lock the caller has. */
int create_over(int fd, const char *path, const struct index_header *h,
    struct npu_err *err);

/* 1 if path still leads to the file that fd is, 0 if it leads to another. */
int create_is_current(int fd, const char *path, struct npu_err *err);

#endif
