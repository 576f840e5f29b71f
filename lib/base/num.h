/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers that users type and see.  The whole text must be a number ("12x" is
 * an error), in the C locale; the message states the range.  Failures are
 * NPU_EUSAGE: '12x' is not a whole number from 1 to 64.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include "npu.h"

/* Parses a decimal number, or a hexadecimal number after 0x. */
int num_int(const char *s, int64_t least, int64_t most, int64_t *v,
    struct npu_err *err);
/* Does the same, and also accepts numbers up to 2^53 with k, M, G (1000 ...) or
 * KiB, MiB, GiB (1024 ...): 100M, 1.5k, 64MiB, 1e8. */
int num_size(const char *s, int64_t least, int64_t most, int64_t *v,
    struct npu_err *err);
/* Parses a finite decimal number. */
int num_double(const char *s, double least, double most, double *v,
    struct npu_err *err);
/* Parses a duration in milliseconds, more than 0: 500ms, 10s, 2min, 1h, 1d,
 * 250us (rounded up), 1.5s.  A bare number is seconds; "none" is -1. */
int num_duration_ms(const char *s, int32_t *ms, struct npu_err *err);
/* Parses a duration in nanoseconds, 0 or more, in the same form but without
 * "none". */
int num_duration_ns(const char *s, int64_t *ns, struct npu_err *err);

/* Writes the fewest significant digits that read back as the same number, but
 * tries 6 first: "27.6738", not "27.6737995". */
void num_format_float(float v, char *buf, size_t n);
void num_format_double(double v, char *buf, size_t n);

/* Returns the ending of a noun for n things: "s", or "" for one. */
const char *num_plural(uint64_t n);

#endif
