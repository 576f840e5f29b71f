// SPDX-License-Identifier: Apache-2.0
#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	fuzz_picture(p, n);
	return 0;
}
