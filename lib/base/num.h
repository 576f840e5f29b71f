/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers typed by people.  Parsed whole ("12x" is an error), in the C
 * locale, with the range stated in the message.  Failures are NPU_EUSAGE and
 * read like: '12x' is not a whole number from 1 to 64.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include "npu.h"

/* Decimal, or hexadecimal after 0x. */
int num_int(const char *s, int64_t least, int64_t most, int64_t *v,
    struct npu_err *err);
/* A finite decimal number. */
int num_double(const char *s, double least, double most, double *v,
    struct npu_err *err);
/* Milliseconds, more than 0: 500ms, 10s, 2min, 250us (rounded up), 1.5s; a
 * bare number is seconds; "none" is -1. */
int num_duration_ms(const char *s, int32_t *ms, struct npu_err *err);
/* Nanoseconds, 0 and more, written in the same way, but for "none". */
int num_duration_ns(const char *s, int64_t *ns, struct npu_err *err);

/* The fewest digits (at least 6 significant ones are tried first) that read
 * back as the same number: "27.6738", not "27.6737995". */
void num_format_float(float v, char *buf, size_t n);
void num_format_double(double v, char *buf, size_t n);

#endif
