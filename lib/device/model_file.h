/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a model file and checks the whole file before a library reads it. */
#ifndef DEVICE_MODEL_FILE_H
#define DEVICE_MODEL_FILE_H

#include <sys/stat.h>

#include "model/cix.h"

/* Opens a regular file.  The caller closes *fd, even on failure, unless it is
 * negative.  Fails with NPU_EUSAGE if path is NULL or empty. */
int model_file_open(const char *path, int *fd, struct stat *st,
    struct npu_err *err);

/* Puts the path, unless it is NULL, before the message of *err; returns rc. */
int model_file_prefix(const char *path, int rc, struct npu_err *err);

/* Describes the model file fd; free *m with cix_free(). */
int model_file_check(int fd, struct cix_model *m, struct npu_err *err);

#endif
