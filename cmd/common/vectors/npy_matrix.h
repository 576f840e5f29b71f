/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as one .npy file. */
#ifndef CMD_VECTORS_NPY_MATRIX_H
#define CMD_VECTORS_NPY_MATRIX_H

#include "cmd.h"

/* Adds what comes before the elements of a matrix of f32.  Dies of no
 * columns, and of more rows than a tensor can have. */
void npy_matrix_begin(struct buf *b, uint64_t rows, uint64_t dim);

#endif
