/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that ask for an end. */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include <signal.h>

/*
 * The signal that asked for an end, 0 so far.  Set by a handler of the program
 * (without SA_RESTART); cmd_read() and cmd_write() end early then.
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
