/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --completion: the script that completes a program's command line in a shell,
 * made from its options and operands.
 */
#ifndef CMD_COMPLETION_H
#define CMD_COMPLETION_H

#include "base/buf.h"
#include "cmd.h"

/* In the order of cmd_shells. */
enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* Adds the script for shell to *b. */
void completion_write(struct buf *b, enum shell shell);

#endif
