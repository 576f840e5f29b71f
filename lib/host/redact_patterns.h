/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and identifiers by their form; for redact.c alone. */
#ifndef HOST_REDACT_PATTERNS_H
#define HOST_REDACT_PATTERNS_H

#include <stddef.h>

/* Bytes of an address or identifier at s[i], where a word may begin, of
 * s[0..n), and its replacement; 0: there is none. */
size_t redact_pattern(const char *s, size_t n, size_t i, const char **instead);

#endif
