// SPDX-License-Identifier: Apache-2.0
/*
 * Checksums are corrected first: otherwise a changed chunk would not be parsed.
 */
#include <zlib.h>

#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void
mend(uint8_t *p, size_t n)
{
	size_t i = 8, size;

	for (; i < n && n - i >= 12; i += 12 + size) {
		size = (size_t)p[i] << 24 | (size_t)p[i + 1] << 16 |
		    (size_t)p[i + 2] << 8 | p[i + 3];
		if (size > n - i - 12)
			break;
		put32(p + i + 8 + size, (uint32_t)crc32(0, p + i + 4,
		    (uInt)(size + 4)));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	uint8_t *mended = malloc(n + 1);

	fuzz_picture(p, n);
	memcpy(mended, p, n);
	mend(mended, n);
	fuzz_picture(mended, n);
	free(mended);
	return 0;
}
