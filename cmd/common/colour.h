/* SPDX-License-Identifier: Apache-2.0 */
/* Whether to use colours on stdout (rule 31). */
#ifndef CMD_COLOUR_H
#define CMD_COLOUR_H

#include "cmd.h"

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
extern const char *const colour_names[];	/* ends with NULL */

/* The row of a program's options; its value is colour_read()'s. */
#define COLOUR_OPTION(val) \
	ONE_OF(val, "color", "=WHEN", colour_names, \
	    "auto (on a terminal), always or never")
/* Row of program.env. */
#define COLOUR_ENV { "NO_COLOR", "no colours if it is not empty" }

enum colour colour_read(const char *word);
/* auto: on a terminal that is not "dumb", unless NO_COLOR is set. */
bool colour_wanted(enum colour when);
/* Whether TERM names a terminal that takes more than lines. */
bool colour_term_is_dumb(void);

#endif
