// SPDX-License-Identifier: Apache-2.0
/* activations.c - lists values, and chooses how each is rounded. */
#include <math.h>
#include <stdlib.h>

#include "activations.h"
#include "cix-lint/quantising/value_range.h"
#include "cmd.h"
#include "ratio.h"

enum { ONNX_FLOAT = 1 };	/* a number of onnx_type.h */
enum { MOST_MOVES = 4 };	/* Reshape, Transpose ... before a Concat */

/* ---- The list ------------------------------------------------------------ */

static void
add(struct activations *a, size_t *room, const struct onnx_node *n,
    uint32_t port)
{
	if (a->n == *room) {
		*room = *room == 0 ? 64 : 2 * *room;
		a->list = cmd_realloc(a->list, *room * sizeof(*a->list));
	}
	a->list[a->n++] = (struct activation){ .name = n->out[port],
	    .node = n, .port = port, .finite = true, .concat = NO_ACTIVATION };
}

/* Returns whether the node makes a constant: it is one, or the file has the
 * constant in quantised form. */
static bool
makes_constant(const struct onnx_graph *g, const struct onnx_node *n)
{
	return onnx_node_is(n, "Constant") || (n->n_in > 0 &&
	    bytes_start(n->type, "DequantizeLinear") &&
	    onnx_graph_constant(g, n->in[0]) != NULL);
}

void
activations_find(struct activations *a, const struct onnx_graph *g,
    const struct value_types *t)
{
	size_t room = 0;

	*a = (struct activations){ .list = NULL };
	for (size_t i = 0; i < g->n; i++) {
		const struct onnx_node *n = &g->node[i];

		if (makes_constant(g, n))
			continue;
		for (uint32_t k = 0; k < n->n_out; k++)
			if (n->out[k].n > 0 &&
			    value_types_output(t, n, k) == ONNX_FLOAT)
				add(a, &room, n, k);
	}
}

void
activations_free(struct activations *a)
{
	free(a->list);
	a->list = NULL;
	a->n = 0;
}

size_t
activations_of(const struct activations *a, const struct onnx_node *n)
{
	size_t low = 0, high = a->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (a->list[middle].node < n)
			low = middle + 1;
		else
			high = middle;
	}
	return low < a->n && a->list[low].node == n ? low : NO_ACTIVATION;
}

/* ---- Roundings ----------------------------------------------------------- */

static void
set_own(struct activation *a, const struct settings *s)
{
	struct method m = settings_activation_method(s, a->node);

	a->bits = settings_activation_bits(s, a->node);
	if (a->bits > 0 && a->finite)
		a->own = rounding_make(&m, a->bits, a->seen, false);
}

static float
width(const struct activation *a)
{
	return a->seen.high - a->seen.low;
}

/* Looks for the Concat behind a value, which has the numbers of *one. */
static void
find_concat(const struct activations *a, struct activation *one,
    const struct onnx_graph *g, struct bytes value, unsigned depth)
{
	const struct onnx_place *taker;
	size_t n;

	taker = onnx_graph_takers(g, value, &n);
	for (size_t i = 0; i < n; i++) {
		const struct onnx_node *node = &g->node[taker[i].node];
		size_t at = activations_of(a, node);

		if (at == NO_ACTIVATION || a->list[at].own.scale <= 0)
			continue;
		if (moves_elements(node) && taker[i].port == 0 &&
		    depth < MOST_MOVES)
			find_concat(a, one, g, a->list[at].name, depth + 1);
		if (onnx_node_is(node, "Concat") &&
		    (one->concat == NO_ACTIVATION ||
		    width(&a->list[at]) > width(&a->list[one->concat])))
			one->concat = at;
	}
}

void
activations_set_roundings(struct activations *a, const struct onnx_graph *g,
    const struct settings *s)
{
	for (size_t i = 0; i < a->n; i++)
		set_own(&a->list[i], s);
	for (size_t i = 0; i < a->n; i++)
		if (a->list[i].own.scale > 0)
			find_concat(a, &a->list[i], g, a->list[i].name, 0);
}

double
activation_ratio(const struct activation *a, bool *shared)
{
	double own = ratio_db(a->signal, a->noise), concat;

	*shared = false;
	if (a->own.scale <= 0)
		return NAN;
	if (a->concat == NO_ACTIVATION)
		return own;
	concat = ratio_db(a->signal, a->concat_noise);
	*shared = concat < own;
	return *shared ? concat : own;
}
