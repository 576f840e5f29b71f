/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a model file and checks the whole file before a library reads it. */
#ifndef DEVICE_MODEL_FILE_H
#define DEVICE_MODEL_FILE_H

#include <sys/stat.h>

#include "model/onnx_container.h"

/* Opens a regular file.  The caller closes *fd, even on failure, unless it is
 * negative.  Fails with NPU_EUSAGE if path is NULL or empty. */
int model_file_open(const char *path, int *fd, struct stat *st,
    struct npu_err *err);

/* Puts the path, unless it is NULL, before the message of *err; returns rc. */
int model_file_prefix(const char *path, int rc, struct npu_err *err);

/* A model file that was checked. */
struct model_file {
	struct cix_model model;
	struct buf onnx;	/* the container that describes an ONNX model;
				   empty: the file is a .cix model */
};

/* Describes the model file fd.  Free with model_file_free(). */
int model_file_check(int fd, const struct chosen_sizes *sizes,
    struct model_file *f, struct npu_err *err);
void model_file_free(struct model_file *f);

#endif
