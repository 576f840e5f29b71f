/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a line on the terminal, on stderr, which later output replaces. */
#ifndef CMD_TRANSIENT_LINE_H
#define CMD_TRANSIENT_LINE_H

/* Replaces the line with text. */
void transient_line_show(const char *text);
/* Hides the line before other text goes to the terminal.  Messages and
 * cmd_write() call this; any thread may. */
void transient_line_hide(void);

#endif
