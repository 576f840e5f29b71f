// SPDX-License-Identifier: Apache-2.0
/* inputs.c - checks the inputs of the model. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/num.h"
#include "cmd.h"
#include "inputs.h"
#include "model/onnx.h"
#include "port_text.h"

/* ---- Open dimensions ----------------------------------------------------- */

/* Adds a word of a command: in quotes, if the shell would change it. */
static void
put_word(struct buf *b, const char *prefix, const char *word)
{
	bool plain = true;

	for (const char *c = word; *c != '\0'; c++)
		plain &= isalnum((unsigned char)*c) ||
		    strchr("_-./:=,+@%", *c) != NULL;
	buf_printf(b, plain ? " %s%s" : " '%s%s'", prefix, word);
}

/* Returns whether a size is open or, as some exporters write, 0. */
static bool
is_open(const struct onnx_port *p, uint32_t i)
{
	return p->dim[i] <= 0;
}

/* Returns whether the only open dimension is the batch. */
static bool
is_open_batch(const struct onnx_port *p)
{
	for (uint32_t i = 1; i < p->ndim; i++)
		if (is_open(p, i))
			return false;
	return p->ndim > 1 || (p->dim_name[0].n >= 5 &&
	    memmem(p->dim_name[0].p, p->dim_name[0].n, "batch", 5) != NULL);
}

/* Adds --fix-shape for an open dimension.  The size is the configuration's, or
 * 1 for a batch. */
static void
put_fix(struct buf *b, const struct onnx_port *p, uint32_t i,
    const struct listed_shape *listed)
{
	char *name = p->dim_name[i].n > 0 ? shown_name(p->dim_name[i]) :
	    shown_name(p->name);
	char *word;

	if (p->dim_name[i].n == 0)
		word = cmd_text("%s:%" PRIu32 "=", name, i);
	else
		word = cmd_text("%s=", name);
	free(name);
	name = word;
	if (listed != NULL && i < listed->ndim)
		word = cmd_text("%s%" PRId64, name, listed->dim[i]);
	else
		word = cmd_text("%s%s", name, i == 0 ? "1" : "SIZE");
	put_word(b, "--fix-shape=", word);
	free(name);
	free(word);
}

/* Returns whether an earlier dimension of the input has the same name. */
static bool
is_repeated(const struct onnx_port *p, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (is_open(p, k) && p->dim_name[i].n > 0 &&
		    bytes_compare(p->dim_name[k], p->dim_name[i]) == 0)
			return true;
	return false;
}

/* Returns the command that fixes the sizes of this input. */
static char *
fix_command(const struct lint *l, const struct onnx_port *p,
    const struct listed_shape *listed)
{
	struct buf b = { 0 };
	char *text;

	buf_puts(&b, "run cix-lint");
	for (uint32_t i = 0; i < p->ndim; i++)
		if (is_open(p, i) && !is_repeated(p, i))
			put_fix(&b, p, i, listed);
	buf_puts(&b, " -o OUT.onnx");
	put_word(&b, "", l->model_path);
	text = cmd_text("%.*s", (int)b.n, b.p);
	buf_free(&b);
	return text;
}

/* The parser cannot take a size from input_shape where the nodes of the model
 * depend on it. */
static void
check_open(struct lint *l, const struct onnx_port *p,
    const struct listed_shape *listed)
{
	struct buf shape = { 0 };
	uint32_t open = 0;
	bool batch;

	for (uint32_t i = 0; i < p->ndim; i++)
		open += is_open(p, i);
	if (open == 0)
		return;
	batch = is_open_batch(p);
	put_port_shape(&shape, p);
	findings_add(&l->findings, RULE_DYNAMIC_SHAPE, batch ? LEVEL_WARNING :
	    LEVEL_ERROR, 0, shown_name(p->name), batch ? cmd_text("the batch "
	    "is open in %.*s (gate: parser)", (int)shape.n, shape.p) :
	    cmd_text("%" PRIu32 " size%s of %.*s %s open, and the compiler "
	    "needs fixed sizes (gate: parser)", open, num_plural(open),
	    (int)shape.n, shape.p, open == 1 ? "is" : "are"),
	    fix_command(l, p, listed));
	buf_free(&shape);
}

/* ---- Each input ---------------------------------------------------------- */

static void
check_shape(struct lint *l, const struct onnx_port *p,
    const struct listed_shape *listed)
{
	if (p->shaped)
		check_open(l, p, listed);
	else if (p->kind != NULL && strcmp(p->kind, "tensor") == 0)
		findings_add(&l->findings, RULE_DYNAMIC_SHAPE, LEVEL_WARNING,
		    0, shown_name(p->name), cmd_text("the model does not "
		    "state the shape of this input (gate: parser)"),
		    cmd_copy("export the model with fixed sizes"));
}

static void
check_type(struct lint *l, const struct onnx_port *p)
{
	if (p->dtype == NPU_S64 || p->dtype == NPU_U64)
		findings_add(&l->findings, RULE_INT64_INPUT, LEVEL_WARNING, 0,
		    shown_name(p->name), cmd_text("the input is %s, and the "
		    "compiled model takes s32 (gate: parser)",
		    onnx_port_type(p)), cmd_copy("store the calibration data "
		    "and the inputs on the board as 32-bit integers"));
}

/* ---- Weights ------------------------------------------------------------- */

/* Field numbers of onnx.proto. */
enum { MODEL_GRAPH = 7, GRAPH_INPUT = 11 };

struct weight_inputs {
	const struct onnx_graph *graph;
	uint64_t n;
	struct bytes first;
};

static int
visit(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	struct weight_inputs *w = arg;
	const struct onnx_constant *c;
	struct onnx_port p;

	(void)err;
	if (in == ONNX_MODEL)
		return f->number == MODEL_GRAPH ? 0 : ONNX_SKIP;
	if (in != ONNX_GRAPH || depth != 1 || f->number != GRAPH_INPUT ||
	    f->wire != PB_LENGTH || !onnx_port_read(f->data, &p))
		return ONNX_SKIP;
	c = onnx_graph_constant(w->graph, p.name);
	if (c != NULL && c->node == ONNX_NO_NODE && w->n++ == 0)
		w->first = p.name;
	return ONNX_SKIP;
}

/* Up to version 3 of the format, weights had to be inputs. */
static void
check_weight_inputs(struct lint *l, const struct onnx_graph *g)
{
	struct weight_inputs w = { .graph = g };
	struct npu_err err;

	if (onnx_walk(l->bytes.file, visit, &w, &err) < 0)
		cmd_die("%s: %s", l->model_path, err.msg);
	if (w.n == 0)
		return;
	findings_add(&l->findings, RULE_WEIGHTS_AS_INPUTS,
	    l->model.ir_version < 4 ? LEVEL_NOTE : LEVEL_WARNING, 0,
	    shown_name(w.first), cmd_text("%" PRIu64 " tensor%s of weights "
	    "%s among the inputs: they can change, and are not folded (gate: "
	    "provider)", w.n, num_plural(w.n), w.n == 1 ? "is" : "are"),
	    cmd_copy("run python -m onnxruntime.tools."
	    "remove_initializer_from_input on the model"));
}

void
check_inputs(struct lint *l)
{
	const struct onnx_ports *p = &l->model.ports;
	struct onnx_graph g = { .node = NULL };
	struct input_keys k;
	struct npu_err err;

	if (onnx_graph_read(&g, l->bytes.file, &err) < 0)
		cmd_die("%s: %s", l->model_path, err.msg);
	input_keys_read(&k, l);
	check_input_keys(l, &k, &g);
	for (size_t i = 0; i < p->n_in && i < MOST_INPUTS; i++)
		check_shape(l, &p->in[i], input_keys_shape(&k, p->in[i].name));
	for (size_t i = 0; i < p->n_in && i < MOST_INPUTS; i++)
		check_type(l, &p->in[i]);
	check_weight_inputs(l, &g);
	input_keys_free(&k);
	onnx_graph_free(&g);
}
