// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/locale.h"
#include "base/utf8.h"

enum { MESSAGE = sizeof(((struct npu_err *)NULL)->msg) };

static void
set(struct npu_err *err, int code, int detail, const char *fmt, va_list ap)
{
	locale_t before;

	if (err == NULL)
		return;
	err->code = code;
	err->detail = detail;
	before = locale_begin_c();
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	locale_end(before);
	utf8_printable(err->msg, strlen(err->msg));
}

const char *
npu_strcode(int code)
{
	static const char *const names[] = {
		[0] = "success",
		[-NPU_ESYSTEM] = "NPU_ESYSTEM",
		[-NPU_EDEVICE] = "NPU_EDEVICE",
		[-NPU_EFORMAT] = "NPU_EFORMAT",
		[-NPU_EUSAGE] = "NPU_EUSAGE",
		[-NPU_ENODEV] = "NPU_ENODEV",
		[-NPU_ETIMEOUT] = "NPU_ETIMEOUT",
		[-NPU_ESTOPPED] = "NPU_ESTOPPED",
	};
	const int n = (int)(sizeof(names) / sizeof(*names));

	return code <= 0 && code > -n ? names[-code] : "unknown code";
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
npu_need(const void *p, const char *what, struct npu_err *err)
{
	return p != NULL ? 0 : npu_fail(err, NPU_EUSAGE, "%s is NULL", what);
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
	char what[MESSAGE], both[2 * MESSAGE + 2];
	const size_t half = MESSAGE / 2 - 4;
	locale_t before;
	va_list ap;
	size_t n;

	if (err == NULL)
		return code;
	va_start(ap, fmt);
	before = locale_begin_c();
	n = (size_t)vsnprintf(what, sizeof(what), fmt, ap);
	locale_end(before);
	va_end(ap);
	/* A long message loses its middle, because the reason is at its end. */
	if (n >= sizeof(what))
		strcpy(what + sizeof(what) - 4, "...");
	n = (size_t)snprintf(both, sizeof(both), "%s: %s", what, err->msg);
	if (n >= MESSAGE) {
		memcpy(both + half, "...", 3);
		memmove(both + half + 3, both + n - half, half + 1);
	}
	n = strlen(both);
	utf8_printable(both, n);
	memcpy(err->msg, both, n + 1);
	return code;
}
