// SPDX-License-Identifier: Apache-2.0
/* Sets facts, and the verdicts of checks. */
#include <stdarg.h>
#include <stdio.h>

#include "diagnose/health/impl.h"
#include "host/platform.h"

static const struct {
	const char *name;
	bool number;
} facts[HEALTH_N] = {
#define X(id, name, number) { name, number },
	HEALTH_FACTS(X)
#undef X
};

const char *
health_fact_name(enum health_id id)
{
	return facts[id].name;
}

bool
health_fact_is_number(enum health_id id)
{
	return facts[id].number;
}

void
health_set_text(struct health *h, enum health_id id, const char *text)
{
	struct health_fact *f = &h->fact[id];

	if (*text == '\0')
		return;
	f->state = HEALTH_KNOWN;
	snprintf(f->text, sizeof(f->text), "%s", text);
}

void
health_set_number(struct health *h, enum health_id id, uint64_t v)
{
	struct health_fact *f = &h->fact[id];

	f->state = HEALTH_KNOWN;
	f->number = v;
	snprintf(f->text, sizeof(f->text), "%llu", (unsigned long long)v);
}

void
health_set_hidden(const struct health_reader *r, enum health_id id,
    const char *path)
{
	struct health_fact *f = &r->h->fact[id];

	f->state = HEALTH_HIDDEN;
	host_describe_readers(r->root, path, f->text, sizeof(f->text));
}

/* ---- Checks ------------------------------------------------------------ */

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
