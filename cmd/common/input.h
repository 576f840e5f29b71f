/* SPDX-License-Identifier: Apache-2.0 */
/* Reads data from files and stdin. */
#ifndef CMD_INPUT_H
#define CMD_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "npu.h"

/* True if path is "-"; false for NULL. */
bool cmd_is_dash(const char *path);
/* Returns the name for messages: "stdin" for "-" and NULL. */
const char *cmd_input_name(const char *path);

/*
 * Opens path for reading; dies.  "-" is stdin.  NULL is stdin that the command
 * line does not name: a terminal is then a usage error, because the program
 * would seem to hang (rule 12).
 */
int cmd_open_input(const char *path);
/* Notes that stdin is read, if path means stdin.  A second time is a usage
 * error, because the first reader would leave nothing. */
void cmd_take_stdin(const char *path);
/* Checks a name before anything is read: a second "-" is a usage error.  path
 * may be NULL: not given. */
void cmd_name_input(const char *path);
/* Does the same for operands, which end with NULL; without operands stdin is
 * read. */
void cmd_name_operands(char *const *operands);
/* Two parts of cmd_open_input(), for a program where a thread opens files: the
 * first thread refuses the terminal, and the other gets -1 with errno. */
void cmd_refuse_terminal(const char *path);
int cmd_try_open_input(const char *path);
/* Opens a file with open(), which is retried after signals that do not set
 * cmd_stop.  Returns -1 with errno. */
int cmd_try_open_file(const char *path);

/* True if read() would have to wait. */
bool cmd_would_wait(int fd);
/* Reads n bytes, or fewer at the end or when cmd_stop is set; dies. */
size_t cmd_read(int fd, const char *name, void *p, size_t n);
/* Does the same, but returns -1 with errno. */
int64_t cmd_try_read(int fd, void *p, size_t n);
/* Reads a whole file or stdin ("-"), at most limit bytes.  Dies with a message
 * that names the file and the limit. */
void *cmd_read_file(const char *path, size_t limit, size_t *n);
/* Adds a model, from a file or a pipe, to *b; fails for a device and beyond
 * CIX_LARGEST, as file_read() does. */
int cmd_read_model(int fd, struct buf *b, struct npu_err *err);

/* True if path may be text by mistake: the file does not exist, and the name
 * has blanks. */
bool cmd_looks_like_text(const char *path);

#endif
