/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the compiler and of the board, with their causes. */
#ifndef CIX_LINT_LOG_MESSAGE_H
#define CIX_LINT_LOG_MESSAGE_H

#include <stddef.h>

struct log_message {
	const char *text;	/* parts, with '*' for any text between them */
	const char *cause, *fix;
};

enum { LOG_MESSAGES = 35 };
extern const struct log_message log_messages[LOG_MESSAGES];

/* Returns the number of the message that a line contains, in any case, or
 * LOG_MESSAGES. */
size_t log_message_in(const char *line, size_t n);

#endif
