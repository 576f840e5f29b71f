// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "colour.h"

const char *const colour_names[] = { "auto", "always", "never", NULL };

enum colour
colour_read(const char *word)
{
	return (enum colour)cmd_choice("--color", word, colour_names);
}

bool
colour_term_is_dumb(void)
{
	const char *term = getenv("TERM");

	return term == NULL || *term == '\0' || strcmp(term, "dumb") == 0;
}

bool
colour_wanted(enum colour when)
{
	const char *no_color = getenv("NO_COLOR");

	if (when != COLOUR_AUTO)
		return when == COLOUR_ALWAYS;
	return cmd_stdout_is_terminal() && !colour_term_is_dumb() &&
	    (no_color == NULL || *no_color == '\0');
}
