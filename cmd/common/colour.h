/* SPDX-License-Identifier: Apache-2.0 */
/* Whether to use colours on stdout (rule 31). */
#ifndef CMD_COLOUR_H
#define CMD_COLOUR_H

#include "cmd.h"

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
extern const char *const colour_names[];	/* ends with NULL */

/* The option's row for a program's table; colour_read() reads its value. */
#define COLOUR_OPTION(val) \
	ONE_OF(val, "color", "=WHEN", colour_names, \
	    "auto (on a terminal), always or never")
/* The row of NO_COLOR for program.env. */
#define COLOUR_ENV { "NO_COLOR", "no colours if it is not empty" }

enum colour colour_read(const char *word);
/* True if output is coloured.  auto: if stdout is a terminal that is not "dumb"
 * and NO_COLOR is not set. */
bool colour_wanted(enum colour when);
/* True if TERM names a terminal that understands only lines. */
bool colour_term_is_dumb(void);

#endif
