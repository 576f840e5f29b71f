// SPDX-License-Identifier: Apache-2.0
/* outputs.c - what the quantisers of a model's outputs cannot represent. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cix-lint/model/port_text.h"
#include "cmd.h"
#include "value_range.h"
#include "weights.h"

enum {
	FEW_LEVELS = 16,	/* of scores; fewer are not enough to rank */
	MOST_PIXELS = 640,	/* of a box; the graph's bounds are wider */
	MOST_LEAVES = 1024,	/* tensors that one Concat joins */
	FEW_CLASSES = 10,
	FEATURES = 64,		/* embeddings have a multiple of this */
};

/* What an output is made of. */
struct origin {
	struct bytes value;	/* before operators that only move elements */
	const struct onnx_node *node;	/* that makes it; NULL: an input */
	bool quantised;		/* by the file: */
	double step;		/* the largest of all quantisers on the way */
	struct value_range range;	/* the narrowest */
	bool cut;		/* an earlier quantiser has a wider range: */
	struct value_range wider;
};

static bool
is_much_wider(struct value_range a, struct value_range b)
{
	return a.high > 1.5 * b.high || a.low < 1.5 * b.low;
}

static void
add_quantiser(struct origin *o, const struct quantiser *q)
{
	double width = q->range.high - q->range.low;

	if (o->quantised && !o->cut && is_much_wider(q->range, o->range)) {
		o->cut = true;
		o->wider = q->range;
	}
	if (!o->quantised || width < o->range.high - o->range.low)
		o->range = q->range;
	o->step = fmax(o->step, q->scale);
	o->quantised = true;
}

/* Follows a value back to the operator that computes it. */
static struct origin
find_origin(const struct onnx_graph *g, struct bytes value)
{
	struct origin o = { .value = value };
	struct quantiser q;

	for (size_t i = 0; i <= g->n; i++) {
		o.node = onnx_graph_maker(g, o.value);
		if (o.node == NULL || (!moves_elements(o.node) &&
		    !is_quantiser(o.node)))
			break;
		if (quantiser_read(g, o.node, &q))
			add_quantiser(&o, &q);
		o.value = o.node->in[0];
	}
	return o;
}

/* ---- Mixed outputs ------------------------------------------------------- */

/* What a Concat joins. */
struct leaves {
	const struct onnx_graph *g;
	size_t n;
	struct bytes score;	/* the first that looks like scores */
	struct value_range scores;
	struct bytes box;	/* the widest of the others */
	double width;
};

static bool
looks_like_scores(struct value_range r)
{
	return r.low >= -1 && r.high <= 1;
}

static void
add_leaf(struct leaves *l, struct bytes value)
{
	struct value_range r = value_range(l->g, value);
	double width = r.high - r.low;

	if (looks_like_scores(r)) {
		if (l->score.n == 0) {
			l->score = value;
			l->scores = r;
		}
		return;
	}
	width = fmin(width, MOST_PIXELS);
	if (width > l->width) {
		l->width = width;
		l->box = value;
	}
}

static void
add_leaves(struct leaves *l, const struct onnx_node *concat, unsigned depth)
{
	for (uint32_t i = 0; i < concat->n_in && l->n < MOST_LEAVES; i++) {
		struct origin o = find_origin(l->g, concat->in[i]);

		l->n++;
		if (o.node != NULL && depth > 0 &&
		    onnx_node_is(o.node, "Concat"))
			add_leaves(l, o.node, depth - 1);
		else
			add_leaf(l, concat->in[i]);
	}
}

/* Returns how many values the quantiser has in the range. */
static double
count_levels(struct value_range r, double step)
{
	return floor(r.high / step + 0.5) - ceil(r.low / step - 0.5) + 1;
}

/* Says how the layer keeps the scores. */
static char *
mixed_fix(const struct origin *o)
{
	char *pattern, *fix;

	if (o->quantised)
		return cmd_copy("quantise again with two outputs, or leave "
		    "this output float");
	if (o->node->name.n == 0)
		return cmd_copy("give the model two outputs, of large and of "
		    "small numbers");
	pattern = precision_pattern(o->node->name);
	fix = cmd_text("give the model two outputs, or write in [Optimizer]: "
	    "trigger_float_op = disable & <{%s}:float16_preferred>", pattern);
	free(pattern);
	return fix;
}

static void
report_mixed(struct weights_check *c, const struct onnx_port *port,
    const struct origin *o, const struct leaves *l, double step)
{
	bool ids = !o->quantised && precision_has_ids(&c->precision);
	double levels = count_levels(l->scores, step);
	char *score = shown_name(l->score);
	char *left = levels <= 1 ? cmd_copy("all of them become 0") :
	    cmd_text("they have %.0f values", levels);

	findings_add(&c->l->findings, RULE_MIXED_OUTPUT, ids ? LEVEL_NOTE :
	    LEVEL_WARNING, 0, shown_name(port->name), cmd_text("the output "
	    "joins large numbers with '%s', numbers from %g to %g: with a step "
	    "of %s%.3g, %s%s", score, l->scores.low, l->scores.high,
	    o->quantised ? "" : "about ", step, left, ids ? ", unless the "
	    "layer ids of the configuration name this layer" : ""),
	    mixed_fix(o));
	free(score);
	free(left);
}

static void
check_mixed(struct weights_check *c, const struct onnx_port *port,
    const struct origin *o)
{
	struct leaves l = { .g = &c->graph };
	unsigned bits = precision_activation_bits(&c->precision, o->node);
	double step;

	add_leaves(&l, o->node, 8);
	if (l.score.n == 0 || (!o->quantised && (l.width == 0 || bits == 0)))
		return;
	step = o->quantised ? o->step :
	    l.width / (exp2(bits) - 1);
	if (count_levels(l.scores, step) < FEW_LEVELS)
		report_mixed(c, port, o, &l, step);
}

/* ---- Clipped outputs ----------------------------------------------------- */

static void
report_clipped(struct weights_check *c, const struct onnx_port *port,
    const struct origin *o, char *why)
{
	findings_add(&c->l->findings, RULE_CLIPPED_OUTPUT, LEVEL_WARNING, 0,
	    shown_name(port->name), cmd_text("the output's quantiser gives "
	    "numbers from %.4g to %.4g: %s", o->range.low,
	    o->range.high, why), cmd_copy("quantise again, with "
	    "calibration data like the data of use, or leave the output "
	    "float"));
	free(why);
}

/* Returns the number of classes if the output can be a classifier's: one row of
 * numbers for an item. */
static double
count_classes(const struct weights_check *c, const struct onnx_port *port)
{
	const char *domain = c->l->configured ? ini_value(&c->l->ini, "Parser",
	    "model_domain") : NULL;
	double n = 1;

	for (uint32_t i = 1; i < port->ndim; i++)
		n *= port->dim[i] > 0 ? (double)port->dim[i] : 0;
	if (port->ndim < 2 || n < FEW_CLASSES || n != (double)port->dim[1])
		return 0;
	if (fmod(n, FEATURES) == 0 && (domain == NULL ||
	    strcasecmp(domain, "image_classification") != 0))
		return 0;
	return n;
}

/* The numbers of a classifier become probabilities by softmax.  The largest
 * possible one belongs to a class with the largest number, where all others
 * have the smallest. */
static void
check_classifier(struct weights_check *c, const struct onnx_port *port,
    const struct origin *o)
{
	const struct value_range *r = &o->range;
	double classes = count_classes(c, port), best;

	if (classes == 0 || (!onnx_node_is(o->node, "Gemm") &&
	    !onnx_node_is(o->node, "MatMul") &&
	    !onnx_node_is(o->node, "Conv") && !onnx_node_is(o->node, "Add")))
		return;
	best = 1 / (1 + (classes - 1) * exp(r->low - r->high));
	if (best < 0.5)
		report_clipped(c, port, o, cmd_text("with %.0f classes, "
		    "softmax then gives the best class at most %.2g, so larger "
		    "numbers are cut off", classes, best));
}

static void
check_clipped(struct weights_check *c, const struct onnx_port *port,
    const struct origin *o)
{
	struct value_range computed = value_range(&c->graph, o->value);

	if (computed.low == 0 && computed.high == 1 &&
	    o->range.high < 0.5)
		report_clipped(c, port, o, cmd_copy("the operator before it "
		    "gives numbers up to 1"));
	else if (o->cut)
		report_clipped(c, port, o, cmd_text("an earlier quantiser of "
		    "these numbers goes from %.4g to %.4g", o->wider.low,
		    o->wider.high));
	else if (o->node != NULL)
		check_classifier(c, port, o);
}

void
check_outputs(struct weights_check *c)
{
	const struct onnx_ports *ports = &c->l->model.ports;

	for (size_t i = 0; i < ports->n_out; i++) {
		struct origin o = find_origin(&c->graph, ports->out[i].name);

		if (o.node != NULL && onnx_node_is(o.node, "Concat"))
			check_mixed(c, &ports->out[i], &o);
		else if (o.quantised)
			check_clipped(c, &ports->out[i], &o);
	}
}
