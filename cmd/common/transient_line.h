/* SPDX-License-Identifier: Apache-2.0 */
/* A line on the terminal, stderr, that gives way to what is printed next. */
#ifndef CMD_TRANSIENT_LINE_H
#define CMD_TRANSIENT_LINE_H

/* Instead of the last one. */
void transient_line_show(const char *text);
/* Before other text goes to the terminal: messages and cmd_write() call it; any
 * thread may. */
void transient_line_hide(void);

#endif
