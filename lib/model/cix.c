// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/elf.h"
#include "model/flatbuf.h"
#include "model/graph.h"
#include "model/identify.h"
#include "model/names.h"

/* The library runs one subgraph; beyond this number they are not described. */
#define MAX_SUBGRAPHS 64

/* Field numbers (noe-abi 7). */
enum {
	ROOT_VERSION = 0, ROOT_NAME, ROOT_SUBGRAPHS, ROOT_TENSORS, ROOT_INPUTS,
	ROOT_OUTPUTS
};
enum { VERSION_MAJOR = 0, VERSION_DRAFT = 3 };
enum {
	SUBGRAPH_NAME = 0, SUBGRAPH_DATA, SUBGRAPH_INPUTS, SUBGRAPH_OUTPUTS,
	SUBGRAPH_BACKEND
};

struct container {
	struct bytes file;
	struct fb_vector subgraphs, inputs, outputs;
	struct names *names;
	uint64_t blobs;		/* bytes of subgraphs so far */
	bool lenient;
};

static int
read_version(const struct fb_table *root, struct cix_model *m,
    struct npu_err *err)
{
	struct fb_table t = { .b = root->b };
	uint32_t v = 0;
	int rc;

	if ((rc = fb_table_field(root, ROOT_VERSION, "version", &t, err)) < 0)
		return rc;
	for (unsigned i = 0; i < 3; i++) {
		if ((rc = fb_scalar(&t, VERSION_MAJOR + i, 4, UINT32_MAX,
		    "version number", &v, err)) < 0)
			return rc;
		memcpy(&m->version[i], &v, sizeof(v));
	}
	rc = fb_scalar(&t, VERSION_DRAFT, 1, true, "draft", &v, err);
	m->draft = v != 0;
	return rc;
}

/* Reads a list of strings, and checks each string. */
static int
read_strings(const struct fb_table *t, unsigned field, const char *what,
    struct fb_vector *v, struct npu_err *err)
{
	struct bytes s;
	int rc;

	if ((rc = fb_vector_field(t, field, 4, what, v, err)) < 0)
		return rc;
	for (uint32_t i = 0; i < v->n; i++)
		if ((rc = fb_string_element(v, i, what, &s, err)) < 0)
			return rc;
	return 0;
}

static int
open_container(struct container *c, struct cix_model *m, struct npu_err *err)
{
	struct fb_table root = { .b = c->file };
	struct fb_vector tensors = { .b = c->file };
	struct bytes name = { NULL, 0 };
	int rc;

	if ((rc = fb_root(c->file, &root, err)) < 0 ||
	    (rc = read_version(&root, m, err)) < 0 ||
	    (rc = fb_string_field(&root, ROOT_NAME, "name", &name,
	    err)) < 0 ||
	    (rc = fb_vector_field(&root, ROOT_SUBGRAPHS, 4, "subgraphs",
	    &c->subgraphs, err)) < 0 ||
	    (rc = fb_vector_field(&root, ROOT_TENSORS, 4, "tensors",
	    &tensors, err)) < 0 ||
	    (rc = read_strings(&root, ROOT_INPUTS, "inputs", &c->inputs,
	    err)) < 0 ||
	    (rc = read_strings(&root, ROOT_OUTPUTS, "outputs", &c->outputs,
	    err)) < 0)
		return rc;
	names_copy(m->name, sizeof(m->name), name);
	if (CIX_BROKEN(CIX_BAD_NO_SUBGRAPH, c->subgraphs.n == 0))
		return cix_refuse(err, CIX_BAD_NO_SUBGRAPH, "%s", "");
	if (CIX_BROKEN(CIX_BAD_MANY_SUBGRAPHS,
	    c->subgraphs.n > MAX_SUBGRAPHS))
		return cix_refuse(err, CIX_BAD_MANY_SUBGRAPHS,
		    "%u of at most %d", c->subgraphs.n, MAX_SUBGRAPHS);
	return names_open(&c->names, &tensors, err);
}

/* ---- Subgraphs -------------------------------------------------------- */

/* Checks the subgraph that the library loads, with the library's checks. */
static int
check_first(struct bytes blob, uint32_t backend, struct npu_err *err)
{
	if (CIX_BROKEN(CIX_BAD_GRAPH_EMPTY, blob.n == 0))
		return cix_refuse(err, CIX_BAD_GRAPH_EMPTY, "%s", "");
	if (CIX_BROKEN(CIX_BAD_GRAPH_AIPU_BIN, bytes_start(blob, "AIPU BIN")))
		return cix_refuse(err, CIX_BAD_GRAPH_AIPU_BIN, "%s", "");
	if (CIX_BROKEN(CIX_BAD_NOT_NPU, !bytes_start(blob, ELFMAG)))
		return cix_refuse(err, CIX_BAD_NOT_NPU,
		    "%zu bytes for backend %u", blob.n, backend);
	return 0;
}

/* Names the tensors after the lists of the subgraph; in the first subgraph
 * after the lists of the model, if their lengths fit. */
static void
name_tensors(const struct container *c, const struct fb_vector *in,
    const struct fb_vector *out, bool first, struct cix_graph *g)
{
	bool whole = first && c->inputs.n == g->n_inputs &&
	    c->outputs.n == g->n_outputs;

	names_apply(c->names, whole ? &c->inputs : in, g->tensors,
	    g->n_inputs);
	names_apply(c->names, whole ? &c->outputs : out,
	    g->n_outputs == 0 ? NULL : g->tensors + g->n_inputs,
	    g->n_outputs);
}

static int
read_blob(struct container *c, bool first, struct bytes blob,
    struct cix_graph *g, struct npu_err *err)
{
	const struct cix_graph as_found = *g;
	int rc;

	if (first && (rc = check_first(blob, g->backend, err)) < 0)
		return rc;
	if (!first && !elf_is_graph(blob))
		return 0;
	rc = graph_parse(blob, c->lenient, g, err);
	if (rc == NPU_EFORMAT && !first && c->lenient) {
		/* Drop the parts read before the damage. */
		free(g->tensors);
		*g = as_found;
		return 0;
	}
	return rc;
}

static int
read_subgraph(struct container *c, uint32_t i, struct cix_graph *g,
    struct npu_err *err)
{
	struct fb_vector data = { .b = c->file }, in = data, out = data;
	struct fb_table t = { .b = c->file };
	struct bytes name = { NULL, 0 }, blob = { NULL, 0 };
	int rc;

	if ((rc = fb_table_element(&c->subgraphs, i, "subgraphs", &t,
	    err)) < 0 ||
	    (rc = fb_string_field(&t, SUBGRAPH_NAME, "subgraph name", &name,
	    err)) < 0 ||
	    (rc = fb_vector_field(&t, SUBGRAPH_DATA, 1, "subgraph data",
	    &data, err)) < 0 ||
	    (rc = read_strings(&t, SUBGRAPH_INPUTS, "subgraph inputs", &in,
	    err)) < 0 ||
	    (rc = read_strings(&t, SUBGRAPH_OUTPUTS, "subgraph outputs", &out,
	    err)) < 0 ||
	    (rc = fb_scalar(&t, SUBGRAPH_BACKEND, 4, 0, "backend",
	    &g->backend, err)) < 0)
		return rc;
	names_copy(g->name, sizeof(g->name), name);
	bytes_sub(c->file, data.at, data.n, &blob);
	g->elf = blob;
	g->offset = data.at;
	g->size = blob.n;
	c->blobs += blob.n;
	if (CIX_BROKEN(CIX_BAD_OVERLAP, c->blobs > c->file.n))
		return cix_refuse(err, CIX_BAD_OVERLAP,
		    "%" PRIu64 " bytes in %zu", c->blobs, c->file.n);
	if ((rc = read_blob(c, i == 0, blob, g, err)) < 0)
		return rc;
	if (g->is_npu)
		name_tensors(c, &in, &out, i == 0, g);
	return 0;
}

static int
read_subgraphs(struct container *c, struct cix_model *m, struct npu_err *err)
{
	int rc;

	m->graphs = calloc(c->subgraphs.n, sizeof(*m->graphs));
	if (m->graphs == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (uint32_t i = 0; i < c->subgraphs.n; i++) {
		m->n_graphs = i + 1;
		if ((rc = read_subgraph(c, i, &m->graphs[i], err)) < 0)
			return i == 0 ? rc :
			    npu_prefix(err, rc, "subgraph %u", i);
	}
	return 0;
}

/* ---- Public functions ------------------------------------------------- */

static int
parse(struct bytes file, bool lenient, struct cix_model *out,
    struct npu_err *err)
{
	struct container c = {
		.file = file, .lenient = lenient,
		.subgraphs = { .b = file }, .inputs = { .b = file },
		.outputs = { .b = file },
	};
	struct cix_model m = { .n_graphs = 0 };
	int rc;

	if ((rc = identify_check(file, err)) == 0 &&
	    (rc = open_container(&c, &m, err)) == 0)
		rc = read_subgraphs(&c, &m, err);
	names_free(c.names);
	if (rc < 0) {
		cix_free(&m);
		return rc;
	}
	identify_builder(file, &m);
	*out = m;
	return 0;
}

int
cix_parse(struct bytes file, struct cix_model *m, struct npu_err *err)
{
	return parse(file, false, m, err);
}

int
cix_parse_lenient(struct bytes file, struct cix_model *m,
    struct npu_err *err)
{
	return parse(file, true, m, err);
}

int
cix_parse_graph(struct bytes elf, struct cix_graph *out, struct npu_err *err)
{
	struct cix_graph g = { .size = elf.n, .backend = 1 };
	int rc;

	if ((rc = check_first(elf, g.backend, err)) < 0 ||
	    (rc = graph_parse(elf, true, &g, err)) < 0) {
		cix_graph_free(&g);
		return rc;
	}
	*out = g;
	return 0;
}

void
cix_graph_free(struct cix_graph *g)
{
	if (g == NULL)
		return;
	free(g->tensors);
	*g = (struct cix_graph){ .n_tensors = 0 };
}

void
cix_free(struct cix_model *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < m->n_graphs; i++)
		cix_graph_free(&m->graphs[i]);
	free(m->graphs);
	*m = (struct cix_model){ .n_graphs = 0 };
}
