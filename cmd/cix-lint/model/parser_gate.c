// SPDX-License-Identifier: Apache-2.0
/* parser_gate.c - the operators that the parser does not know. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "file_functions.h"
#include "gates.h"
#include "model/names.h"
#include "operators.h"

/* ---- What to write instead ----------------------------------------------- */

static const char remove_random[] = "remove the node, which training needs, or "
    "make its numbers an input";
static const char before_model[] = "compute it before the model runs, and cut "
    "the model after it with the key input";
static const char remove_loss[] = "remove the loss, which only training needs";

static const struct {
	const char *type, *fix;
} fixes[] = {
	{ "Bernoulli", remove_random },
	{ "BlackmanWindow", before_model },
	{ "DFT", before_model },
	{ "HammingWindow", before_model },
	{ "HannWindow", before_model },
	{ "HardSwish", "write it as HardSigmoid (alpha 1/6, beta 0.5) and Mul, "
	    "as versions below 14 do" },
	{ "ImageDecoder", before_model },
	{ "MelWeightMatrix", before_model },
	{ "Multinomial", remove_random },
	{ "NegativeLogLikelihoodLoss", remove_loss },
	{ "RNN", "write it as MatMul, Add and Tanh for each step, or use GRU "
	    "or LSTM" },
	{ "RandomNormal", remove_random },
	{ "RandomNormalLike", remove_random },
	{ "RandomUniform", remove_random },
	{ "RandomUniformLike", remove_random },
	{ "STFT", before_model },
	{ "Scan", "write it as Loop, or write its steps out" },
	{ "SoftmaxCrossEntropyLoss", remove_loss },
	{ "SplitToSequence", "use Split" },
	{ "StringNormalizer", before_model },
	{ "Swish", "write it as Sigmoid and Mul" },
	{ "TfIdfVectorizer", before_model },
};

/* Returns what to do about an operator of ai.onnx. */
static char *
onnx_fix(struct bytes type)
{
	const char *like;

	for (size_t i = 0; i < sizeof(fixes) / sizeof(*fixes); i++)
		if (bytes_is(type, fixes[i].type))
			return cmd_copy(fixes[i].fix);
	if ((like = parser_operator_like(type)) != NULL)
		return cmd_text("the parser knows '%s'; or cut the model "
		    "before the node with the key output", like);
	return cmd_copy("write it with other operators, or cut the model "
	    "before the node with the key output");
}

/* ---- Findings ------------------------------------------------------------ */

static char *
custom_fix(const struct onnx_operator *op)
{
	static const struct bytes onnx = { 0 };

	if (!bytes_is(op->domain, "com.microsoft"))
		return cmd_copy("export the model with operators of ai.onnx");
	return parser_operator_find(onnx, op->type) != NULL ?
	    cmd_text("save the model without ONNX Runtime's optimisations: "
	    "the parser knows the '%.*s' of ai.onnx", (int)op->type.n,
	    (const char *)op->type.p) : cmd_copy("save the model without ONNX "
	    "Runtime's optimisations");
}

static void
report(struct gates *g, const struct onnx_operator *op,
    const struct file_functions *functions)
{
	const struct operator_use *use = operator_uses_find(&g->uses,
	    op->domain, op->type);
	char *nodes = in_nodes(op->nodes), *message, *fix;
	char type[80], domain[80];

	names_copy(type, sizeof(type), op->type);
	names_copy(domain, sizeof(domain), op->domain);
	if (file_functions_find(functions, op->domain, op->type)) {
		message = cmd_text("the parser does not read '%s', a function "
		    "that the file defines%s (gate: parser)", type, nodes);
		fix = cmd_copy("put its nodes in its place: "
		    "onnx.inliner.inline_local_functions(model)");
	} else if (onnx_is_standard(op->domain)) {
		message = cmd_text("the parser has no class for '%s'%s (gate: "
		    "parser)", type, nodes);
		fix = onnx_fix(op->type);
	} else {
		message = cmd_text("the parser has no class for '%s' of the "
		    "domain '%s'%s (gate: parser)", type, domain, nodes);
		fix = custom_fix(op);
	}
	findings_add(&g->l->findings, RULE_OP_PARSER, LEVEL_ERROR, 0,
	    use != NULL ? node_label(use->first) : NULL, message, fix);
	free(nodes);
}

void
check_parser(struct gates *g)
{
	const struct onnx_model *m = &g->l->model;
	struct file_functions functions;
	size_t n = 0;

	file_functions_read(&functions, g->l);
	for (size_t i = 0; i < m->n_ops; i++)
		if (parser_operator_find(m->op[i].domain, m->op[i].type) ==
		    NULL && n++ < MOST_OPERATORS)
			report(g, &m->op[i], &functions);
	if (n > MOST_OPERATORS)
		findings_add(&g->l->findings, RULE_OP_PARSER, LEVEL_ERROR, 0,
		    NULL, cmd_text("the parser has no class for %zu more "
		    "operators (gate: parser)", n - MOST_OPERATORS), NULL);
	file_functions_free(&functions);
}
