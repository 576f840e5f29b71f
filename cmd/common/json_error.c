// SPDX-License-Identifier: Apache-2.0
#include "cmd.h"
#include "json_error.h"

void
json_error(struct json *j, const char *message, int status)
{
	json_key(j, "error");
	json_object(j);
	json_member_str(j, "message", message);
	json_key(j, "status");
	json_int(j, status);
	json_end_object(j);
}

void
json_exit_error(struct json *j)
{
	json_error(j, cmd_last_message(), cmd_status_at_exit);
}

bool
json_ends_failed(void)
{
	return cmd_status_at_exit != EXIT_USAGE && cmd_stop == 0;
}

/* Describes the document that is written if the program fails. */
static struct document {
	const char *schema, *path;
} document;

void
json_write_failure(const char *schema, const char *path)
{
	struct json j = { .pretty = false };

	json_object(&j);
	if (schema != NULL)
		json_member_str(&j, "schema", schema);
	json_exit_error(&j);
	json_end_object(&j);
	buf_puts(&j.out, "\n");
	cmd_write_document(path, &j.out);
}

static void
write_failure(void *arg)
{
	const struct document *d = arg;

	if (json_ends_failed())
		json_write_failure(d->schema, d->path);
}

void
json_on_failure(const char *schema, const char *path)
{
	document = (struct document){ schema, path };
	cmd_on_exit(write_failure, &document);
}
