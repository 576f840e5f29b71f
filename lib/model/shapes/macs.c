// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/err.h"
#include "model/shapes/inference.h"
#include "model/shapes/macs.h"

struct counting {
	struct onnx_model *m;
	struct onnx_operator **sorted;	/* the model's operators, by name */
};

static int
compare(const void *pa, const void *pb)
{
	const struct onnx_operator *a = *(struct onnx_operator *const *)pa;
	const struct onnx_operator *b = *(struct onnx_operator *const *)pb;
	int c = bytes_compare(a->domain, b->domain);

	return c != 0 ? c : bytes_compare(a->type, b->type);
}

static void
add(struct onnx_macs *m, const struct node_count *c)
{
	uint64_t sum;

	if (!c->known || __builtin_add_overflow(m->n, c->macs, &sum)) {
		m->unknown++;
		return;
	}
	m->n = sum;
	m->counted++;
}

static void
count_node(void *arg, const struct node_count *c)
{
	struct onnx_operator key = { .domain = c->domain, .type = c->type };
	struct onnx_operator *k = &key, **op;
	const struct counting *counting = arg;

	if (!c->multiplies)
		return;
	add(&counting->m->macs, c);
	op = bsearch(&k, counting->sorted, counting->m->n_ops,
	    sizeof(*counting->sorted), compare);
	if (op != NULL)
		add(&(*op)->macs, c);
}

int
macs_count(struct onnx_model *m, struct bytes onnx, struct npu_err *err)
{
	struct counting counting = { .m = m };
	struct values values = { 0 };
	int rc;

	counting.sorted = calloc(m->n_ops + 1, sizeof(*counting.sorted));
	if (counting.sorted == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (size_t i = 0; i < m->n_ops; i++)
		counting.sorted[i] = &m->op[i];
	qsort(counting.sorted, m->n_ops, sizeof(*counting.sorted), compare);
	rc = values_read(&values, onnx, err);
	if (rc == 0)
		rc = inference_run(&values, onnx, count_node, &counting, err);
	values_free(&values);
	free(counting.sorted);
	return rc;
}
