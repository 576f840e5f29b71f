// SPDX-License-Identifier: Apache-2.0
/* operator_uses.c - counts the nodes of each operator. */
#include <stdlib.h>

#include "cmd.h"
#include "operator_uses.h"

/* ---- Order --------------------------------------------------------------- */

static int
compare(const struct onnx_node *a, const struct onnx_node *b)
{
	int c = bytes_compare(a->domain, b->domain);

	return c != 0 ? c : bytes_compare(a->type, b->type);
}

/* By operator, then in file order. */
static int
by_use(const void *pa, const void *pb)
{
	const struct operator_use *a = pa, *b = pb;
	int c = compare(a->first, b->first);

	return c != 0 ? c : (a->first > b->first) - (a->first < b->first);
}

static int
by_operator(const void *pa, const void *pb)
{
	const struct operator_use *a = pa, *b = pb;

	return compare(a->first, b->first);
}

/* ---- Counting ------------------------------------------------------------ */

void
operator_uses_read(struct operator_uses *u, const struct onnx_graph *g,
    const bool *flags)
{
	struct operator_use *list = cmd_alloc((g->n + 1) * sizeof(*list));
	size_t n = 0, last = 0;

	for (size_t i = 0; i < g->n; i++)
		if (flags == NULL || flags[i])
			list[n++] = (struct operator_use){ &g->node[i], 1 };
	qsort(list, n, sizeof(*list), by_use);
	for (size_t i = 1; i < n; i++) {
		if (by_operator(&list[last], &list[i]) == 0)
			list[last].n++;
		else
			list[++last] = list[i];
	}
	*u = (struct operator_uses){ list, n > 0 ? last + 1 : 0 };
}

void
operator_uses_free(struct operator_uses *u)
{
	free(u->list);
	*u = (struct operator_uses){ .list = NULL };
}

const struct operator_use *
operator_uses_find(const struct operator_uses *u, struct bytes domain,
    struct bytes type)
{
	const struct onnx_node node = { .domain = domain, .type = type };
	const struct operator_use key = { .first = &node };

	return bsearch(&key, u->list, u->n, sizeof(key), by_operator);
}
