// SPDX-License-Identifier: Apache-2.0
/*
 * facts.c - writes the facts of lib/diagnose/health in npu-info's three forms.
 */
#include <string.h>

#include "cmd.h"
#include "info.h"

static const char *const states[] = { "unknown", "known", "hidden" };

static void
json_fact(struct json *j, enum health_id id, const struct health_fact *f)
{
	json_key(j, health_fact_name(id));
	if (f->state != HEALTH_KNOWN)
		json_null(j);
	else if (health_fact_is_number(id))
		json_uint(j, f->number);
	else
		json_str(j, f->text);
}

static void
json_facts(struct json *j, const struct health *h)
{
	json_key(j, "facts");
	if (h == NULL) {
		json_null(j);
		return;
	}
	json_object(j);
	for (int i = 0; i < HEALTH_N; i++)
		json_fact(j, (enum health_id)i, &h->fact[i]);
	json_end_object(j);
	json_key(j, "hidden");
	json_object(j);
	for (int i = 0; i < HEALTH_N; i++)
		if (h->fact[i].state == HEALTH_HIDDEN)
			json_member_str(j, health_fact_name((enum health_id)i),
			    h->fact[i].text);
	json_end_object(j);
}

static void
line(struct buf *t, bool plain, enum health_id id,
    const struct health_fact *f)
{
	const char *name = health_fact_name(id);

	if (plain)
		buf_printf(t, "%s\t%s\t%s\n", name, states[f->state], f->text);
	else if (f->state == HEALTH_KNOWN)
		buf_printf(t, "%-19s %s\n", name, f->text);
	else if (f->state == HEALTH_HIDDEN)
		buf_printf(t, "%-19s n/a (%s)\n", name, f->text);
	else
		buf_printf(t, "%-19s unknown\n", name);
}

void
info_facts(const struct info_form *f, struct health *h)
{
	if (f->json != NULL) {
		json_facts(f->json, h);
		return;
	}
	if (h == NULL || !(h->trace || f->all))
		return;
	if (f->text->n > 0 && !f->plain)
		buf_puts(f->text, "\n");
	for (int i = 0; i < HEALTH_N; i++) {
		cmd_printable(h->fact[i].text, strlen(h->fact[i].text));
		line(f->text, f->plain, (enum health_id)i, &h->fact[i]);
	}
}
