/* SPDX-License-Identifier: Apache-2.0 */
/* The reason of a failure in documents of JSON (rule 27). */
#ifndef CMD_JSON_ERROR_H
#define CMD_JSON_ERROR_H

#include "base/json.h"

/* "error": {"message": MESSAGE, "status": STATUS} in the object at hand. */
void json_error(struct json *j, const char *message, int status);
/* The same for cmd_on_exit(): the last message, and the exit status. */
void json_exit_error(struct json *j);

/* For cmd_on_exit(): whether the program ends by a failure that its document
 * should have, and not by wrong usage or a signal. */
bool json_ends_failed(void);

/* Writes an object with nothing but "schema", unless that is NULL, and the
 * error to path (NULL: stdout). */
void json_write_failure(const char *schema, const char *path);

/*
 * From now on, a failure that ends the program writes an object of schema with
 * nothing but the error to path (NULL: stdout), until cmd_on_exit() is called
 * again.
 */
void json_on_failure(const char *schema, const char *path);

#endif
