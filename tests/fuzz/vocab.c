// SPDX-License-Identifier: Apache-2.0
/* A vocabulary from outside is refused with a message, or is usable. */
#include <stdlib.h>

#include "large.h"
#include "npu.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct npu_err err = { 0 };
	struct npu_bpe *v = NULL;

	if (npu_bpe_open(&v, p, n, &err) < 0 && err.msg[0] == '\0')
		abort();
	npu_bpe_close(v);
	return 0;
}
