// SPDX-License-Identifier: Apache-2.0
/* diagnose.c - explains the messages in a log of the compiler. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cix-lint/actions.h"
#include "cmd.h"
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
	struct buf out;
};

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
	buf_puts(out, n < LONGEST_QUOTE ? "\n" : "...\n");
}

static void
explain(struct log *g, const char *p, size_t n)
{
	size_t i = log_message_in(p, n);

	if (i == LOG_MESSAGES || g->seen[i])
		return;
	g->seen[i] = true;
	buf_printf(&g->out, "%lu: ", g->line);
	quote(&g->out, p, n);
	buf_printf(&g->out, "    cause: %s\n    fix: %s\n",
	    log_messages[i].cause, log_messages[i].fix);
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

int
diagnose(const char *name, const char *output)
{
	struct log *g = cmd_alloc(sizeof(*g));
	bool any = false;

	g->line = 1;
	read_log(g, name);
	for (size_t i = 0; i < LOG_MESSAGES; i++)
		any = any || g->seen[i];
	cmd_write_document(output, &g->out);
	if (!any)
		cmd_note("%s: no message that cix-lint knows",
		    cmd_input_name(name));
	free(g);
	return any ? EXIT_DONE : EXIT_NOVERDICT;
}
