// SPDX-License-Identifier: Apache-2.0
/*
 * A header that is accepted describes the same array when it is written again.
 */
#include <stdlib.h>
#include <string.h>

#include "tensor/npy.h"
#include "tensor/tensor.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
again(const struct npu_tensor *t)
{
	struct npu_tensor back;
	struct buf b = { 0 };

	if (tensor_check(t, NULL) < 0 || npy_encode(t, &b, NULL) < 0 ||
	    npy_decode((struct bytes){ (void *)b.p, b.n }, &back, NULL) < 0 ||
	    back.dtype != t->dtype || back.size != t->size)
		abort();
	buf_free(&b);
}

/*
 * The input is the text of the header.  The preamble is added here, because the
 * fuzzer would otherwise spend its time on the length in it.
 */
int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	uint8_t *head;
	struct npu_tensor t;
	struct npu_err err;
	size_t size;

	if (n < 2 || n > NPY_MAX_HEADER)
		return 0;
	head = calloc(1, n + 12);
	memcpy(head, NPY_MAGIC, NPY_MAGIC_SIZE);
	head[6] = (uint8_t)(1 + p[0] % 3);
	head[8] = (uint8_t)n;
	head[9] = (uint8_t)(n >> 8);
	size = head[6] == 1 ? 10 : 12;
	memcpy(head + size, p, n);
	if (npy_decode((struct bytes){ head, size + n }, &t, &err) == 0)
		again(&t);
	free(head);
	return 0;
}
