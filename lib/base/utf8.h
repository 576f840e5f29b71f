/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 as Unicode defines it: no surrogates, no overlong forms (Unicode 15,
 * table 3-7).  Inline, because texts are read byte by byte. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool
utf8_continues(unsigned char b)
{
	return (b & 0xc0) == 0x80;
}

/*
 * Returns the number of bytes of the code point at s (1 to 4) and sets *c.
 * Returns 0, with *c undefined, if s[0..n) does not begin with a valid code
 * point.
 */
static inline size_t
utf8_decode(const char *s, size_t n, uint32_t *c)
{
	const unsigned char *u = (const unsigned char *)s;

	if (n == 0)
		return 0;
	*c = u[0];
	if (*c < 0x80)
		return 1;
	if (n < 2 || !utf8_continues(u[1]))
		return 0;
	*c = *c << 6 | (u[1] & 0x3f);
	if (u[0] < 0xe0) {
		*c &= 0x7ff;
		return u[0] >= 0xc2 ? 2 : 0;
	}
	if (n < 3 || !utf8_continues(u[2]))
		return 0;
	*c = *c << 6 | (u[2] & 0x3f);
	if (u[0] < 0xf0) {
		*c &= 0xffff;
		return *c >= 0x800 && (*c < 0xd800 || *c > 0xdfff) ? 3 : 0;
	}
	if (n < 4 || !utf8_continues(u[3]))
		return 0;
	*c = (*c << 6 | (u[3] & 0x3f)) & 0x1fffff;
	return u[0] <= 0xf4 && *c >= 0x10000 && *c <= 0x10ffff ? 4 : 0;
}

/* Returns true for characters that control terminals: C0, delete, and C1, where
 * U+009B is ESC [. */
static inline bool
utf8_is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/* Returns the number of bytes of the control character that s[0..n) begins
 * with, or 0. */
static inline size_t
utf8_control(const char *s, size_t n)
{
	uint32_t c;
	size_t len = utf8_decode(s, n, &c);

	return len > 0 && utf8_is_control(c) ? len : 0;
}

/* Replaces the bytes of control characters by '?': file systems allow them in
 * names, but a line must stay one line and must not control a terminal. */
static inline void
utf8_printable(char *s, size_t n)
{
	size_t i = 0, len;

	while (i < n) {
		len = utf8_control(s + i, n - i);
		memset(s + i, '?', len);
		i += len > 0 ? len : 1;
	}
}

/* Writes c, a Unicode scalar value, to out; returns its number of bytes (1 to
 * 4). */
static inline size_t
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

#endif
