// SPDX-License-Identifier: Apache-2.0
/*
 * namematch - reads lines EXPRESSION TAB NAME, and prints for each whether the
 * name of a layer matches: 0, 1, or ? for an expression that is not understood.
 */
#include <stdio.h>
#include <string.h>

#include "cix-lint/config/name_pattern.h"
#include "cmd.h"

const struct program program = { .name = "namematch" };

int
main(void)
{
	char line[8192], *name;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		struct name_pattern *p;

		line[strcspn(line, "\n")] = '\0';
		if ((name = strchr(line, '\t')) == NULL)
			return 1;
		*name++ = '\0';
		p = name_pattern_new(line, strlen(line));
		putchar(p == NULL ? '?' : name_pattern_matches(p,
		    (struct bytes){ (const uint8_t *)name, strlen(name) }) ?
		    '1' : '0');
		name_pattern_free(p);
	}
	putchar('\n');
	return 0;
}
