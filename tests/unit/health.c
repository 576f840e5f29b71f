// SPDX-License-Identifier: Apache-2.0
/* Checks of facts that a tree of files cannot show. */
#include <string.h>

#include "device/health.h"
#include "tap.h"

static const struct health_check *
find(const struct health_check *c, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(c[i].name, name) == 0)
			return &c[i];
	return NULL;
}

static void
pages(uint64_t bytes, enum health_verdict want)
{
	struct health_check checks[HEALTH_CHECKS];
	const struct health_check *c;
	struct health h = { .trace = true };
	size_t n;

	if (bytes != 0)
		h.fact[HEALTH_PAGE_BYTES] = (struct health_fact){
		    .state = HEALTH_KNOWN, .number = bytes };
	n = health_examine(&h, checks);
	c = find(checks, n, "pages");
	ok(c != NULL && c->verdict == want &&
	    (want == HEALTH_OK) == (c->next[0] == '\0'), "%llu: %s",
	    (unsigned long long)bytes, health_verdict_name(want));
}

/* Nothing is known: nothing is ok, and each check says what to do next. */
static void
nothing(void)
{
	struct health_check checks[HEALTH_CHECKS];
	struct health h = { .trace = false };
	size_t n = health_examine(&h, checks);

	ok(n > 0 && n < HEALTH_CHECKS, "room for one more check");
	for (size_t i = 0; i < n; i++)
		ok(checks[i].verdict != HEALTH_OK &&
		    checks[i].next[0] != '\0' && checks[i].finding[0] != '\0',
		    "%s of nothing", checks[i].name);
}

int
main(void)
{
	pages(4096, HEALTH_OK);
	pages(65536, HEALTH_FAIL);
	pages(16384, HEALTH_WARN);
	pages(0, HEALTH_SKIP);
	nothing();
	return done();
}
