/* SPDX-License-Identifier: Apache-2.0 */
/* What 8 bits will do, from the graph and its weights. */
#ifndef CIX_LINT_WEIGHTS_H
#define CIX_LINT_WEIGHTS_H

#include "cix-lint/lint.h"
#include "precision.h"

struct weights_check {
	struct lint *l;
	struct onnx_graph graph;
	struct precision precision;
};

void check_outputs(struct weights_check *c);	/* mixed and clipped */
void check_embeddings(struct weights_check *c);

#endif
