// SPDX-License-Identifier: Apache-2.0
/* An accepted label is written back as the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "npu.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	uint8_t in[NPU_LABEL_SIZE] = NPU_LABEL_MAGIC, out[NPU_LABEL_SIZE];
	struct npu_label l;
	struct npu_err err;

	if (n > NPU_LABEL_SIZE - 8)
		n = NPU_LABEL_SIZE - 8;
	memcpy(in + 8, p, n);
	if (npu_label_decode(in, &l, &err) == 0 &&
	    (npu_label_encode(&l, out, &err) < 0 ||
	    memcmp(in, out, sizeof(in)) != 0))
		abort();
	return 0;
}
