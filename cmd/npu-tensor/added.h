/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that --add describes: raw bytes, and .npy, which holds no scale. */
#ifndef NPU_TENSOR_ADDED_H
#define NPU_TENSOR_ADDED_H

#include "tensors/stream.h"
#include "tensors/tensor_options.h"

/* Opens path, NULL for standard input, and describes raw bytes as *p does; add:
 * --add was given.  Dies if input and options do not fit. */
void added_open(const struct tensor_options *p, bool add, struct stream *s,
    const char *path);

/* Gives *t, of *s, the scale and zero point of *p, if these were given.  Dies,
 * and abandons the output, if *t is never scaled. */
void added_scale(const struct tensor_options *p, struct output *out,
    const struct stream *s, struct npu_tensor *t);

#endif
