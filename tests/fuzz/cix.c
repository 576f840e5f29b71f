// SPDX-License-Identifier: Apache-2.0
/*
 * Model files.  Every input is read as a file in all three ways, and the
 * results must agree.  An input of less than 64 bytes also describes a model to
 * pack, and reading the packed model must give the same description.  With
 * FUZZ_PLAIN in the environment, the mutations of tests/fuzz/cixmutate.h are
 * not used.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cixmutate.h"
#include "model/cix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t max,
    unsigned seed);

static volatile unsigned sink;

static void
must(bool cond, const char *what)
{
	if (!cond) {
		fprintf(stderr, "broken: %s\n", what);
		abort();
	}
}

/* Reads every byte that a description points to, and every string in it. */
static void
walk_graph(const struct cix_graph *g, struct bytes file)
{
	for (size_t i = 0; i < g->elf.n; i++)
		sink += g->elf.p[i];
	for (size_t i = 0; i < g->twin.n; i++)
		sink += g->twin.p[i];
	sink += (unsigned)(strlen(g->name) + strlen(g->target));
	must(g->offset + g->size <= file.n, "the graph is within the file");
	must(g->n_inputs + g->n_outputs <= g->n_tensors, "counts");
	for (size_t i = 0; i < g->n_tensors; i++) {
		const struct npu_tensor *t = &g->tensors[i].desc;
		char text[100];

		npu_tensor_format(t, text, sizeof(text));
		sink += (unsigned)(strlen(t->name) + strlen(text));
		must(t->ndim <= NPU_MAX_DIMS, "dimensions");
		must((g->tensors[i].kind == CIX_INPUT) == (i < g->n_inputs),
		    "inputs first");
	}
}

/* Checks what a strict reader guarantees for inputs and outputs. */
static void
walk_strict(const struct cix_graph *g)
{
	for (size_t i = 0; i < g->n_inputs + g->n_outputs; i++) {
		const struct npu_tensor *t = &g->tensors[i].desc;
		size_t each = npu_dtype_size(t->dtype);
		uint64_t size = each;

		must(t->size > 0 && t->size <= UINT32_MAX, "size");
		must(each == 0 || t->size % each == 0, "whole elements");
		must(isfinite(t->scale) && t->scale >= 0, "scale");
		for (uint32_t d = 0; d < t->ndim; d++)
			size *= t->dim[d];
		must(t->ndim == 0 || size == t->size, "shape");
	}
	must(g->deferred == CIX_SOUND, "nothing deferred when strict");
}

static void
read_file(struct bytes file)
{
	struct cix_model strict = { .n_graphs = 0 };
	struct cix_model lenient = { .n_graphs = 0 };
	struct npu_err err = { 0 }, err2 = { 0 };
	int rc = cix_parse(file, &strict, &err);
	int rc2 = cix_parse_lenient(file, &lenient, &err2);

	must(rc == 0 || cix_check_name(err.detail) != NULL,
	    "the check has a name");
	must(rc == 0 || strstr(err.msg, cix_check_text(err.detail)) != NULL,
	    "the message of the check");
	must(rc != 0 || rc2 == 0, "a sound file is leniently sound");
	if (rc == 0) {
		must(strict.n_graphs >= 1 && strict.graphs[0].is_npu,
		    "the first graph is for the NPU");
		must(strict.n_graphs == lenient.n_graphs,
		    "the same number of graphs");
	}
	for (size_t i = 0; i < strict.n_graphs; i++) {
		walk_graph(&strict.graphs[i], file);
		walk_strict(&strict.graphs[i]);
		must(strict.graphs[i].n_tensors ==
		    lenient.graphs[i].n_tensors, "the same tensors");
	}
	for (size_t i = 0; i < lenient.n_graphs; i++)
		walk_graph(&lenient.graphs[i], file);
	if (rc != 0 && rc2 == 0 && lenient.n_graphs == 1) {
		must(cix_check_kind(err.detail) == CIX_LATE ||
		    cix_check_kind(err.detail) == CIX_OURS,
		    "only what a lenient reader may ignore");
		if (cix_check_kind(err.detail) == CIX_LATE)
			must(lenient.graphs[0].deferred != CIX_SOUND,
			    "reported as deferred");
	}
	cix_free(&strict);
	cix_free(&lenient);
}

static void
read_graph(struct bytes elf)
{
	struct cix_graph g = { .n_tensors = 0 };

	if (cix_parse_graph(elf, &g, NULL) < 0)
		return;
	walk_graph(&g, elf);
	cix_graph_free(&g);
}

/* ---- Packing ---------------------------------------------------------- */

struct taste {
	const uint8_t *p;
	size_t n;
};

static uint32_t
take(struct taste *t, unsigned bytes)
{
	uint32_t v = 0;

	for (; bytes > 0 && t->n > 0; bytes--, t->n--)
		v = v << 8 | *t->p++;
	return v;
}

static void
take_tensor(struct taste *f, struct npu_tensor *t)
{
	uint32_t scale = take(f, 4);
	size_t i;

	*t = (struct npu_tensor){ .dtype = take(f, 1), .ndim = take(f, 1) % 8,
	    .zero_point = (int32_t)take(f, 4) };
	memcpy(&t->scale, &scale, sizeof(scale));
	t->size = npu_dtype_size(t->dtype);
	for (i = 0; i < t->ndim && i < NPU_MAX_DIMS; i++) {
		t->dim[i] = take(f, 2);
		t->size *= t->dim[i];
	}
	if (t->ndim == 0)
		t->size = take(f, 3);
	for (i = 0; i < 4 && f->n > 0; i++)
		t->name[i] = (char)take(f, 1);
}

static void
pack(const uint8_t *data, size_t size)
{
	struct taste f = { data, size };
	struct npu_tensor t[4], *got;
	struct cix_pack p = { .name = "fuzz", .inputs = t };
	struct cix_model m = { .n_graphs = 0 };
	struct npu_err err;
	struct buf b = { 0 };

	p.device = take(&f, 4);
	p.n_inputs = take(&f, 1) % 3;
	p.n_outputs = take(&f, 1) % 3;
	p.outputs = t + p.n_inputs;
	for (size_t i = 0; i < p.n_inputs + p.n_outputs; i++)
		take_tensor(&f, &t[i]);
	p.twin = (struct bytes){ f.p, f.n };
	if (cix_write(&p, &b, &err) < 0) {
		must(b.n == 0, "nothing written on failure");
		return;
	}
	must(cix_parse((struct bytes){ (uint8_t *)b.p, b.n }, &m, &err) == 0,
	    "what was written can be read");
	must(m.graphs[0].n_inputs == p.n_inputs &&
	    m.graphs[0].n_outputs == p.n_outputs,
	    "the same number of inputs and outputs");
	for (size_t i = 0; i < p.n_inputs + p.n_outputs; i++) {
		got = &m.graphs[0].tensors[i].desc;
		must(got->dtype == t[i].dtype && got->size == t[i].size &&
		    got->scale == t[i].scale &&
		    got->zero_point == t[i].zero_point, "the descriptor");
		must(t[i].ndim == 0 || (got->ndim == t[i].ndim &&
		    memcmp(got->dim, t[i].dim, sizeof(t[i].dim)) == 0),
		    "the shape");
		must(t[i].name[0] == '\0' ||
		    strcmp(got->name, t[i].name) == 0, "the name");
	}
	must(m.graphs[0].twin.n == p.twin.n && (p.twin.n == 0 ||
	    memcmp(m.graphs[0].twin.p, p.twin.p, p.twin.n) == 0), "the twin");
	cix_free(&m);
	buf_free(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes file = { data, size };

	if (size < 64)
		pack(data, size);
	read_file(file);
	read_graph(file);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t max, unsigned seed)
{
	static int plain = -1;

	if (plain < 0)
		plain = getenv("FUZZ_PLAIN") != NULL;
	if (plain || n < 64 || seed % 4 == 0)
		return LLVMFuzzerMutate(p, n, max);
	return cix_mutate(p, n, max, seed);
}
