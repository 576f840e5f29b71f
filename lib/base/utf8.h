/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 as Unicode defines it: no surrogates, no overlong forms. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the code point at s (1 to 4) with *c set, or 0 if s[0..n) does not
 * begin with a valid one. */
size_t utf8_decode(const char *s, size_t n, uint32_t *c);

/* Writes c, a Unicode scalar value, to out and returns its bytes (1 to 4). */
size_t utf8_encode(uint32_t c, char out[4]);

#endif
