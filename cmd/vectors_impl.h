/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VECTORS_IMPL_H
#define VECTORS_IMPL_H

#include "vectors.h"

/* As vectors_next(), of labelled tensors and .npy, without a name. */
int vectors_next_of_tensors(struct vectors *v, struct vector *row,
    struct npu_err *err);

#endif
