/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 sums as text: 64 hexadecimal digits, in lower case. */
#ifndef NPU_MODEL_SUM_H
#define NPU_MODEL_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

enum { SUM_DIGITS = 64 };

struct sum {
	char text[SUM_DIGITS + 1];	/* "": unknown */
};

/* Sets *sum to the digits in s[0..n), of either case.  Returns false, and does
 * not change *sum, unless these are exactly 64 digits. */
bool sum_parse(struct sum *sum, const char *s, size_t n);
/* Sets *sum to the text of a digest of 32 bytes. */
void sum_digits(struct sum *sum, const uint8_t digest[32]);
/* Computes the sum of what can be read from fd up to its end.  Calls watch,
 * which may be NULL, with the number of bytes of each part that was read. */
int sum_file(struct sum *sum, int fd, void (*watch)(size_t n),
    struct npu_err *err);

#endif
