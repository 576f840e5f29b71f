// SPDX-License-Identifier: Apache-2.0
/* Reads xclbin containers as xclbin-info does. */
#include "axlfread.h"

const struct program program = { .name = "axlf" };

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	axlfread((struct bytes){ p, n });
	return 0;
}
