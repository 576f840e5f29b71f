// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <unistd.h>

#include "temporary.h"

/* Entries are never freed: a handler may walk the list at any time. */
static struct temporary *temporaries;

void
cmd_remove_temporaries(void)
{
	for (struct temporary *t = temporaries; t != NULL; t = t->next)
		if (t->name != NULL)
			unlink(t->name);
}

void
cmd_forget_temporaries(void)
{
	temporaries = NULL;
}

/* Returns an entry whose file was renamed, or a new entry.  A program can
 * therefore replace a file any number of times. */
struct temporary *
temporary_new(void)
{
	struct temporary *t;

	for (t = temporaries; t != NULL; t = t->next)
		if (t->name == NULL)
			return t;
	if ((t = calloc(1, sizeof(*t))) == NULL)
		return NULL;
	t->next = temporaries;
	temporaries = t;
	return t;
}

void
temporary_forget(const char *name)
{
	for (struct temporary *t = temporaries; t != NULL; t = t->next)
		if (t->name == name)
			t->name = NULL;
}
