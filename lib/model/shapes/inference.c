// SPDX-License-Identifier: Apache-2.0
#include "base/err.h"
#include "model/onnx.h"
#include "model/shapes/inference.h"
#include "model/shapes/rules.h"

enum { MODEL_GRAPH = 7, GRAPH_NODE = 1 };	/* field numbers */

struct shape_inference {
	struct step step;
	node_visit *visit;
	void *arg;
};

static void
visit_node(const struct shape_inference *i, const struct shape_rule *rule,
    bool main)
{
	const struct node *node = &i->step.node;
	struct node_count c = { .domain = node->domain, .type = node->type };

	c.multiplies = rule == NULL || rule->count != NULL;
	c.known = !c.multiplies || (main && rule != NULL &&
	    rule->count(&i->step, &c.macs));
	if (!c.known)
		c.macs = 0;
	if (i->visit != NULL)
		i->visit(i->arg, &c);
}

static int
run_node(struct shape_inference *i, struct bytes message, bool main,
    struct npu_err *err)
{
	const struct shape_rule *rule;

	if (!step_begin(&i->step, message))
		return step_out_of_memory(&i->step) ?
		    npu_fail(err, NPU_ESYSTEM, "out of memory") :
		    npu_fail(err, NPU_EFORMAT, "not an ONNX model: a node is "
		    "damaged");
	rule = rules_find(i->step.node.domain, i->step.node.type);
	if (main && rule != NULL && rule->infer != NULL) {
		i->step.weights = rule->weights;
		rule->infer(&i->step);
	}
	visit_node(i, rule, main);
	return 0;
}

static int
visit_field(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	if (in == ONNX_MODEL && f->number != MODEL_GRAPH)
		return ONNX_SKIP;	/* functions, and how to train */
	if (in == ONNX_GRAPH && f->number == GRAPH_NODE &&
	    f->wire == PB_LENGTH)
		return run_node(arg, f->data, depth == 1, err);
	return in == ONNX_GRAPH ? ONNX_SKIP : 0;
}

int
inference_run(struct values *v, struct bytes onnx, node_visit *visit,
    void *arg, struct npu_err *err)
{
	struct shape_inference i = { .step.values = v, .visit = visit,
	    .arg = arg };
	int rc = onnx_walk(onnx, visit_field, &i, err);

	if (rc == 0 && step_out_of_memory(&i.step))
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	step_free(&i.step);
	return rc;
}
