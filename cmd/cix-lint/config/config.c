// SPDX-License-Identifier: Apache-2.0
/* config.c - the sections and keys of a configuration. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd.h"
#include "config_parts.h"
#include "suggest.h"

enum { MOST_UNKNOWN = 100 };	/* findings about unknown names */

struct config_check {
	struct lint *l;
	unsigned unknown;
	bool single;		/* [Common] has the parser's keys */
	bool builder;		/* [GBuilder] is there */
};

/* ---- Names --------------------------------------------------------------- */

/* Returns whether [Common] may have the parser's keys, as in the old form. */
static bool
is_single_section(const struct ini *ini)
{
	return !has_section(ini, SECTION_PARSER) &&
	    has_section(ini, SECTION_COMMON);
}

/* Counts an unknown name.  Returns whether it is reported: only the first ones
 * are, because looking for the closest name takes time. */
static bool
is_reported(struct config_check *c)
{
	return ++c->unknown <= MOST_UNKNOWN;
}

/* ---- Sections ------------------------------------------------------------ */

static const char *
closest_section(const char *name)
{
	struct suggestion s;

	for (enum section i = 0; i < SECTION_N; i++)
		if (strcasecmp(name, section_name(i)) == 0)
			return section_name(i);
	suggest_begin(&s, name, strlen(name));
	for (enum section i = 0; i < SECTION_N; i++)
		suggest_try(&s, section_name(i));
	return s.best;
}

static void
check_section(struct config_check *c, const struct ini_section *s)
{
	const char *closest;
	char *shown;

	if (section_by_name(s->name) != SECTION_N || !is_reported(c))
		return;
	closest = closest_section(s->name);
	shown = shown_text(s->name, strlen(s->name));
	findings_add(&c->l->findings, RULE_SECTION, LEVEL_ERROR, s->line, NULL,
	    cmd_text("no section is called [%s]", shown),
	    closest != NULL ? cmd_text("write [%s]", closest) :
	    cmd_copy("the sections are [Common], [Parser], [Optimizer], "
	    "[GBuilder] and [Runtime]"));
	free(shown);
}

/* ---- Keys ---------------------------------------------------------------- */

/* Returns the section to which the key belongs where it stands, or SECTION_N.
 * [Common] may hold the parser's or the optimizer's keys. */
static enum section
section_of(const struct config_check *c, enum section s, const char *name)
{
	if (key_by_name(s, name) != NULL)
		return s;
	if (s == SECTION_COMMON && c->single) {
		if (key_by_name(SECTION_PARSER, name) != NULL)
			return SECTION_PARSER;
		if (key_by_name(SECTION_OPTIMIZER, name) != NULL &&
		    !has_section(&c->l->ini, SECTION_OPTIMIZER))
			return SECTION_OPTIMIZER;
	}
	return SECTION_N;
}

/* Returns "[Parser] or [Optimizer]", the sections that have the key; or NULL.
 * [Common] is only named if it is the only one. */
static char *
owners(const char *name)
{
	char *text = NULL, *longer;

	for (enum section s = SECTION_N; s-- > 0;) {
		if (key_by_name(s, name) == NULL ||
		    (s == SECTION_COMMON && text != NULL))
			continue;
		longer = text == NULL ? cmd_text("[%s]", section_name(s)) :
		    cmd_text("[%s] or %s", section_name(s), text);
		free(text);
		text = longer;
	}
	return text;
}

static const char *
closest_key(enum section s, const char *name)
{
	const char *meant = key_meant(s, name);
	const struct key_type *t;
	struct suggestion closest;

	if (meant != NULL)
		return meant;
	suggest_begin(&closest, name, strlen(name));
	for (size_t i = 0; (t = key_at(s, i)) != NULL; i++)
		suggest_try(&closest, t->name);
	return closest.best;
}

/* Returns what to write in place of the key, or NULL. */
static char *
instead_of(enum section s, const struct ini_key *k)
{
	const char *closest = closest_key(s, k->name);
	char *elsewhere = owners(k->name), *fix, *value;

	value = shown_text(k->value, strlen(k->value));
	if (closest != NULL && elsewhere != NULL &&
	    key_meant(s, k->name) == NULL)
		closest = NULL;
	if (closest != NULL && elsewhere != NULL)
		fix = cmd_text("write '%s = %s', or move the line to %s",
		    closest, value, elsewhere);
	else if (closest != NULL)
		fix = cmd_text("write '%s = %s'", closest, value);
	else if (elsewhere != NULL)
		fix = cmd_text("remove the line, or move it to %s", elsewhere);
	else
		fix = cmd_copy("remove the line");
	free(elsewhere);
	free(value);
	return fix;
}

static void
report_key(struct config_check *c, enum section s, const struct ini_key *k)
{
	char *shown;

	if (!is_reported(c))
		return;
	shown = shown_text(k->name, strlen(k->name));
	findings_add(&c->l->findings, RULE_KEY, LEVEL_ERROR, k->line,
	    cmd_copy(shown), cmd_text("[%s] has no key '%s'%s",
	    section_name(s), shown, s == SECTION_GBUILDER ?
	    " (builder: Unknown option)" : ""),
	    instead_of(s, k));
	free(shown);
}

/* Checks a key of [DEFAULT], which every section gets. */
static void
check_default(struct config_check *c, const struct ini_key *k)
{
	char *elsewhere = owners(k->name), *shown;
	bool builder = c->builder &&
	    key_by_name(SECTION_GBUILDER, k->name) == NULL;

	if ((builder || elsewhere == NULL) && is_reported(c)) {
		shown = shown_text(k->name, strlen(k->name));
		findings_add(&c->l->findings, RULE_KEY, LEVEL_ERROR, k->line,
		    shown, cmd_text("[DEFAULT] gives '%s' to every section, "
		    "also to %s", shown, builder ? "[GBuilder], which has no "
		    "such key" : "those that have no such key"),
		    elsewhere != NULL ? cmd_text("move the line to %s",
		    elsewhere) : cmd_copy("remove the line"));
	}
	free(elsewhere);
}

static void
check_key(struct config_check *c, const struct ini_key *k)
{
	enum section written = section_by_name(k->section), s;

	if (strcmp(k->section, INI_DEFAULT) == 0) {
		check_default(c, k);
		return;
	}
	if (written == SECTION_N || written == SECTION_RUNTIME ||
	    key_is_old(k->section, k->name))
		return;
	s = section_of(c, written, k->name);
	if (s == SECTION_N)
		report_key(c, written, k);
	else
		check_value(c->l, k, key_by_name(s, k->name));
}

void
check_config(struct lint *l)
{
	struct config_check c = { .l = l,
	    .single = is_single_section(&l->ini),
	    .builder = has_section(&l->ini, SECTION_GBUILDER) };

	ini_check_interpolation(&l->ini, &l->findings);
	clean_values(l);
	for (size_t i = 0; i < l->ini.n_sections; i++)
		check_section(&c, &l->ini.section[i]);
	for (size_t i = 0; i < l->ini.n_keys; i++)
		check_key(&c, &l->ini.key[i]);
	if (c.unknown > MOST_UNKNOWN)
		findings_add(&l->findings, RULE_KEY, LEVEL_ERROR, 0, NULL,
		    cmd_text("%u more sections and keys are not known",
		    c.unknown - MOST_UNKNOWN), NULL);
	check_required(l);
}
