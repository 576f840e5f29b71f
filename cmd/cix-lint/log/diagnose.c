// SPDX-License-Identifier: Apache-2.0
/* diagnose.c - explains the messages in a log of the compiler. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cix-lint/actions.h"
#include "cmd.h"
#include "json_error.h"
#include "log_message.h"

enum {
	LONGEST_PIECE = 65536,	/* a longer line is looked at in pieces */
	LONGEST_QUOTE = 200,
};

struct log {
	char text[LONGEST_PIECE];
	size_t n;
	unsigned long line;	/* of text, from 1 */
	bool seen[LOG_MESSAGES];
	bool json;
	struct json out;
};

#define LOG_SCHEMA "cix-lint-log/1"

/* Adds the part of the line with the message, printable and not too long. */
static void
quote(struct buf *out, const char *p, size_t n)
{
	size_t at = out->n;

	while (n > 0 && (*p == ' ' || *p == '\t'))
		p++, n--;
	if (n > 0 && p[n - 1] == '\r')
		n--;
	buf_add(out, p, n < LONGEST_QUOTE ? n : LONGEST_QUOTE);
	if (!out->failed)
		cmd_printable(out->p + at, out->n - at);
	if (n >= LONGEST_QUOTE)
		buf_puts(out, "...");
}

static void
put_text(struct log *g, const struct buf *text, const struct log_message *m)
{
	buf_printf(&g->out.out, "%lu: %.*s\n    cause: %s\n    fix: %s\n",
	    g->line, (int)text->n, text->p, m->cause, m->fix);
}

static void
put_json(struct json *j, unsigned long line, const struct buf *text,
    const struct log_message *m)
{
	json_object(j);
	json_member_uint(j, "line", line);
	json_key(j, "text"), json_strn(j, text->p, text->n);
	json_member_str(j, "cause", m->cause);
	json_member_str(j, "fix", m->fix);
	json_end_object(j);
}

static void
explain(struct log *g, const char *p, size_t n)
{
	size_t i = log_message_in(p, n);
	struct buf text = { 0 };

	if (i == LOG_MESSAGES || g->seen[i])
		return;
	g->seen[i] = true;
	quote(&text, p, n);
	cmd_check_buf(&text);
	if (g->json)
		put_json(&g->out, g->line, &text, &log_messages[i]);
	else
		put_text(g, &text, &log_messages[i]);
	buf_free(&text);
}

/* Explains the lines of text; keeps the last if more may follow. */
static void
explain_lines(struct log *g, bool last)
{
	const char *p = g->text, *end = p + g->n, *stop;

	while ((stop = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		explain(g, p, (size_t)(stop - p));
		g->line++;
		p = stop + 1;
	}
	if (last || p == g->text) {
		explain(g, p, (size_t)(end - p));
		p = end;
	}
	g->n = (size_t)(end - p);
	memmove(g->text, p, g->n);
}

static void
read_log(struct log *g, const char *name)
{
	int fd = cmd_open_input(name);
	size_t n;

	do {
		n = cmd_read(fd, name, g->text + g->n, sizeof(g->text) - g->n);
		g->n += n;
		explain_lines(g, g->n < sizeof(g->text));
	} while (n > 0);
	if (fd != STDIN_FILENO)
		close(fd);
}

static void
begin_document(struct json *j, const char *output)
{
	json_on_failure(LOG_SCHEMA, output);
	j->pretty = true;
	json_object(j);
	json_member_str(j, "schema", LOG_SCHEMA);
	json_key(j, "messages");
	json_array(j);
}

static void
end_document(struct json *j)
{
	json_end_array(j);
	json_end_object(j);
	cmd_on_exit(NULL, NULL);
}

int
diagnose(const char *name, bool json, const char *output)
{
	struct log *g = cmd_alloc(sizeof(*g));
	bool any = false;

	g->line = 1;
	g->json = json;
	if (json)
		begin_document(&g->out, output);
	read_log(g, name);
	if (json)
		end_document(&g->out);
	for (size_t i = 0; i < LOG_MESSAGES; i++)
		any = any || g->seen[i];
	cmd_write_document(output, &g->out.out);
	if (!any)
		cmd_note("%s: no message that cix-lint knows",
		    cmd_input_name(name));
	free(g);
	return any ? EXIT_DONE : EXIT_NOVERDICT;
}
