/* SPDX-License-Identifier: Apache-2.0 */
/* Comments that turn rules off: "# cix-lint: off RULE, RULE". */
#ifndef CIX_LINT_OFF_COMMENT_H
#define CIX_LINT_OFF_COMMENT_H

#include "findings.h"

/* Turns off in f what the comments of p..end name, for the whole file.  An
 * unknown name is a note. */
void off_comments(char *p, char *end, struct findings *f);

#endif
