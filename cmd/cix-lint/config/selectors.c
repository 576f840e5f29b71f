// SPDX-License-Identifier: Apache-2.0
/* selectors.c - whether the layers that a configuration names are in the
 * model. */
#include <stdlib.h>
#include <string.h>

#include "cix-lint/lint.h"
#include "cmd.h"
#include "ir_type.h"
#include "keys.h"
#include "layer_name.h"
#include "layered.h"
#include "model/onnx_graph.h"

enum { MOST_CHECKED = 200 };	/* selectors */

struct selector_check {
	struct lint *l;
	const struct ini_key *key;
	struct onnx_graph graph;
	bool read;		/* graph is valid */
	unsigned checked;
};

static bool
has_subgraphs(const struct onnx_graph *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (onnx_node_is(&g->node[i], "If") ||
		    onnx_node_is(&g->node[i], "Loop"))
			return true;
	return false;
}

/* Takes ownership of message and fix. */
static void
report(struct selector_check *c, enum level level, char *message, char *fix)
{
	findings_add(&c->l->findings, RULE_VALUE, level, c->key->line,
	    cmd_copy(c->key->name), message, fix);
}

/* ---- Types --------------------------------------------------------------- */

static bool
type_occurs(const struct onnx_graph *g, struct bytes type)
{
	for (size_t i = 0; i < g->n; i++)
		if (ir_type_may_cover(type, g->node[i].type))
			return true;
	return false;
}

static void
check_type(struct selector_check *c, struct bytes type)
{
	const char *instead;
	int n = (int)(type.n < 100 ? type.n : 100);

	if (!ir_type_known(type, &instead))
		report(c, instead != NULL ? LEVEL_WARNING : LEVEL_NOTE,
		    cmd_text("the compiler's graph has no operator '%.*s', so "
		    "no layer takes this value", n, type.p), instead != NULL ?
		    cmd_text("write %s", instead) : NULL);
	else if (!type_occurs(&c->graph, type))
		report(c, LEVEL_WARNING, cmd_text("no node of the model "
		    "becomes the operator '%.*s'", n, type.p),
		    cmd_copy("remove the selector, or name an operator that "
		    "the model has"));
}

static void
check_types(struct selector_check *c, const struct selector *s)
{
	const char *list = s->what;
	struct bytes word;

	while (c->checked++ < MOST_CHECKED && selector_word(&list, &word))
		check_type(c, word);
}

/* ---- Names --------------------------------------------------------------- */

static bool
name_occurs(const struct onnx_graph *g, const struct name_pattern *p)
{
	for (size_t i = 0; i < g->n; i++)
		if (name_pattern_matches(p, layer_name(&g->node[i])))
			return true;
	return false;
}

/* Returns what to write for an expression that matches no name.  It may match
 * inside of names. */
static char *
name_instead(const struct onnx_graph *g, const char *expression)
{
	char *text = cmd_text(".*(%s)", expression), *fix = NULL;
	struct name_pattern *p = name_pattern_new(text, strlen(text));

	if (p != NULL && name_occurs(g, p))
		fix = cmd_text("write {.*%s}: the expression must match from "
		    "the first letter of a name", expression);
	free(text);
	name_pattern_free(p);
	if (fix == NULL && g->n > 0) {
		struct bytes name = layer_name(&g->node[0]);

		fix = cmd_text("names in the model are such as '%.*s'",
		    (int)(name.n < 100 ? name.n : 100),
		    (const char *)name.p);
	}
	return fix;
}

static void
check_name(struct selector_check *c, const struct selector *s)
{
	int n = (int)(strlen(s->what) < 100 ? strlen(s->what) : 100);

	if (s->pattern == NULL) {
		report(c, LEVEL_NOTE, cmd_text("cix-lint cannot check which "
		    "layers {%.*s} names", n, s->what), NULL);
		return;
	}
	if (name_occurs(&c->graph, s->pattern))
		return;
	report(c, LEVEL_WARNING, cmd_text("{%.*s} matches no node's name in "
	    "the model", n, s->what), name_instead(&c->graph, s->what));
}

/* ---- Keys ---------------------------------------------------------------- */

static void
check_selector(struct selector_check *c, const struct selector *s)
{
	struct npu_err err;

	if (s->kind == SELECT_IDS || c->checked >= MOST_CHECKED)
		return;
	if (!c->read) {
		c->read = true;
		if (onnx_graph_read(&c->graph, c->l->bytes.file, &err) < 0 ||
		    has_subgraphs(&c->graph))
			c->checked = MOST_CHECKED;
	}
	if (c->checked >= MOST_CHECKED)
		return;
	if (s->kind == SELECT_TYPES) {
		check_types(c, s);
	} else {
		c->checked++;
		check_name(c, s);
	}
}

static void
check_layers(struct selector_check *c)
{
	struct layered v;

	if (layered_parse(&v, c->key->value) == NULL)
		for (size_t i = 0; i < v.n; i++)
			check_selector(c, &v.selector[i]);
	layered_free(&v);
}

void
check_selectors(struct lint *l)
{
	struct selector_check c = { .l = l };
	const struct key_type *t;

	for (size_t i = 0; i < l->ini.n_keys; i++) {
		c.key = &l->ini.key[i];
		if (section_by_name(c.key->section) != SECTION_OPTIMIZER)
			continue;
		t = key_by_name(SECTION_OPTIMIZER, c.key->name);
		if (t != NULL && (t->flags & KEY_LAYERED) != 0)
			check_layers(&c);
	}
	onnx_graph_free(&c.graph);
}
