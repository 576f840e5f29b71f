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
	EXIT_FAILED = 1,	/* it ran but something failed */
	EXIT_USAGE = 2,
	EXIT_NODEVICE = 3,	/* no usable device or runtime */
	EXIT_VERDICT = 4,	/* a negative verdict */
	EXIT_NOVERDICT = 5,
};

/* ---- Start and end ---------------------------------------------------- */

/*
 * First call of every main(): makes sure that descriptors 0 to 2 are open
 * (rule 21), and that a failed write to stdout is reported at the end.
 */
void cmd_start(void);

/*
 * The way out of every program and the end of main(): calls what cmd_on_exit()
 * was given, then exit(), or dies of the signal in cmd_stop.
 */
_Noreturn void cmd_exit(int status);
/*
 * cmd_exit() will call fn(arg), once, instead of what an earlier call named; fn
 * NULL: nothing.  A loaded model is closed there, because the destructors of
 * its library may run before the handlers of atexit().
 */
void cmd_on_exit(void (*fn)(void *arg), void *arg);
bool cmd_has_on_exit(void);
/* For fn: the argument of cmd_exit(). */
extern int cmd_status_at_exit;

/* ---- Messages on stderr ----------------------------------------------- */

extern bool cmd_quiet;		/* -q */
extern bool cmd_verbose;	/* -v */

/* "prog: subject: reason" */
void cmd_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Silenced by cmd_quiet. */
void cmd_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Only with cmd_verbose, and silenced by cmd_quiet. */
void cmd_detail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The last message of this thread, without the program's name: for the end of a
 * document that has an error in place of the rest.  Follows a message. */
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
/* A name in messages: '' if it is empty. */
const char *cmd_visible_name(const char *name);
/* "prog: subject: err->msg", exit by cmd_status().  subject may be NULL. */
_Noreturn void cmd_die_err(const char *subject, const struct npu_err *err);
/* The exit status for err->code. */
int cmd_status(const struct npu_err *err);

/* ---- Memory ------------------------------------------------------------ */

/* All of these die without memory; the result is the caller's.  cmd_alloc()
 * zeroes it. */
void *cmd_alloc(size_t n);
void *cmd_realloc(void *p, size_t n);
char *cmd_copy(const char *s);
char *cmd_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
