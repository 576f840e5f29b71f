/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_VECTORS_READER_IMPL_H
#define CMD_VECTORS_READER_IMPL_H

#include "reader.h"

/* Of a regular file that stands at its beginning; else 0. */
size_t vector_reader_file_size(const struct vector_reader *v);
/* All that comes from a pipe is read into memory; dies. */
void vector_reader_load(struct vector_reader *v);

/* Opens an index, of which the first bytes are known; dies. */
void vector_reader_open_index(struct vector_reader *v, bool once);
int vector_reader_next_of_index(struct vector_reader *v, struct vector *row,
    struct npu_err *err);
/* As vector_reader_next(), of labelled tensors and .npy, without a name. */
int vector_reader_next_of_tensors(struct vector_reader *v, struct vector *row,
    struct npu_err *err);

#endif
