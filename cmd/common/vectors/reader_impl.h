/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_VECTORS_READER_IMPL_H
#define CMD_VECTORS_READER_IMPL_H

#include "reader.h"

/* Of a regular file that stands at its beginning; else 0. */
size_t vectors_file_size(const struct vectors *v);
/* All that comes from a pipe is read into memory; dies. */
void vectors_hold(struct vectors *v);

/* Opens an index, of which the first bytes are known; dies. */
void vectors_open_index(struct vectors *v, bool once);
int vectors_next_of_index(struct vectors *v, struct vector *row,
    struct npu_err *err);
/* As vectors_next(), of labelled tensors and .npy, without a name. */
int vectors_next_of_tensors(struct vectors *v, struct vector *row,
    struct npu_err *err);

#endif
