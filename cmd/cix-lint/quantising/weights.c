// SPDX-License-Identifier: Apache-2.0
/* weights.c - what quantising will do, from the weights alone. */
#include "cmd.h"
#include "weights.h"

void
check_weights(struct lint *l)
{
	struct weights_check c = { .l = l };
	struct npu_err err;

	/* Files that onnx_model_read() accepts fail only without memory. */
	if (onnx_graph_read(&c.graph, l->bytes.file, &err) < 0)
		cmd_die_err(l->model_path, &err);
	precision_read(&c.precision, l->configured ? &l->ini : NULL);
	check_embeddings(&c);
	check_outputs(&c);
	precision_free(&c.precision);
	onnx_graph_free(&c.graph);
}
