/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common to all programs: start and end, messages on stderr, memory and,
 * through the headers named here, command line, data and signals.  Only cmd/
 * prints or exits (architecture, Layout).
 */
#ifndef CMD_H
#define CMD_H

#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "guarded.h"
#include "input.h"
#include "npu.h"
#include "option.h"
#include "output.h"
#include "paths.h"
#include "signals.h"
#include "temporary.h"

/* Exit status, the same in every program (rule 24). */
enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,	/* the program ran, but something failed */
	EXIT_USAGE = 2,
	EXIT_NODEVICE = 3,	/* no usable device or runtime */
	EXIT_VERDICT = 4,	/* a negative verdict */
	EXIT_NOVERDICT = 5,
};

/* ---- Start and end ---------------------------------------------------- */

/*
 * Must be the first call of every main().  Makes sure that descriptors 0 to 2
 * are open (rule 21), and that a failed write to stdout is reported at the end.
 */
void cmd_start(void);

/*
 * Ends the program; every program and main() end here.  Calls the function of
 * cmd_on_exit(), then exit(), or dies of the signal in cmd_stop.
 */
_Noreturn void cmd_exit(int status);
/*
 * Makes cmd_exit() call fn(arg), once, in place of an earlier function; with fn
 * NULL, nothing.  A loaded model is closed there, because the destructors of
 * its library may run before the handlers of atexit().
 */
void cmd_on_exit(void (*fn)(void *arg), void *arg);
bool cmd_has_on_exit(void);
/* The argument of cmd_exit(), for fn. */
extern int cmd_status_at_exit;

/* ---- Messages on stderr ----------------------------------------------- */

extern bool cmd_quiet;		/* -q */
extern bool cmd_verbose;	/* -v */

/* Prints "prog: subject: reason". */
void cmd_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a note, unless cmd_quiet is set. */
void cmd_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a detail, if cmd_verbose is set and cmd_quiet is not. */
void cmd_detail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Returns the last message of this thread, without the program's name, for a
 * document that ends with an error.  A message must have been printed. */
const char *cmd_last_message(void);
/* Makes a text of n bytes printable, as utf8_printable() does. */
void cmd_printable(char *p, size_t n);

/* Warns, then exits with EXIT_FAILED. */
_Noreturn void cmd_die(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
/* Warns, adds "Try 'prog --help' for more information." and exits with
 * EXIT_USAGE. */
_Noreturn void cmd_usage(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
/* Returns the name for messages: '' for an empty name. */
const char *cmd_visible_name(const char *name);
/* Prints "prog: subject: err->msg" and exits with cmd_status().  subject may be
 * NULL. */
_Noreturn void cmd_die_err(const char *subject, const struct npu_err *err);
/* Returns the exit status for err->code. */
int cmd_status(const struct npu_err *err);

/* ---- Memory ------------------------------------------------------------ */

/* All of these die without memory; the caller owns the result.  cmd_alloc()
 * returns zeroed memory. */
void *cmd_alloc(size_t n);
void *cmd_realloc(void *p, size_t n);
char *cmd_copy(const char *s);
char *cmd_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
