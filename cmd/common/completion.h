/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --completion: what completes a program's command line in a shell, made from
 * its options and operands.  A file for each shell, which is data and a
 * template; this is what they share.
 */
#ifndef CMD_COMPLETION_H
#define CMD_COMPLETION_H

#include "base/buf.h"
#include "cmd.h"

/* In the order of cmd_shells. */
enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* The script for shell. */
void completion_write(struct buf *b, enum shell shell);

void completion_bash(struct buf *b);
void completion_zsh(struct buf *b);
void completion_fish(struct buf *b);

/* The i-th word that can be o's argument; NULL: there is none. */
const char *completion_word(const struct opt *o, size_t i);
/* All of them, a blank between. */
void completion_words(struct buf *b, const struct opt *o);
/* Whether an operand or an option is a model. */
bool completion_models(void);
bool completion_optional(const struct opt *o);
/* "FILE" of "=FILE" and of "[=FILE]", into arg of n bytes. */
void completion_arg(char *arg, size_t n, const struct opt *o);
/* Text of a template: "@n" becomes the name of the program, and "@@" what a
 * function may be called after it: npu_run. */
void completion_template(struct buf *b, const char *text);
/* text with a backslash before each of the letters of special, for between
 * quotes; a quote in it becomes quote: "'\\''" or "\\'". */
void completion_escape(struct buf *b, const char *text, const char *special,
    const char *quote);

#endif
