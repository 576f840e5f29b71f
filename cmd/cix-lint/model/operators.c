// SPDX-License-Identifier: Apache-2.0
/* operators.c - checks the nodes of the model. */
#include "cmd.h"
#include "gates.h"

void
check_operators(struct lint *l)
{
	struct gates g = { .l = l };
	struct npu_err err;

	if (onnx_graph_read(&g.graph, l->bytes.file, &err) < 0)
		cmd_die("%s: %s", l->model_path, err.msg);
	data_flow_read(&g.flow, &g.graph);
	operator_uses_read(&g.uses, &g.graph, NULL);
	check_opset(&g);
	check_parser(&g);
	check_kernel(&g);
	check_provider(&g);
	check_reshape(&g);
	check_batchnorm(&g);
	operator_uses_free(&g.uses);
	data_flow_free(&g.flow);
	onnx_graph_free(&g.graph);
}
