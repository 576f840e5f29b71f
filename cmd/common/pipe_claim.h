/* SPDX-License-Identifier: Apache-2.0 */
/* What only one program of a pipeline may do, such as to print a note. */
#ifndef CMD_PIPE_CLAIM_H
#define CMD_PIPE_CLAIM_H

#include <stdbool.h>

/*
 * Returns true if this program is the first in its pipeline that asks for what:
 * a note, or the terminal's line of progress.  It keeps what until it ends.
 */
bool pipe_claim(const char *what);

#endif
