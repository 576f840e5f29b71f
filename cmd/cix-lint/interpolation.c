// SPDX-License-Identifier: Apache-2.0
/*
 * interpolation.c - '%' in values, which configparser's BasicInterpolation
 * interprets (CPython 3.11): "%%" is '%', and "%(KEY)s" is the value of a key.
 * The values themselves are not changed here.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "ini.h"

enum {
	MOST_NAMES = 1000,	/* that are looked up; later names count as
				   known */
	MOST_FAULTS = 50,
};

struct interpolation {
	const struct ini *ini;
	struct findings *f;
	unsigned names, faults;
};

/* Returns whether the n bytes of name, after "%(", are a key. */
static bool
is_known(struct interpolation *i, const char *section, const char *name,
    size_t n)
{
	char *key;
	bool known;

	if (++i->names > MOST_NAMES)
		return true;
	key = cmd_text("%.*s", (int)n, name);
	for (char *p = key; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p += 'a' - 'A';
	known = ini_find(i->ini, section, key) != NULL;
	free(key);
	return known;
}

/* Returns the end of what begins with '%' at p; NULL: configparser refuses
 * it. */
static const char *
interpolation_end(struct interpolation *i, const char *section, const char *p)
{
	const char *end;

	if (p[1] == '%')
		return p + 2;
	if (p[1] != '(' || (end = strchr(p, ')')) == NULL || end[1] != 's' ||
	    !is_known(i, section, p + 2, (size_t)(end - p - 2)))
		return NULL;
	return end + 2;
}

static void
check_key(struct interpolation *i, const struct ini_key *k)
{
	const char *p = k->value;

	while (p != NULL && (p = strchr(p, '%')) != NULL) {
		p = interpolation_end(i, k->section, p);
		if (p != NULL || ++i->faults > MOST_FAULTS)
			continue;
		findings_add(i->f, RULE_VALUE, LEVEL_ERROR, k->line,
		    cmd_copy(k->name), cmd_copy("configparser takes '%' for "
		    "the beginning of %(KEY)s, and stops "
		    "(InterpolationSyntaxError)"), cmd_copy("write %% for a "
		    "single %"));
	}
}

void
ini_check_interpolation(const struct ini *ini, struct findings *f)
{
	struct interpolation i = { .ini = ini, .f = f };

	for (size_t k = 0; k < ini->n_keys; k++)
		check_key(&i, &ini->key[k]);
}
