// SPDX-License-Identifier: Apache-2.0
/* What cix-pack is told of a model: JSON, or lines of NAME:TYPE:SHAPE...  It is
 * refused, or comes back from the model that it makes. */
int cix_pack_main(int argc, char *argv[]);
#define main cix_pack_main
#include "../../cmd/cix-pack.c"
#undef main

#include "dies.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

struct given {
	const uint8_t *p;
	size_t n;
	struct pack pack;
};

static void
take(void *arg)
{
	struct given *g = arg;
	char *text, *rest, *one;

	in_file = false;
	if (g->n > 0 && g->p[0] == '{') {
		take_json(&g->pack, dies_file(g->p, g->n));
		return;
	}
	text = rest = dies_text(g->p, g->n);
	while ((one = strsep(&rest, "\n")) != NULL)
		take_spec(*one == '-' ? &g->pack.out : &g->pack.in, "-I",
		    one + (*one == '-'));
	free(text);
}

static void
compare(const struct list *l, const struct cix_tensor *t)
{
	for (size_t i = 0; i < l->n; i++)
		if (t[i].desc.dtype != l->t[i].dtype ||
		    t[i].desc.size != l->t[i].size ||
		    t[i].desc.zero_point != l->t[i].zero_point ||
		    t[i].desc.scale != l->t[i].scale)
			abort();
}

static void
make(void *arg)
{
	struct given *g = arg;
	struct cix_model m = { .n_graphs = 0 };
	struct npu_err err = { 0 };
	struct buf b = { 0 };

	take(arg);
	struct cix_pack p = { .name = g->pack.name != NULL ? g->pack.name :
	    "m", .inputs = g->pack.in.t, .n_inputs = (uint32_t)g->pack.in.n,
	    .outputs = g->pack.out.t, .n_outputs = (uint32_t)g->pack.out.n };
	if (cix_write(&p, &b, &err) < 0)
		cmd_die("%s", err.msg);
	if (cix_parse((struct bytes){ (uint8_t *)b.p, b.n }, &m, &err) < 0 ||
	    m.graphs[0].n_inputs != g->pack.in.n ||
	    m.graphs[0].n_outputs != g->pack.out.n)
		abort();
	compare(&g->pack.in, m.graphs[0].tensors);
	compare(&g->pack.out, m.graphs[0].tensors + g->pack.in.n);
	cix_free(&m);
	buf_free(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct given g = { .p = p, .n = n, .pack = { .in.what = "input",
	    .out.what = "output" } };

	dies(make, &g);
	return 0;
}
