// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/names.h"
#include "model/onnx.h"
#include "model/onnx_container.h"

/* The bytes of a tensor, or a number above the limit of cix_write(). */
static uint64_t
tensor_size(const struct onnx_port *p)
{
	uint64_t size = npu_dtype_size(p->dtype);

	for (uint32_t i = 0; i < p->ndim && size <= INT32_MAX; i++)
		size *= (uint64_t)p->dim[i];
	for (uint32_t i = 0; i < p->ndim; i++)
		if (p->dim[i] == 0)
			return 0;
	return size;
}

/* Copies the name, unless it would not be the same in a container. */
static void
copy_name(struct npu_tensor *t, struct bytes name)
{
	names_copy(t->name, sizeof(t->name), name);
	if (strlen(t->name) != name.n || (name.n > 0 &&
	    memcmp(t->name, name.p, name.n) != 0))
		t->name[0] = '\0';
}

/* A tensor with more dimensions than npu.h has becomes a flat vector. */
static int
describe(const struct onnx_port *p, const char *direction,
    struct npu_tensor *t, struct npu_err *err)
{
	char name[100];

	names_copy(name, sizeof(name), p->name);
	if (npu_dtype_size(p->dtype) == 0)
		return npu_fail(err, NPU_EUSAGE, "%s '%s' is a %s, and only "
		    "tensors of numbers are possible", direction, name,
		    onnx_port_type(p));
	*t = (struct npu_tensor){ .dtype = p->dtype, .scale = 1,
	    .size = tensor_size(p) };
	copy_name(t, p->name);
	if (p->ndim <= NPU_MAX_DIMS)
		t->ndim = p->ndim;
	for (uint32_t i = 0; i < t->ndim; i++)
		t->dim[i] = (uint32_t)p->dim[i];
	return 0;
}

/* Clears names that occur again: the names in a container differ. */
static void
clear_repeated(struct npu_tensor *t, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(t[i].name, t[k].name) == 0)
				t[i].name[0] = '\0';
}

static int
describe_all(const struct onnx_port *p, size_t n, const char *direction,
    struct npu_tensor *t, struct npu_err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = describe(&p[i], direction, &t[i], err);
	return rc;
}

static int
write_container(const struct onnx_model *m, struct buf *container,
    struct npu_err *err)
{
	const struct onnx_ports *p = &m->ports;
	struct npu_tensor *t = calloc(p->n_in + p->n_out + 1, sizeof(*t));
	char name[NPU_MAX_NAME];
	struct cix_pack pack = {
		.name = name, .device = CIX_DEVICE_EMULATOR,
		.n_inputs = p->n_in, .n_outputs = p->n_out,
	};
	int rc;

	if (t == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	pack.inputs = t;
	pack.outputs = t + p->n_in;
	names_copy(name, sizeof(name), m->graph);
	if ((rc = describe_all(p->in, p->n_in, "input", t, err)) == 0 &&
	    (rc = describe_all(p->out, p->n_out, "output", t + p->n_in,
	    err)) == 0) {
		clear_repeated(t, p->n_in + p->n_out);
		rc = cix_write(&pack, container, err);
	}
	free(t);
	return rc;
}

static int
onnx_container(struct bytes onnx, const struct chosen_sizes *chosen,
    struct buf *container, struct npu_err *err)
{
	struct onnx_model m;
	int rc = onnx_model_read(&m, onnx, err);

	if (rc < 0)
		return rc;
	if ((rc = fixed_sizes(&m, onnx, chosen, err)) == 0)
		rc = write_container(&m, container, err);
	onnx_model_free(&m);
	return rc;
}

/* Refuses sizes for a model whose sizes are fixed. */
static int
check_no_sizes(const struct chosen_sizes *chosen, struct npu_err *err)
{
	return chosen->n == 0 ? 0 : npu_fail(err, NPU_EUSAGE, "%s is for "
	    "ONNX models; the sizes of a .cix model are fixed",
	    chosen->option);
}

int
model_parse(struct bytes file, const struct chosen_sizes *chosen,
    struct cix_model *m, struct buf *container, struct npu_err *err)
{
	int rc;

	if (!onnx_begins(file)) {
		if ((rc = check_no_sizes(chosen, err)) < 0)
			return rc;
		return cix_parse(file, m, err);
	}
	if ((rc = onnx_container(file, chosen, container, err)) == 0)
		rc = cix_parse((struct bytes){ (uint8_t *)container->p,
		    container->n }, m, err);
	if (rc < 0)
		buf_free(container);
	return rc;
}
