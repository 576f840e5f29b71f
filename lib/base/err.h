/* SPDX-License-Identifier: Apache-2.0 */
/* A failure is reported in one statement: return npu_fail(err, CODE, "..."). */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "npu.h"

/* Writes *err (may be NULL) with detail 0 and returns code. */
int npu_fail(struct npu_err *err, enum npu_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Does the same with a detail: a vendor status or an enum cix_check. */
int npu_fail_detail(struct npu_err *err, enum npu_code code, int detail,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Fails with NPU_EUSAGE, "what is NULL", if p is. */
int npu_need(const void *p, const char *what, struct npu_err *err);

/* Puts "what: " before the message of *err; returns err's code. */
int npu_prefix(struct npu_err *err, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
