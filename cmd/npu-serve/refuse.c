// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "refuse.h"

unsigned
refuse(unsigned status, struct npu_err *err, const char *fmt, ...)
{
	va_list ap;

	npu_fail(err, NPU_EUSAGE, "refused");
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return status;
}
