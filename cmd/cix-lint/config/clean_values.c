// SPDX-License-Identifier: Apache-2.0
/* clean_values.c - values with comments, line breaks or other keys in them. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "config_parts.h"

enum { MOST_REPORTS = 100 };

/* Returns whether a comment begins at p: '#' or ';' behind a blank. */
static bool
is_comment(const char *p)
{
	return (*p == ' ' || *p == '\t') && (p[1] == '#' || p[1] == ';');
}

/* Removes from each line of the value the comment and the blanks before it. */
static void
remove_comments(char *value)
{
	char *out = value;

	for (const char *p = value; *p != '\0';) {
		if (!is_comment(p)) {
			*out++ = *p++;
			continue;
		}
		p += strcspn(p, "\n");
		while (out > value && (out[-1] == ' ' || out[-1] == '\t'))
			out--;
	}
	*out = '\0';
}

static void
clean_comments(struct lint *l, struct ini_key *k, unsigned *reports)
{
	char *p = k->value, *shown;

	while (*p != '\0' && !is_comment(p))
		p++;
	if (*p == '\0')
		return;
	if ((*reports)++ < MOST_REPORTS) {
		shown = shown_text(p + 1, strcspn(p, "\n") - 1);
		findings_add(&l->findings, RULE_VALUE, LEVEL_WARNING, k->line,
		    cmd_copy(k->name), cmd_text("configparser takes '%s' for a "
		    "part of the value", shown), cmd_copy("put the comment on "
		    "a line of its own"));
		free(shown);
	}
	remove_comments(k->value);
}

/* Removes the line break before a value that begins on a later line. */
static void
clean_break(struct lint *l, struct ini_key *k, unsigned *reports)
{
	size_t n = strspn(k->value, "\n");

	if (n == 0)
		return;
	if ((*reports)++ < MOST_REPORTS)
		findings_add(&l->findings, RULE_VALUE, LEVEL_ERROR, k->line,
		    cmd_copy(k->name), cmd_copy("the value begins on a later "
		    "line, and configparser puts a line break before it"),
		    cmd_text("begin the value on line %u, after the name",
		    k->line));
	k->value += n;
}

static bool
is_known(const char *name)
{
	for (enum section s = 0; s < SECTION_N; s++)
		if (key_by_name(s, name) != NULL)
			return true;
	return false;
}

/* Returns the name of the key that the line sets, for the caller to free, or
 * NULL. */
static char *
known_key(const char *line)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	size_t n = strspn(line, letters);
	const char *p = line + n;
	char *name;

	while (*p == ' ' || *p == '\t')
		p++;
	if (n == 0 || n > 100 || (*p != '=' && *p != ':'))
		return NULL;
	name = cmd_text("%.*s", (int)n, line);
	for (char *c = name; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c += 'a' - 'A';
	if (is_known(name))
		return name;
	free(name);
	return NULL;
}

/* Looks for "key = value" in the lines of a continuation. */
static void
clean_lines(struct lint *l, struct ini_key *k, unsigned *reports)
{
	char *name, *p = k->value;

	while ((p = strchr(p, '\n')) != NULL) {
		if ((name = known_key(p + 1)) == NULL) {
			p++;
			continue;
		}
		if ((*reports)++ < MOST_REPORTS)
			findings_add(&l->findings, RULE_KEY, LEVEL_ERROR,
			    k->line, cmd_copy(name), cmd_text("'%s' is "
			    "indented, so configparser takes it for a part of "
			    "the value of '%s' on line %u", name, k->name,
			    k->line), cmd_copy("remove the blanks before it"));
		free(name);
		*p = '\0';
		return;
	}
}

void
clean_values(struct lint *l)
{
	unsigned reports = 0;

	for (size_t i = 0; i < l->ini.n_keys; i++) {
		clean_lines(l, &l->ini.key[i], &reports);
		clean_break(l, &l->ini.key[i], &reports);
		clean_comments(l, &l->ini.key[i], &reports);
	}
}
