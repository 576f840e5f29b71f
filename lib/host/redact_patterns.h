/* SPDX-License-Identifier: Apache-2.0 */
/* Finds addresses and identifiers by their form; used only by redact.c. */
#ifndef HOST_REDACT_PATTERNS_H
#define HOST_REDACT_PATTERNS_H

#include <stddef.h>

/*
 * Returns the number of bytes of an address or identifier at s[i] in s[0..n),
 * where a word may begin, and sets its replacement.  Returns 0 if none is
 * there.
 */
size_t redact_pattern(const char *s, size_t n, size_t i, const char **instead);

#endif
