/* SPDX-License-Identifier: Apache-2.0 */
/* A configuration in the form that Python's configparser reads. */
#ifndef CIX_LINT_INI_H
#define CIX_LINT_INI_H

#include "base/bytes.h"
#include "findings.h"
#include "npu.h"

/* Keys of this section belong to every section. */
#define INI_DEFAULT "DEFAULT"

/* The texts belong to struct ini.  Equal names of sections are one pointer. */
struct ini_key {
	char *section;		/* as written */
	char *name;		/* in lower case */
	char *value;		/* lines of a continuation joined by '\n'; ""
				   if it is empty */
	unsigned line;		/* of the name, from 1 */
};

struct ini_section {
	char *name;
	unsigned line;
};

struct ini {
	struct ini_section *section;	/* in file order, each name once,
					   without INI_DEFAULT */
	size_t n_sections;
	struct ini_key *key;		/* in file order, each name once in a
					   section */
	size_t n_keys;
	char *text;			/* holds names and values */
};

/*
 * Reads a configuration.  What configparser refuses becomes a finding of level
 * error, and reading goes on.  Comments "# cix-lint: off RULE" turn rules off
 * in f.  Fails only with NPU_EFORMAT, for a file that is not text or beyond the
 * limits.  Free with ini_free(), also after a failure.
 */
int ini_read(struct ini *ini, struct bytes text, struct findings *f,
    struct npu_err *err);
void ini_free(struct ini *ini);

/* Reports values with a '%' that configparser refuses when they are read. */
void ini_check_interpolation(const struct ini *ini, struct findings *f);

/* Returns the key of the section, or the section's key of INI_DEFAULT, or NULL.
 * Names of sections are compared as written, names of keys in lower case. */
const struct ini_key *ini_find(const struct ini *ini, const char *section,
    const char *name);
/* Returns the key's value, or NULL. */
const char *ini_value(const struct ini *ini, const char *section,
    const char *name);

#endif
