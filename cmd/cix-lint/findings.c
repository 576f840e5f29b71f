// SPDX-License-Identifier: Apache-2.0
/* findings.c - a list of findings. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "findings.h"

const char *
level_name(enum level l)
{
	static const char *const names[LEVEL_N] = {
		[LEVEL_NOTE] = "note",
		[LEVEL_WARNING] = "warning",
		[LEVEL_ERROR] = "error",
	};

	return names[l];
}

static void
finding_free(struct finding *f)
{
	free(f->where);
	free(f->message);
	free(f->fix);
}

static void
make_printable(char *s)
{
	if (s != NULL)
		cmd_printable(s, strlen(s));
}

void
findings_add(struct findings *f, enum rule rule, enum level level,
    unsigned line, char *where, char *message, char *fix)
{
	struct finding new = { rule, level, line, where, message, fix };

	if (f->off[rule] || (cmd_quiet && level == LEVEL_NOTE)) {
		finding_free(&new);
		return;
	}
	make_printable(where);
	make_printable(message);
	make_printable(fix);
	if (f->n == f->room) {
		f->room = f->room == 0 ? 16 : 2 * f->room;
		f->list = cmd_realloc(f->list, f->room * sizeof(*f->list));
	}
	f->list[f->n++] = new;
}

bool
findings_fail(const struct findings *f, bool strict)
{
	enum level least = strict ? LEVEL_WARNING : LEVEL_ERROR;

	for (size_t i = 0; i < f->n; i++)
		if (f->list[i].level >= least)
			return true;
	return false;
}

void
findings_free(struct findings *f)
{
	for (size_t i = 0; i < f->n; i++)
		finding_free(&f->list[i]);
	free(f->list);
	f->list = NULL;
	f->n = f->room = 0;
}
