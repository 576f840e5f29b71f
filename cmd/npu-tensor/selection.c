// SPDX-License-Identifier: Apache-2.0
/* Selects frames, and tensors of each frame. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "selection.h"

void
selection_frames(struct selection *c, const char *arg)
{
	char first[24];
	size_t n = strcspn(arg, "-");

	snprintf(first, sizeof(first), "%.*s", (int)n, arg);
	c->some_frames = true;
	c->first = (uint64_t)cmd_int("--frames", first, 1, INT64_MAX);
	c->last = c->first;
	if (arg[n] == '-')
		c->last = arg[n + 1] == '\0' ? INT64_MAX : (uint64_t)cmd_int(
		    "--frames", arg + n + 1, (int64_t)c->first, INT64_MAX);
}

void
selection_tensors(struct selection *c, const char *arg)
{
	char *copy = strdup(arg), *rest = copy, *one;
	unsigned i;

	if (copy == NULL)
		cmd_die("out of memory");
	if (c->tensors == NULL)
		c->tensors = cmd_alloc(UINT16_MAX);
	while ((one = strsep(&rest, ",")) != NULL) {
		i = (unsigned)cmd_int("--tensor", one, 0, UINT16_MAX - 1);
		c->count += !c->tensors[i];
		c->tensors[i] = 1;
		if (i > c->most)
			c->most = i;
	}
	free(copy);
}

bool
selection_place(const struct selection *c, struct npu_label *l)
{
	unsigned before = 0;
	bool chosen;

	if (c->tensors == NULL)
		return true;
	chosen = c->tensors[l->index] != 0;
	for (unsigned i = 0; i < l->index; i++)
		before += c->tensors[i];
	l->index = (uint16_t)before;
	l->count = (uint16_t)c->count;
	return chosen;
}

void
selection_free(struct selection *c)
{
	free(c->tensors);
	c->tensors = NULL;
}
