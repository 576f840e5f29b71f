/* SPDX-License-Identifier: Apache-2.0 */
/* What the three stages refuse in a graph. */
#ifndef CIX_LINT_GATES_H
#define CIX_LINT_GATES_H

#include "cix-lint/lint.h"
#include "data_flow.h"
#include "operator_uses.h"

/* Operators that are reported for one gate: the others are counted. */
#define MOST_OPERATORS 32

struct gates {
	struct lint *l;
	struct onnx_graph graph;
	struct data_flow flow;
	struct operator_uses uses;	/* of all nodes */
};

void check_opset(struct gates *g);
void check_parser(struct gates *g);
void check_kernel(struct gates *g);
void check_provider(struct gates *g);
void check_reshape(struct gates *g);
void check_batchnorm(struct gates *g);

/* Returns LEVEL_ERROR if the user named the gate, or else the level. */
enum level gate_level(const struct gates *g, unsigned gate, enum level level);
/* Returns the name of a node, or of its first output if it has none, for the
 * caller to free. */
char *node_label(const struct onnx_node *n);
/* Returns " in 3 nodes", or "" for one, for the caller to free. */
char *in_nodes(uint64_t n);

#endif
