/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_VECTORS_READER_IMPL_H
#define CMD_VECTORS_READER_IMPL_H

#include "reader.h"

/* ---- reader_memory.c ---------------------------------------------------- */

/* Returns the size of a regular file that is at its beginning; else 0. */
size_t vector_reader_file_size(const struct vector_reader *v);
/* Maps such a file; returns false for other input.  once: most pages are read
 * once only, and are dropped after use. */
bool vector_reader_map(struct vector_reader *v, bool once);
/* Reads a whole pipe into memory; dies. */
void vector_reader_load(struct vector_reader *v);
/* Reads the arrays of an archive into memory, as labelled tensors, because
 * they may be compressed; dies. */
void vector_reader_load_archive(struct vector_reader *v);
void vector_reader_free_memory(struct vector_reader *v);

/* ---- reader_index.c ----------------------------------------------------- */

/* Opens an index, whose first bytes are known; dies. */
void vector_reader_open_index(struct vector_reader *v, bool once);
int vector_reader_next_of_index(struct vector_reader *v, struct vector *row,
    struct npu_err *err);

/* ---- reader_tensor.c ---------------------------------------------------- */

/* Does the same as vector_reader_next() for labelled tensors, .npy and
 * archives, but does not set a name. */
int vector_reader_next_of_tensors(struct vector_reader *v, struct vector *row,
    struct npu_err *err);

#endif
