// SPDX-License-Identifier: Apache-2.0
/* An accepted header describes tensors whose sizes match their shapes. */
#include <stdlib.h>
#include <string.h>

#include "tensor/safetensors.h"
#include "tensor/tensor.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct npu_err err = { 0 };
	struct buf all = { 0 };
	struct npu_tensor t;
	int rc = safetensors_decode((struct bytes){ p, n }, &all, &err);

	if (rc < 0 && err.msg[0] == '\0')
		abort();
	for (size_t i = 0; rc == 0 && i < all.n; i += sizeof(t)) {
		memcpy(&t, all.p + i, sizeof(t));
		if (tensor_check(&t, NULL) < 0 ||
		    memchr(t.name, '\0', sizeof(t.name)) == NULL)
			abort();
	}
	buf_free(&all);
	return 0;
}
