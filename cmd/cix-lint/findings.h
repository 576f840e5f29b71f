/* SPDX-License-Identifier: Apache-2.0 */
/* What cix-lint found in one file. */
#ifndef CIX_LINT_FINDINGS_H
#define CIX_LINT_FINDINGS_H

#include <stdbool.h>

#include "rules.h"

enum level { LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR, LEVEL_N };

/* Returns "note", "warning" or "error". */
const char *level_name(enum level l);

struct finding {
	enum rule rule;
	enum level level;
	unsigned line;		/* in the configuration; 0: none */
	char *where;		/* a key, a node or a tensor; NULL: the file */
	char *message;		/* one line, printable */
	char *fix;		/* what to write instead; NULL: nothing */
};

struct findings {
	struct finding *list;	/* in the order in which they were added */
	size_t n, room;
	bool off[RULE_N];	/* findings of these rules are dropped */
};

/*
 * Adds a finding.  Takes ownership of the texts, which cmd_text() made; where
 * and fix may be NULL.  Texts from files are made printable here.
 */
void findings_add(struct findings *f, enum rule rule, enum level level,
    unsigned line, char *where, char *message, char *fix);
/* Returns whether an error is among them or, with strict, a warning. */
bool findings_fail(const struct findings *f, bool strict);
void findings_free(struct findings *f);

#endif
