// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

static void
set(struct npu_err *err, int code, int detail, const char *fmt, va_list ap)
{
	if (err == NULL)
		return;
	err->code = code;
	err->detail = detail;
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
}

int
npu_fail(struct npu_err *err, enum npu_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, code, 0, fmt, ap);
	va_end(ap);
	return code;
}

int
npu_fail_detail(struct npu_err *err, enum npu_code code, int detail,
    const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, code, detail, fmt, ap);
	va_end(ap);
	return code;
}

int
npu_prefix(struct npu_err *err, int code, const char *fmt, ...)
{
	char old[sizeof(err->msg)];
	va_list ap;
	int n;

	if (err == NULL)
		return code;
	snprintf(old, sizeof(old), "%s", err->msg);
	va_start(ap, fmt);
	n = vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(err->msg) - 2)
		return code;
	memcpy(err->msg + n, ": ", 2);
	n += 2;
	memccpy(err->msg + n, old, '\0', sizeof(err->msg) - (size_t)n);
	err->msg[sizeof(err->msg) - 1] = '\0';
	return code;
}
