/* SPDX-License-Identifier: Apache-2.0 */
/* A model's file: opened and checked whole, before any library reads it. */
#ifndef DEVICE_MODEL_FILE_H
#define DEVICE_MODEL_FILE_H

#include <sys/stat.h>

#include "model/cix.h"

/*
 * Opens a regular file.  *fd is to be closed even on failure, unless it is
 * negative.  NPU_EUSAGE for a path that is NULL or empty.
 */
int model_file_open(const char *path, int *fd, struct stat *st,
    struct npu_err *err);

/* Puts the path, unless it is NULL, before the message of *err; returns rc. */
int model_file_prefix(const char *path, int rc, struct npu_err *err);

/* Describes all of fd; cix_free() it. */
int model_file_check(int fd, struct cix_model *m, struct npu_err *err);

#endif
