/* SPDX-License-Identifier: Apache-2.0 */
/* Handles signals that ask the program to end. */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include <signal.h>

/*
 * Removes unfinished files and ends the program with the signal, also as
 * process 1 of a container, where the kernel drops signals whose action is the
 * default.  Safe in a handler.
 */
_Noreturn void end_of_signal(int sig);

/* From here on SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT and SIGABRT call
 * end_of_signal(), unless they are ignored. */
void signals_end_program(void);

/*
 * The signal that asked the program to end, or 0.  Set by a handler of the
 * program (without SA_RESTART); cmd_read() and cmd_write() then end early.
 */
extern volatile sig_atomic_t cmd_stop;

/*
 * From here on SIGINT, SIGTERM, SIGHUP and SIGPIPE set cmd_stop, unless they
 * are ignored.  A second SIGINT or SIGTERM ends the program at once.
 */
void cmd_catch_signals(void);

/* Ends the program with the signal in cmd_stop; unfinished files are removed.
 * cmd_exit() ends in the same way.  No exit handler runs. */
_Noreturn void cmd_die_of_signal(void);

#endif
