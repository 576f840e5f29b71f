// SPDX-License-Identifier: Apache-2.0
#include "text/charmap.h"

unsigned
charmap_possible(const uint32_t *p, size_t n)
{
	unsigned in = CHARMAP_ALL;

	for (size_t i = 0; i < n && in != 0; i++)
		in &= charmap(p[i])->in;
	return in;
}

void
charmap_encode(enum charmap e, const uint32_t *p, size_t n, uint8_t *byte)
{
	for (size_t i = 0; i < n; i++)
		byte[i] = charmap(p[i])->byte[e];
}
