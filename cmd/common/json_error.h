/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the reason of a failure to JSON documents (rule 27). */
#ifndef CMD_JSON_ERROR_H
#define CMD_JSON_ERROR_H

#include "base/json.h"

/* Adds "error": {"message": MESSAGE, "status": STATUS} to the open object. */
void json_error(struct json *j, const char *message, int status);
/* For cmd_on_exit(): adds the last message and the exit status in this form. */
void json_exit_error(struct json *j);

/* For cmd_on_exit(): true if the program ends by a failure that its document
 * should report; false for wrong usage and for a signal. */
bool json_ends_failed(void);

/* Writes an object with only "schema", unless that is NULL, and the error to
 * path (NULL: stdout). */
void json_write_failure(const char *schema, const char *path);

/*
 * From now on, a failure that ends the program writes an object with schema and
 * the error to path (NULL: stdout), until cmd_on_exit() is called again.
 */
void json_on_failure(const char *schema, const char *path);

#endif
