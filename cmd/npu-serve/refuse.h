/* SPDX-License-Identifier: Apache-2.0 */
/* Why a request is refused, in one statement: return refuse(400, err, ...). */
#ifndef NPU_SERVE_REFUSE_H
#define NPU_SERVE_REFUSE_H

#include "npu.h"

enum {
	HTTP_BAD_REQUEST = 400,
	HTTP_NOT_FOUND = 404,
	HTTP_TOO_LARGE = 413,
	HTTP_NOT_UNDERSTOOD = 422,
	HTTP_FAILED = 500,
	HTTP_NOT_IMPLEMENTED = 501,
	HTTP_UNAVAILABLE = 503,
};

/* Writes *err and returns the status. */
unsigned refuse(unsigned status, struct npu_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
