// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>

#include "diagnose/health.h"

const char *
health_verdict_name(enum health_verdict v)
{
	static const char *const names[] = { "ok", "warn", "FAIL", "skip" };

	return names[v];
}

void
health_judge(struct health_check *c, enum health_verdict v, const char *next,
    const char *fmt, ...)
{
	va_list ap;

	c->verdict = v;
	snprintf(c->next, sizeof(c->next), "%s", next);
	va_start(ap, fmt);
	vsnprintf(c->finding, sizeof(c->finding), fmt, ap);
	va_end(ap);
}
