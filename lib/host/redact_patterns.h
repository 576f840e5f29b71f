/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and identifiers, by their looks; for redact.c alone. */
#ifndef HOST_REDACT_PATTERNS_H
#define HOST_REDACT_PATTERNS_H

#include <stddef.h>

/* Bytes of one that is at s[i], where a word may begin, of s[0..n): and what
 * stands in its place; 0: there is none. */
size_t redact_pattern(const char *s, size_t n, size_t i, const char **instead);

#endif
