/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a text look like mojibake, UTF-8 read in another encoding?  The
 * categories and rules are those of ftfy 6.3.1, ftfy/badness.py, restated in
 * data/ftfy-badness.txt; gen/mojibake.c makes tables of them.
 */
#ifndef TEXT_BADNESS_H
#define TEXT_BADNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* is_bad() of ftfy: whether any rule matches anywhere in p[0..n). */
bool text_is_bad(const uint32_t *p, size_t n);

/* Whether c is in a category or rule and is not ASCII: a text without such a
 * code point cannot be bad. */
bool text_suspect(uint32_t c);

#endif
