// SPDX-License-Identifier: Apache-2.0
/* checks.c - writes the checks of a diagnosis as members, fields or text. */
#include <stdlib.h>
#include <string.h>

#include "check_lines.h"
#include "checks.h"
#include "cmd.h"

void
checks_add(struct check_list *l, const struct health_check *c)
{
	l->check = cmd_realloc(l->check, (l->n + 1) * sizeof(*l->check));
	l->check[l->n] = *c;
	l->check[l->n++].name = cmd_copy(c->name);
	l->of[c->verdict]++;
}

void
checks_free(struct check_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free((char *)(uintptr_t)l->check[i].name);
	free(l->check);
}

/* ---- JSON --------------------------------------------------------------- */

static void
json_checks(struct json *j, const struct check_list *l)
{
	json_key(j, "machine");
	json_object(j);
	json_member_str(j, "kind", l->kind);
	json_member_str(j, "finding", l->machine.finding);
	json_member_str(j, "next", l->machine.next);
	json_end_object(j);
	json_key(j, "checks");
	json_array(j);
	for (size_t i = 0; i < l->n; i++)
		check_json(j, &l->check[i]);
	json_end_array(j);
	json_key(j, "counts");
	json_object(j);
	for (int v = 0; v <= HEALTH_SKIP; v++)
		json_member_uint(j, health_verdict_name((enum health_verdict)v),
		    l->of[v]);
	json_end_object(j);
}

/* ---- Lines --------------------------------------------------------------- */

static void
plain_checks(struct buf *t, const struct check_list *l)
{
	buf_printf(t, "machine\t%s\t%s\t%s\n", l->kind, l->machine.finding,
	    l->machine.next);
	for (size_t i = 0; i < l->n; i++)
		check_plain(t, &l->check[i]);
}

/* Lists only names: the check that they wait for has its own line. */
static void
text_skipped(const struct info_form *f, const struct check_list *l)
{
	bool any = false;

	for (size_t i = 0; i < l->n; i++) {
		const struct health_check *c = &l->check[i];

		if (c->verdict != HEALTH_SKIP || c->next[0] != '\0')
			continue;
		buf_printf(f->text, "%s%s", any ? ", " : "skip  ", c->name);
		any = true;
	}
	if (any)
		buf_puts(f->text, " (-v says why)\n");
}

static void
text_checks(const struct info_form *f, const struct check_list *l)
{
	static const enum health_verdict order[] = { HEALTH_FAIL, HEALTH_WARN,
	    HEALTH_OK, HEALTH_SKIP };
	bool all = cmd_verbose || f->all;

	buf_printf(f->text, "This machine: %s\n", l->machine.finding);
	for (size_t k = 0; k < sizeof(order) / sizeof(*order); k++)
		for (size_t i = 0; i < l->n; i++)
			if (l->check[i].verdict == order[k] && (all ||
			    order[k] != HEALTH_SKIP ||
			    l->check[i].next[0] != '\0'))
				check_text(f->text, &l->check[i], 8,
				    f->colour);
	if (!all)
		text_skipped(f, l);
	buf_printf(f->text, "%u failed, %u warning%s, %u ok, %u skipped\n",
	    l->of[HEALTH_FAIL], l->of[HEALTH_WARN],
	    l->of[HEALTH_WARN] == 1 ? "" : "s", l->of[HEALTH_OK],
	    l->of[HEALTH_SKIP]);
}

void
checks_write(const struct info_form *f, struct check_list *l)
{
	if (f->json != NULL) {
		json_checks(f->json, l);
		return;
	}
	check_make_printable(&l->machine);
	for (size_t i = 0; i < l->n; i++) {
		char *name = (char *)(uintptr_t)l->check[i].name;

		/* The name may be a file's. */
		cmd_printable(name, strlen(name));
		check_make_printable(&l->check[i]);
	}
	if (f->plain)
		plain_checks(f->text, l);
	else
		text_checks(f, l);
}
