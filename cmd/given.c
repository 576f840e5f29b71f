// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "given.h"

void
given_take(struct given *g, bool outputs, bool whole)
{
	const struct param *p = &g->param;
	bool by_hand = p->has_type || p->has_shape || p->has_scale ||
	    p->has_zero;
	bool chosen;

	if (g->model != NULL && by_hand)
		cmd_usage("--model says type, shape, scale and zero point; "
		    "leave --type, --shape, --scale and --zero out");
	if (g->model != NULL) {
		g->tensors = param_model(g->model, outputs, &g->n, &chosen);
		g->all = !chosen;
	} else if (p->has_type || (whole && by_hand)) {
		g->tensors = cmd_alloc(sizeof(*g->tensors));
		param_tensor(p, g->tensors);
		g->n = 1;
	}
	for (uint16_t i = 0; i < g->n; i++)
		if (npu_dtype_size(g->tensors[i].dtype) == 0)
			cmd_die("%s: %s has no whole number of bytes and "
			    "cannot be converted", g->model != NULL ?
			    g->model : "--type",
			    npu_dtype_name(g->tensors[i].dtype) != NULL ?
			    npu_dtype_name(g->tensors[i].dtype) :
			    "its unknown type");
}

const char *
given_place(const struct stream *s)
{
	static char place[80];

	snprintf(place, sizeof(place), "frame %" PRIu64 ", tensor %u",
	    s->frame, s->label.index);
	return place;
}

const struct npu_tensor *
given_tensor(const struct given *g, const struct stream *s)
{
	if (!g->all)
		return g->tensors;
	if (s->label.count != g->n)
		cmd_die("%s: frame %" PRIu64 " has %u tensors, but %s has %u "
		    "of them", s->name, s->frame, s->label.count, g->model,
		    g->n);
	return &g->tensors[s->label.index];
}

void
given_free(struct given *g)
{
	free(g->tensors);
	g->tensors = NULL;
}
