// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "model/dpu_arguments.h"

/* ---- One element ------------------------------------------------------- */

enum dpu_role
dpu_argument_role(const struct dpu_argument *a)
{
	static const struct {
		const char *name;
		enum dpu_role role;
	} names[] = {
		{ "opcode", DPU_OPCODE },
		{ "instr", DPU_INSTR },
		{ "instruct", DPU_INSTR },
		{ "ninstr", DPU_NINSTR },
		{ "nistruct", DPU_NINSTR },
		{ "ninstruct", DPU_NINSTR },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(a->name, names[i].name) == 0)
			return names[i].role;
	return DPU_OTHER;
}

bool
dpu_argument_is_pointer(const struct dpu_argument *a)
{
	uint64_t qualifier;

	return dpu_qualifier(a->qualifier, &qualifier) &&
	    dpu_is_pointer(qualifier);
}

uint64_t
dpu_argument_id(const struct dpu_argument *a)
{
	uint64_t id;

	/* libxrt's number for "no id" is the largest as well. */
	return a->id != NULL && *a->id != '\0' && dpu_number(a->id, &id,
	    NULL) ? id : DPU_NO_ID;
}

/* ---- All arguments ----------------------------------------------------- */

static uint64_t
sum(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

uint64_t
dpu_merged_end(const struct dpu_merged *m)
{
	return sum(m->offset, m->size);
}

static uint64_t
number(const char *text)
{
	uint64_t n = 0;

	if (text != NULL)
		dpu_number(text, &n, NULL);
	return n;
}

/* Sorts by id; equal ids stay in file order. */
static int
by_id(const void *p, const void *q)
{
	const struct dpu_merged *a = p, *b = q;

	if (a->id != b->id)
		return (a->id > b->id) - (a->id < b->id);
	return (a->first > b->first) - (a->first < b->first);
}

/* Merges neighbouring items with equal ids.  Returns the new number of
 * items. */
static size_t
merge(struct dpu_merged *item, size_t n)
{
	size_t last = 0;

	for (size_t i = 1; i < n; i++) {
		struct dpu_merged *to = &item[last];

		if (item[i].id != to->id || to->id == DPU_NO_ID) {
			item[++last] = item[i];
			continue;
		}
		to->size = sum(to->size, item[i].size);
		if (item[i].offset < to->offset)
			to->offset = item[i].offset;
	}
	return n > 0 ? last + 1 : 0;
}

int
dpu_arguments_merge(struct dpu_arguments *a, const struct dpu_kernel *k)
{
	size_t n = k->arguments;
	struct dpu_merged *item = calloc(n > 0 ? n : 1, sizeof(*item));

	if (item == NULL)
		return NPU_ESYSTEM;
	for (size_t i = 0; i < n; i++) {
		const struct dpu_argument *from = &k->argument[i];

		item[i] = (struct dpu_merged){ from, dpu_argument_id(from),
		    number(from->offset), number(from->size) };
	}
	qsort(item, n, sizeof(*item), by_id);
	*a = (struct dpu_arguments){ .item = item, .n = merge(item, n) };
	while (a->numbered < a->n && item[a->numbered].id != DPU_NO_ID)
		a->numbered++;
	return 0;
}

void
dpu_arguments_free(struct dpu_arguments *a)
{
	free(a->item);
	*a = (struct dpu_arguments){ .n = 0 };
}
