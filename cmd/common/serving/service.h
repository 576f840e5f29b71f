/* SPDX-License-Identifier: Apache-2.0 */
/* What a server does alike: signals, its address on stdout, its log. */
#ifndef CMD_SERVING_SERVICE_H
#define CMD_SERVING_SERVICE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"

/* Blocks SIGINT and SIGTERM in this thread and in those that it starts, and
 * returns the two; ignores SIGHUP and SIGPIPE (rule 34). */
sigset_t service_block_signals(void);
/* Whether one of the two waits to be taken: its number, or 0. */
int service_pending_signal(void);

/* The descriptor of the log: of the file at path, which is appended to; NULL
 * and "-": standard error.  Dies. */
int service_open_log(const char *path);
/* Begins a line of the log: the object with the time. */
void service_begin_line(struct json *j);
/* A member of milliseconds, to three digits behind the point. */
void service_member_ms(struct json *j, const char *key, uint64_t ns);
/* Ends the line, writes it in one piece and frees it.  A log that cannot be
 * written does not stop the server. */
void service_end_line(struct json *j, int fd);

/* Writes the address, the only line of standard output. */
void service_print_address(const char *url);

/* Reports to the service manager that the server lives, as often as it asked:
 * *last is 0 at first. */
void service_watchdog(uint64_t *last, bool alive);

/* Whether a call of the vendor's library, which began at since (clock_ns(); 0:
 * none), has not returned for a minute longer than an inference may take. */
bool service_is_stuck(uint64_t since);

#endif
