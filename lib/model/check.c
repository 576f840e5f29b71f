// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "model/check.h"

#ifdef CIX_TEST
int cix_skip;
#endif

static const struct {
	const char *name, *text;
	enum cix_check_kind kind;
} checks[CIX_BAD_END] = {
#define X(id, kind, name, text) \
	[CIX_BAD_##id] = { name, text, CIX_##kind },
	CIX_CHECKS(X)
#undef X
};

const char *
cix_check_name(int check)
{
	if (check <= CIX_SOUND || check >= CIX_BAD_END)
		return NULL;
	return checks[check].name;
}

const char *
cix_check_text(int check)
{
	if (check <= CIX_SOUND || check >= CIX_BAD_END)
		return NULL;
	return checks[check].text;
}

enum cix_check_kind
cix_check_kind(int check)
{
	if (check <= CIX_SOUND || check >= CIX_BAD_END)
		return CIX_FORMAT;
	return checks[check].kind;
}

int
cix_refuse(struct npu_err *err, enum cix_check check, const char *fmt, ...)
{
	char found[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(found, sizeof(found), fmt, ap);
	va_end(ap);
	if (found[0] == '\0')
		return npu_fail_detail(err, NPU_EFORMAT, (int)check, "%s",
		    checks[check].text);
	return npu_fail_detail(err, NPU_EFORMAT, (int)check, "%s (%s)",
	    checks[check].text, found);
}
