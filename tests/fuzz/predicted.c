// SPDX-License-Identifier: Apache-2.0
/*
 * From a model that is accepted, --predict makes two copies with further nodes.
 * These are valid models as well, with the same inputs, and have one output
 * more.
 */
#include <stdlib.h>
#include <string.h>

#include "cix-lint/predict/instrument.h"
#include "cmd.h"

const struct program program = { .name = "cix-lint" };

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Some values are not finite, and some are always 0. */
static void
set_extents(struct activations *a)
{
	static const float figures[][2] = { { -1, 3 }, { 0, 0 }, { 0, 640 },
	    { 0, 1e30f }, { 1, 1 } };

	for (size_t i = 0; i < a->n; i++)
		if (!extent_add(&a->list[i].seen, figures[i % 5], 2))
			abort();
	for (size_t i = 6; i < a->n; i += 7)
		a->list[i].finite = false;
}

/* Frees the copy. */
static void
check_copy(struct instrumented *m, const struct onnx_model *original)
{
	struct npu_err err = { 0 };
	struct onnx_model copy;
	struct buf *b = &m->head;

	buf_add(b, m->graph.p, m->graph.n);
	buf_add(b, m->tail.p, m->tail.n);
	if (onnx_model_read(&copy, (struct bytes){ (const uint8_t *)b->p,
	    b->n }, &err) < 0)
		abort();
	if (copy.ports.n_out != original->ports.n_out + (m->figures > 0) ||
	    copy.ports.n_in != original->ports.n_in)
		abort();
	onnx_model_free(&copy);
	instrumented_free(m);
}

static void
make_copies(struct net *net)
{
	struct instrumented m = { .figures = 0 };
	struct npu_err err = { 0 };
	const struct onnx_model *original = &net->lint->model;

	/* Data in other files is absent. */
	if (instrument_floats(&m, net, &err) < 0) {
		if (err.msg[0] == '\0')
			abort();
		instrumented_free(&m);
		return;
	}
	if (m.figures != 2 * net->activations.n)
		abort();
	check_copy(&m, original);
	set_extents(&net->activations);
	activations_set_roundings(&net->activations, &net->graph,
	    &net->settings);
	m = (struct instrumented){ .figures = 0 };
	if (instrument_rounded(&m, net, &err) < 0)
		abort();
	check_copy(&m, original);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct lint l = { .path = "x", .bytes.file = { p, n } };
	struct net net = { .lint = &l, .files.model = "/dev/null/x",
	    .opset = n > 0 && p[n - 1] % 2 == 0 ? 9 : 13 };

	/* Names in the copies begin with this. */
	if (memmem(p, n, "cix-lint/", 9) != NULL ||
	    onnx_model_read(&l.model, l.bytes.file, NULL) < 0)
		return 0;
	net.types.g = &net.graph;
	net.types.ports = &l.model.ports;
	if (onnx_graph_read(&net.graph, l.bytes.file, NULL) < 0 ||
	    value_types_find(&net.types, l.bytes.file, NULL) < 0)
		abort();
	activations_find(&net.activations, &net.graph, &net.types);
	settings_read(&net.settings, NULL);
	make_copies(&net);
	onnx_graph_free(&net.graph);
	value_types_free(&net.types);
	activations_free(&net.activations);
	settings_free(&net.settings);
	other_files_close(&net.files);
	onnx_model_free(&l.model);
	return 0;
}
