// SPDX-License-Identifier: Apache-2.0
/*
 * dpkg's status file: the names that are kept are whole, in plain characters.
 */
#include <stdlib.h>
#include <string.h>

#include "host/packages.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
check(const char *s, size_t size, bool may_be_empty)
{
	if (memchr(s, '\0', size) == NULL || (!may_be_empty && *s == '\0'))
		abort();
	for (; *s != '\0'; s++)
		if (*s <= 0x20 || *s > 0x7e)
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char *const all[] = { "*", NULL };
	static struct host_packages found;

	if (host_parse_packages((struct bytes){ p, n }, all, &found, NULL) <
	    0 && found.n + found.left_out > 0)
		abort();
	if (found.n > HOST_PACKAGES ||
	    (found.left_out > 0 && found.n < HOST_PACKAGES))
		abort();
	for (size_t i = 0; i < found.n; i++) {
		const struct host_package *f = &found.package[i];

		check(f->name, sizeof(f->name), false);
		check(f->version, sizeof(f->version), true);
		check(f->want, sizeof(f->want), false);
		check(f->flag, sizeof(f->flag), false);
		check(f->state, sizeof(f->state), false);
	}
	return 0;
}
