// SPDX-License-Identifier: Apache-2.0
/* checksum.c - the checksum of header and records, as fast as memory. */
#include "base/cpu.h"

#define CHECKSUM_TARGET
#define CHECKSUM_WIDTH 4
#include "store/checksum_body.h"

uint64_t
layout_checksum(const void *p, size_t n)
{
#if defined(__x86_64__)
	if (cpu_has_avx2())
		return layout_checksum_avx2(p, n);
#endif
	return checksum(p, n);
}
