// SPDX-License-Identifier: Apache-2.0
#include "npy_matrix.h"
#include "tensor/npy.h"

void
npy_matrix_begin(struct buf *b, uint64_t rows, uint64_t dim)
{
	struct npu_tensor t = { .dtype = NPU_F32, .ndim = 2, .scale = 1,
	    .dim = { (uint32_t)rows, (uint32_t)dim },
	    .size = rows * dim * sizeof(float) };
	struct npu_err err;

	if (dim == 0)
		cmd_die("without a vector the number of columns for an .npy "
		    "file is not known");
	if (rows > UINT32_MAX)
		cmd_die("more than 2^32 - 1 vectors for one .npy file");
	if (npy_encode(&t, b, &err) < 0)
		cmd_die("%s", err.msg);
}
