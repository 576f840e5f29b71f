/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guarded files are files that an output of this program is about to replace.
 * If the program reads one as input, by the same name, another name or a link,
 * the output is refused, and the input stays.
 */
#ifndef CMD_GUARDED_H
#define CMD_GUARDED_H

#include <stdbool.h>

/* Guards the file at path, if it exists: a file that is noted as an input from
 * now on is compared with it.  Call only in the first thread, before starting
 * others.  cmd_option() guards the files of -o at its first call. */
void cmd_guard_output(const char *path);

/* Notes that fd, or the file at path ("-" and NULL: stdin), is an input.  The
 * functions of input.h do this for each file that they open.  May be called
 * from any thread. */
void cmd_note_input(int fd);
void cmd_note_input_path(const char *path);
/* Forgets that the file at path ("-" and NULL: stdin) is an input: the output
 * may replace it. */
void cmd_may_replace_input(const char *path);

/* Usage error if the file at path is an input.  cmd_open_output() and
 * cmd_close_output() call this before they replace a file. */
void cmd_refuse_input(const char *path);

#endif
