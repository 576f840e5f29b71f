// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "emu/name_order.h"

struct name_place {
	const char *name;
	uint32_t at;
	bool taken;
};

/* Sorts by name; equal names keep their order. */
static int
by_name(const void *a, const void *b)
{
	const struct name_place *p = a, *q = b;
	int order = strcmp(p->name, q->name);

	return order != 0 ? order : (p->at > q->at) - (p->at < q->at);
}

/* Returns the first free place with the name, or NULL. */
static struct name_place *
find(struct name_place *place, uint32_t n, const char *name)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (strcmp(place[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (low < n && place[low].taken)
		low++;
	return low < n && strcmp(place[low].name, name) == 0 ? &place[low] :
	    NULL;
}

bool
name_order(const char *const *model, const char *const *twin, uint32_t n,
    uint32_t *at)
{
	struct name_place *place = calloc((size_t)n + 1, sizeof(*place)), *p;
	bool *taken = calloc((size_t)n + 1, sizeof(*taken));
	uint32_t left = 0;
	bool done = place != NULL && taken != NULL;

	for (uint32_t i = 0; done && i < n; i++)
		place[i] = (struct name_place){ twin[i], i, false };
	if (done)
		qsort(place, n, sizeof(*place), by_name);
	for (uint32_t k = 0; done && k < n; k++) {
		at[k] = n;
		if ((p = find(place, n, model[k])) == NULL)
			continue;
		p->taken = taken[p->at] = true;
		at[k] = p->at;
	}
	for (uint32_t k = 0; done && k < n; k++) {
		if (at[k] < n)
			continue;
		while (taken[left])
			left++;
		at[k] = left++;
	}
	free(taken);
	free(place);
	return done;
}
