// SPDX-License-Identifier: Apache-2.0
/* report.c - writes findings. */
#include "cmd.h"
#include "json_error.h"
#include "report.h"

void
report_begin(struct report *r)
{
	if (r->format != REPORT_JSON)
		return;
	json_object(&r->json);
	json_member_str(&r->json, "schema", LINT_SCHEMA);
	json_key(&r->json, "files");
	json_array(&r->json);
}

/* ---- Lines --------------------------------------------------------------- */

/* Adds the name, with control characters replaced. */
static void
put_name(struct buf *b, const char *name)
{
	size_t at = b->n;

	buf_puts(b, name);
	if (!b->failed)
		cmd_printable(b->p + at, b->n - at);
}

/* A finding about the model has the line of input_model. */
static unsigned
line_of(const struct lint *l, const struct finding *f)
{
	return f->line > 0 ? f->line : l->model_line;
}

/* "FILE:LINE: LEVEL: WHERE: MESSAGE [RULE]", and the fix on a second line. */
static void
put_text(struct buf *b, const struct lint *l, const struct finding *f)
{
	unsigned line = line_of(l, f);

	put_name(b, cmd_input_name(l->path));
	if (line > 0)
		buf_printf(b, ":%u", line);
	buf_printf(b, ": %s: ", level_name(f->level));
	if (f->where != NULL)
		buf_printf(b, "%s: ", f->where);
	buf_printf(b, "%s [%s]\n", f->message, rule_name(f->rule));
	if (f->fix != NULL)
		buf_printf(b, "    %s\n", f->fix);
}

/* The same on one line, which always has a line and a column: editors find the
 * place with them. */
static void
put_gcc(struct buf *b, const struct lint *l, const struct finding *f)
{
	unsigned line = line_of(l, f);

	put_name(b, cmd_input_name(l->path));
	buf_printf(b, ":%u:1: %s: ", line > 0 ? line : 1,
	    level_name(f->level));
	if (f->where != NULL)
		buf_printf(b, "%s: ", f->where);
	buf_puts(b, f->message);
	if (f->fix != NULL)
		buf_printf(b, "; %s", f->fix);
	buf_printf(b, " [%s]\n", rule_name(f->rule));
}

/* ---- JSON ---------------------------------------------------------------- */

static void
put_json(struct json *j, const struct lint *l, const struct finding *f)
{
	json_object(j);
	json_member_str(j, "rule", rule_name(f->rule));
	json_member_str(j, "level", level_name(f->level));
	json_member_count(j, "line", line_of(l, f));
	json_key(j, "where"), json_str(j, f->where);
	json_member_str(j, "message", f->message);
	json_key(j, "fix"), json_str(j, f->fix);
	json_end_object(j);
}

static void
put_json_file(struct json *j, const struct lint *l)
{
	json_object(j);
	json_key(j, "file"), json_str(j, cmd_input_name(l->path));
	json_key(j, "model"), json_str(j, l->model_path);
	json_key(j, "findings");
	json_array(j);
	for (size_t i = 0; i < l->findings.n; i++)
		put_json(j, l, &l->findings.list[i]);
	json_end_array(j);
	json_end_object(j);
}

/* ---- Files --------------------------------------------------------------- */

void
report_file(struct report *r, const struct lint *l)
{
	struct json *j = &r->json;

	if (r->format == REPORT_JSON) {
		put_json_file(j, l);
		return;
	}
	for (size_t i = 0; i < l->findings.n; i++)
		if (r->format == REPORT_TEXT)
			put_text(&j->out, l, &l->findings.list[i]);
		else
			put_gcc(&j->out, l, &l->findings.list[i]);
}

void
report_unread(struct report *r, const char *path)
{
	struct json *j = &r->json;

	if (r->format != REPORT_JSON)
		return;
	json_object(j);
	json_key(j, "file"), json_str(j, cmd_input_name(path));
	json_key(j, "model"), json_null(j);
	json_key(j, "findings"), json_null(j);
	json_error(j, cmd_last_message(), EXIT_FAILED);
	json_end_object(j);
}

void
report_end(struct report *r)
{
	if (r->format != REPORT_JSON)
		return;
	json_end_array(&r->json);
	json_end_object(&r->json);
	buf_puts(&r->json.out, "\n");
}
