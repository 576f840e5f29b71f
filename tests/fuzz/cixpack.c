// SPDX-License-Identifier: Apache-2.0
/*
 * Descriptors for cix-pack: JSON, or lines of NAME:TYPE:SHAPE...  Each is
 * refused, or a model made from it contains the same descriptors.
 */
int cix_pack_main(int argc, char *argv[]);
#define main cix_pack_main
#include "../../cmd/cix-pack/cix-pack.c"
#undef main

#include "dies.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

struct fuzz_input {
	const uint8_t *p;
	size_t n;
	struct cix_pack_options options;
};

static void
parse(void *arg)
{
	struct fuzz_input *g = arg;
	char *text, *rest, *one;

	if (g->n > 0 && g->p[0] == '{') {
		parse_json(&g->options, dies_file(g->p, g->n));
		return;
	}
	text = rest = dies_text(g->p, g->n);
	while ((one = strsep(&rest, "\n")) != NULL)
		spec_parse(*one == '-' ? &g->options.out : &g->options.in, "-I",
		    one + (*one == '-'));
	free(text);
}

static void
compare(const struct tensor_list *l, const struct cix_tensor *t)
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
	struct fuzz_input *g = arg;
	struct cix_model m = { .n_graphs = 0 };
	struct npu_err err = { 0 };
	struct buf b = { 0 };

	parse(arg);
	struct cix_pack p = { .name = g->options.name != NULL ?
	    g->options.name : "m", .inputs = g->options.in.t,
	    .n_inputs = (uint32_t)g->options.in.n, .outputs = g->options.out.t,
	    .n_outputs = (uint32_t)g->options.out.n };
	if (cix_write(&p, &b, &err) < 0)
		cmd_die("%s", err.msg);
	if (cix_parse((struct bytes){ (uint8_t *)b.p, b.n }, &m, &err) < 0 ||
	    m.graphs[0].n_inputs != g->options.in.n ||
	    m.graphs[0].n_outputs != g->options.out.n)
		abort();
	compare(&g->options.in, m.graphs[0].tensors);
	compare(&g->options.out, m.graphs[0].tensors + g->options.in.n);
	cix_free(&m);
	buf_free(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct fuzz_input g = { .p = p, .n = n, .options = { .in.kind = "input",
	    .out.kind = "output" } };

	dies(make, &g);
	return 0;
}
