// SPDX-License-Identifier: Apache-2.0
/* input_keys.c - the keys input, input_shape and output against the model. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cix-lint/config/parser_key.h"
#include "cmd.h"
#include "inputs.h"
#include "port_text.h"
#include "suggest.h"

enum { MOST_NAMES = 1024 };	/* of inputs or outputs in a key */

/* ---- Keys ---------------------------------------------------------------- */

/* Reads the next name of a list with commas; empty names are skipped, as the
 * parser does. */
static bool
next_name(const char **at, struct bytes *name)
{
	const char *start, *end;

	while (isspace((unsigned char)**at) || **at == ',')
		++*at;
	if (**at == '\0')
		return false;
	start = *at;
	*at += strcspn(start, ",");
	for (end = *at; isspace((unsigned char)end[-1]); end--)
		;
	*name = (struct bytes){ (const void *)start, (size_t)(end - start) };
	return true;
}

/* Returns the names of a key, and stores their number.  Too many names are an
 * error. */
static struct bytes *
read_names(struct lint *l, const struct ini_key *key, size_t *n)
{
	struct bytes *list = cmd_alloc(MOST_NAMES * sizeof(*list)), name;
	const char *at = key->value;

	for (*n = 0; next_name(&at, &name); list[(*n)++] = name)
		if (*n == MOST_NAMES) {
			findings_add(&l->findings, RULE_VALUE, LEVEL_ERROR,
			    key->line, cmd_copy(key->name), cmd_text("more "
			    "than %d names", MOST_NAMES), NULL);
			break;
		}
	return list;
}

static void
read_shapes(struct input_keys *k, struct lint *l)
{
	const char *why = shape_list_parse(&k->shapes, k->shape->value);

	if (why != NULL)
		findings_add(&l->findings, RULE_INPUT_SHAPE, LEVEL_ERROR,
		    k->shape->line, cmd_copy("input_shape"),
		    cmd_text("'%s': %s (gate: parser)", k->shape->value, why),
		    cmd_copy("write a shape for each input, such as "
		    "[1,3,224,224],[1,77]"));
	else if (k->n != k->shapes.n)
		findings_add(&l->findings, RULE_INPUT_SHAPE, LEVEL_ERROR,
		    k->shape->line, cmd_copy("input_shape"), cmd_text("%zu "
		    "shape%s for %zu name%s in input (gate: parser)",
		    k->shapes.n, k->shapes.n == 1 ? "" : "s", k->n,
		    k->n == 1 ? "" : "s"), cmd_copy(k->input == NULL ?
		    "write input = with the names of the model's inputs" :
		    "write one shape in [] for each name, in the same order"));
	else
		k->shaped = true;
}

void
input_keys_read(struct input_keys *k, struct lint *l)
{
	*k = (struct input_keys){ .input = NULL };
	if (!l->configured)
		return;
	k->input = parser_key(&l->ini, "input");
	k->shape = parser_key(&l->ini, "input_shape");
	k->output = parser_key(&l->ini, "output");
	if (k->input != NULL)
		k->name = read_names(l, k->input, &k->n);
	if (k->shape != NULL)
		read_shapes(k, l);
}

void
input_keys_free(struct input_keys *k)
{
	free(k->name);
	shape_list_free(&k->shapes);
}

const struct listed_shape *
input_keys_shape(const struct input_keys *k, struct bytes input)
{
	for (size_t i = 0; k->shaped && i < k->n; i++)
		if (bytes_compare(k->name[i], input) == 0)
			return &k->shapes.shape[i];
	return NULL;
}

/* ---- Names --------------------------------------------------------------- */

static const struct onnx_port *
find_input(const struct lint *l, struct bytes name)
{
	const struct onnx_ports *p = &l->model.ports;

	for (size_t i = 0; i < p->n_in; i++)
		if (bytes_compare(p->in[i].name, name) == 0)
			return &p->in[i];
	return NULL;
}

/* Returns whether the graph has a node or a value of this name: the parser
 * takes both, and cuts the graph there. */
static bool
is_in_graph(const struct onnx_graph *g, struct bytes name)
{
	if (onnx_graph_maker(g, name) != NULL)
		return true;
	for (size_t i = 0; i < g->n; i++)
		if (bytes_compare(g->node[i].name, name) == 0)
			return true;
	return false;
}

/* Returns what to write in place of a name that does not exist. */
static char *
names_fix(const char *key, struct bytes name, const struct onnx_port *port,
    size_t n)
{
	char *shown[MOST_INPUTS], *text;
	struct suggestion s;
	struct buf b = { 0 };
	size_t i;

	suggest_begin(&s, (const char *)name.p, name.n);
	buf_printf(&b, "write %s = ", key);
	for (i = 0; i < n && i < MOST_INPUTS; i++) {
		shown[i] = shown_name(port[i].name);
		suggest_try(&s, shown[i]);
		buf_printf(&b, "%s%s", i > 0 ? "," : "", shown[i]);
	}
	if (i < n)
		buf_printf(&b, " and %zu more", n - i);
	text = s.best != NULL ? cmd_text("write '%s'", s.best) :
	    cmd_text("%.*s", (int)b.n, b.p);
	while (i > 0)
		free(shown[--i]);
	buf_free(&b);
	return text;
}

static void
report_name(struct lint *l, enum rule rule, const struct ini_key *key,
    struct bytes name, const struct onnx_port *port, size_t n)
{
	char *shown = shown_name(name);

	findings_add(&l->findings, rule, LEVEL_ERROR, key->line,
	    cmd_copy(key->name), cmd_text("the model does not have '%s' "
	    "(gate: parser)", shown), names_fix(key->name, name, port, n));
	free(shown);
}

/* ---- Shapes -------------------------------------------------------------- */

static bool
is_same(const struct onnx_port *p, const struct listed_shape *s)
{
	if (!p->shaped)
		return true;
	for (uint32_t i = 0; i < p->ndim && i < s->ndim; i++)
		if (p->dim[i] >= 0 && p->dim[i] != s->dim[i])
			return false;
	return p->ndim == s->ndim;
}

static void
check_shape(struct lint *l, const struct input_keys *k,
    const struct onnx_port *p, const struct listed_shape *s)
{
	struct buf model = { 0 }, listed = { 0 };

	if (is_same(p, s))
		return;
	put_port_shape(&model, p);
	for (uint32_t i = 0; i < s->ndim; i++)
		buf_printf(&listed, "%s%" PRId64, i > 0 ? "," : "", s->dim[i]);
	findings_add(&l->findings, RULE_INPUT_SHAPE, LEVEL_ERROR,
	    k->shape->line, shown_name(p->name), cmd_text("the configuration "
	    "says [%.*s], and the model %.*s (gate: parser)", (int)listed.n,
	    listed.p, (int)model.n, model.p), cmd_text("write %.*s, or export "
	    "the model with [%.*s]", (int)model.n, model.p, (int)listed.n,
	    listed.p));
	buf_free(&model);
	buf_free(&listed);
}

/* An input that is not named keeps the shape of the model. */
static void
check_unnamed(struct lint *l, const struct input_keys *k)
{
	const struct onnx_ports *p = &l->model.ports;

	for (size_t i = 0; i < p->n_in && i < MOST_INPUTS; i++) {
		size_t at = 0;

		while (at < k->n && bytes_compare(k->name[at],
		    p->in[i].name) != 0)
			at++;
		if (at == k->n)
			findings_add(&l->findings, RULE_INPUT_SHAPE,
			    LEVEL_WARNING, k->input->line,
			    shown_name(p->in[i].name), cmd_text("the key "
			    "input does not name this input of the model "
			    "(gate: parser)"), cmd_copy("add it to input, and "
			    "its shape to input_shape"));
	}
}

void
check_input_keys(struct lint *l, const struct input_keys *k,
    const struct onnx_graph *g)
{
	const struct onnx_ports *ports = &l->model.ports;
	const struct onnx_port *p;
	struct bytes *name;
	bool cut = false;
	size_t n;

	for (size_t i = 0; i < k->n; i++) {
		p = find_input(l, k->name[i]);
		if (p == NULL && !is_in_graph(g, k->name[i]))
			report_name(l, RULE_INPUT_SHAPE, k->input, k->name[i],
			    ports->in, ports->n_in);
		else if (p != NULL && k->shaped)
			check_shape(l, k, p, &k->shapes.shape[i]);
		cut |= p == NULL;
	}
	if (k->n > 0 && !cut)
		check_unnamed(l, k);
	if (k->output == NULL)
		return;
	name = read_names(l, k->output, &n);
	for (size_t i = 0; i < n; i++)
		if (!is_in_graph(g, name[i]))
			report_name(l, RULE_VALUE, k->output, name[i],
			    ports->out, ports->n_out);
	free(name);
}
