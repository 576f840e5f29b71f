// SPDX-License-Identifier: Apache-2.0
/* config_parts.c - what the parts of check_config() share. */
#include "cmd.h"
#include "config_parts.h"

bool
has_section(const struct ini *ini, enum section s)
{
	for (size_t i = 0; i < ini->n_sections; i++)
		if (section_by_name(ini->section[i].name) == s)
			return true;
	return false;
}

char *
shown_text(const char *p, size_t n)
{
	size_t most = 100;

	if (n <= most)
		return cmd_text("%.*s", (int)n, p);
	/* Not inside a character. */
	while (most > 0 && ((unsigned char)p[most] & 0xc0) == 0x80)
		most--;
	return cmd_text("%.*s...", (int)most, p);
}
