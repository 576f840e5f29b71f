/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that --add describes: raw bytes, and .npy, which does not store a
 * scale. */
#ifndef NPU_TENSOR_ADDED_H
#define NPU_TENSOR_ADDED_H

#include "tensors/stream.h"
#include "tensors/tensor_options.h"

/* Opens path, or standard input for NULL, and describes raw bytes by *p; add:
 * --add was given.  Dies if input and options do not fit. */
void added_open(const struct tensor_options *p, bool add, struct stream *s,
    const char *path);

/* Sets the scale and zero point of *t, from stream *s, to those in *p, if
 * given.  Dies, and abandons the output, if *t is never scaled. */
void added_scale(const struct tensor_options *p, struct output *out,
    const struct stream *s, struct npu_tensor *t);

#endif
