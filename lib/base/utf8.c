// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

/* Lead byte to length and smallest value, Unicode 15, table 3-6. */
static size_t
lead(unsigned char b, uint32_t *bits, uint32_t *least)
{
	if (b >= 0xc2 && b <= 0xdf) {
		*bits = b & 0x1f;
		*least = 0x80;
		return 2;
	}
	if (b >= 0xe0 && b <= 0xef) {
		*bits = b & 0x0f;
		*least = 0x800;
		return 3;
	}
	if (b >= 0xf0 && b <= 0xf4) {
		*bits = b & 0x07;
		*least = 0x10000;
		return 4;
	}
	return 0;
}

size_t
utf8_decode(const char *s, size_t n, uint32_t *c)
{
	const unsigned char *u = (const unsigned char *)s;
	uint32_t v, least;
	size_t len;

	if (n == 0)
		return 0;
	if (u[0] < 0x80) {
		*c = u[0];
		return 1;
	}
	if ((len = lead(u[0], &v, &least)) == 0 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		v = v << 6 | (u[i] & 0x3f);
	}
	if (v < least || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
		return 0;
	*c = v;
	return len;
}

size_t
utf8_encode(uint32_t c, char out[4])
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}
