// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "model/names.h"
#include "model/onnx_order.h"

/* A value, and the number of the node that makes or takes it, from 1; 0: the
 * value is there before the first node. */
struct value {
	struct bytes name;
	uint32_t node;
};

struct shown {
	char name[80];
};

static struct shown
show(struct bytes name)
{
	struct shown s = { "" };

	names_copy(s.name, sizeof(s.name), name);
	return s;
}

static void
add(struct buf *b, struct bytes name, uint32_t node)
{
	const struct value v = { name, node };

	if (name.n > 0)
		buf_add(b, &v, sizeof(v));
}

void
onnx_order_given(struct onnx_order *o, struct bytes name)
{
	add(&o->made, name, 0);
}

void
onnx_order_made(struct onnx_order *o, struct bytes name)
{
	add(&o->made, name, o->node + 1);
}

void
onnx_order_taken(struct onnx_order *o, struct bytes name)
{
	add(&o->taken, name, o->node + 1);
}

/* ---- The check -------------------------------------------------------- */

/* By name; a value's first maker comes first. */
static int
by_name(const void *pa, const void *pb)
{
	const struct value *a = pa, *b = pb;
	int c = bytes_compare(a->name, b->name);

	return c != 0 ? c : (a->node > b->node) - (a->node < b->node);
}

/* Finds the first maker of a value; NULL: nothing makes it. */
static const struct value *
find(const struct value *made, size_t n, struct bytes name)
{
	const struct value *found = NULL;
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int c = bytes_compare(made[middle].name, name);

		if (c == 0)
			found = &made[middle];
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return found;
}

static int
check_made(const struct value *made, size_t n, struct npu_err *err)
{
	for (size_t i = 1; i < n; i++)
		if (made[i - 1].node > 0 && bytes_compare(made[i - 1].name,
		    made[i].name) == 0)
			return npu_fail(err, NPU_EFORMAT, "not an ONNX model: "
			    "nodes %" PRIu32 " and %" PRIu32 " both make "
			    "'%s'", made[i - 1].node - 1, made[i].node - 1,
			    show(made[i].name).name);
	return 0;
}

static int
refuse(const struct value *taken, const struct value *maker, uint32_t nodes,
    struct npu_err *err)
{
	char taker[40] = "the graph's output";

	if (taken->node <= nodes)
		snprintf(taker, sizeof(taker), "node %" PRIu32 " takes",
		    taken->node - 1);
	if (maker == NULL)
		return npu_fail(err, NPU_EFORMAT, "not an ONNX model: %s '%s'%s"
		    " nothing makes", taker, show(taken->name).name,
		    taken->node <= nodes ? ", which" : " is a value that");
	return npu_fail(err, NPU_EFORMAT, "not an ONNX model: %s '%s', which "
	    "node %" PRIu32 " makes: its nodes form a cycle, or are not in "
	    "order", taker, show(taken->name).name, maker->node - 1);
}

int
onnx_order_check(struct onnx_order *o, struct npu_err *err)
{
	struct value *made = (void *)o->made.p;
	const struct value *taken = (const void *)o->taken.p, *maker;
	size_t n = o->made.n / sizeof(*made);
	int rc;

	if (o->made.failed || o->taken.failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (n > 0)
		qsort(made, n, sizeof(*made), by_name);
	if ((rc = check_made(made, n, err)) < 0)
		return rc;
	for (size_t i = 0; i < o->taken.n / sizeof(*taken); i++) {
		maker = find(made, n, taken[i].name);
		if (maker == NULL || maker->node >= taken[i].node)
			return refuse(&taken[i], maker, o->node, err);
	}
	return 0;
}

void
onnx_order_free(struct onnx_order *o)
{
	buf_free(&o->made);
	buf_free(&o->taken);
}
