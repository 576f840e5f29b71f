// SPDX-License-Identifier: Apache-2.0
/* The same loop with registers of eight words. */
#include "store/layout.h"

#if defined(__x86_64__)
#define CHECKSUM_TARGET __attribute__((target("avx2")))
#define CHECKSUM_WIDTH 8
#include "store/checksum_body.h"

uint64_t CHECKSUM_TARGET
layout_checksum_avx2(const void *p, size_t n)
{
	return checksum(p, n);
}
#endif
