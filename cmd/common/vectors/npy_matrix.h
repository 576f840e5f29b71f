/* SPDX-License-Identifier: Apache-2.0 */
/* Writes vectors as one .npy file. */
#ifndef CMD_VECTORS_NPY_MATRIX_H
#define CMD_VECTORS_NPY_MATRIX_H

#include "cmd.h"

/* Adds the header of a .npy file, before the elements of a matrix of f32.  Dies
 * if the matrix lacks columns, or has more rows than a tensor can have. */
void npy_matrix_begin(struct buf *b, uint64_t rows, uint64_t dim);

#endif
