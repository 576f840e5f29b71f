// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "model/graph.h"

/*
 * Copies n tensors of one kind, in file order at src, to dst in the order of
 * library 2.0.2: each tensor at the index of its id.  An id of n or more ends
 * the sorting.  A tensor already at the index of its id is not copied again;
 * this decides which of two tensors with the same id is kept.  Found by running
 * the library on every kind of wrong order (tests/abi; noe-abi 4.10).
 */
static void
place_by_id(const struct cix_tensor *src, size_t n, struct cix_tensor *dst)
{
	memcpy(dst, src, n * sizeof(*dst));
	for (size_t i = 0; i < n && src[i].id < n; i++)
		if (src[i].id != i)
			dst[src[i].id] = src[i];
}

/* Copies the tensors of one kind to to.  Returns their number. */
static size_t
gather(const struct cix_tensor *from, size_t n, uint32_t kind,
    struct cix_tensor *to)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (from[i].kind == kind)
			to[found++] = from[i];
	return found;
}

int
tensor_order(struct cix_graph *g, struct npu_err *err)
{
	static const struct {
		uint32_t kind;
		bool by_id;
	} kinds[] = {
		{ CIX_INPUT, true }, { CIX_OUTPUT, true },
		{ CIX_DUMP, true }, { CIX_PROFILE, false },
		{ CIX_PRINTF, false }, { CIX_LAYER_COUNTER, false },
		{ CIX_ERROR_CODE, false }, { CIX_OUT_SHAPE, true },
		{ CIX_SEGMMU, false },
	};
	struct cix_tensor *sorted, *one;
	size_t n, at = 0;

	if (g->n_tensors == 0)
		return 0;
	sorted = calloc(g->n_tensors, sizeof(*sorted));
	one = calloc(g->n_tensors, sizeof(*one));
	if (sorted == NULL || one == NULL) {
		free(sorted);
		free(one);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		n = gather(g->tensors, g->n_tensors, kinds[i].kind, one);
		if (kinds[i].kind == CIX_INPUT)
			g->n_inputs = (uint32_t)n;
		if (kinds[i].kind == CIX_OUTPUT)
			g->n_outputs = (uint32_t)n;
		if (kinds[i].by_id)
			place_by_id(one, n, sorted + at);
		else
			memcpy(sorted + at, one, n * sizeof(*one));
		at += n;
	}
	free(one);
	free(g->tensors);
	g->tensors = sorted;
	return 0;
}
