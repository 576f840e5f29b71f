// SPDX-License-Identifier: Apache-2.0
/*
 * An ONNX file is refused with a message, or its description lies within the
 * file: metadata, inputs, outputs, operators, and names of files with weights.
 * The operators' multiply-accumulates add up to the model's.  A model whose
 * sizes can be fixed has a container that is a valid model.
 */
#include <stdlib.h>

#include "model/onnx.h"
#include "model/onnx_container.h"
#include "model/onnx_model.h"
#include "model/shapes/macs.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
check_ports(const struct onnx_port *port, size_t count, const uint8_t *p,
    size_t n)
{
	for (size_t i = 0; i < count; i++) {
		onnx_port_holds(&port[i], 12);
		if (port[i].name.n > 0 && (port[i].name.p < p ||
		    port[i].name.n > n ||
		    (size_t)(port[i].name.p - p) > n - port[i].name.n))
			abort();
	}
}

static void
read_ports(const uint8_t *p, size_t n)
{
	struct npu_err err = { 0 };
	struct onnx_ports ports;

	if (onnx_ports_read(&ports, (struct bytes){ p, n }, &err) < 0) {
		if (err.msg[0] == '\0')
			abort();
		return;
	}
	if (ports.n_out == 0)
		abort();
	check_ports(ports.in, ports.n_in, p, n);
	check_ports(ports.out, ports.n_out, p, n);
	onnx_ports_free(&ports);
}

/* Aborts unless the text is empty or lies within the file. */
static void
check_text(struct bytes text, const uint8_t *p, size_t n)
{
	if (text.n > 0 && (text.p < p || text.n > n ||
	    (size_t)(text.p - p) > n - text.n))
		abort();
}

/* The operators have all nodes that the model counts.  The sums need not agree
 * if one has more than 64 bits. */
static void
count_macs(struct onnx_model *m, const uint8_t *p, size_t n)
{
	struct onnx_macs sum = { 0 };
	struct npu_err err = { 0 };

	if (macs_count(m, (struct bytes){ p, n }, &err) < 0)
		abort();
	for (size_t i = 0; i < m->n_ops; i++) {
		sum.n += m->op[i].macs.n;
		sum.counted += m->op[i].macs.counted;
		sum.unknown += m->op[i].macs.unknown;
	}
	if (sum.counted + sum.unknown != m->macs.counted + m->macs.unknown ||
	    (sum.counted == m->macs.counted && sum.n != m->macs.n))
		abort();
}

static void
read_model(const uint8_t *p, size_t n)
{
	struct npu_err err = { 0 };
	struct onnx_model m;
	uint64_t nodes = 0;

	if (onnx_model_read(&m, (struct bytes){ p, n }, &err) < 0) {
		if (err.msg[0] == '\0')
			abort();
		return;
	}
	check_ports(m.ports.in, m.ports.n_in, p, n);
	for (size_t i = 0; i < m.n_ops; i++) {
		check_text(m.op[i].type, p, n);
		check_text(m.op[i].domain, p, n);
		nodes += m.op[i].nodes;
	}
	for (size_t i = 0; i < m.n_files; i++)
		check_text(m.file[i], p, n);
	for (size_t i = 0; i < m.n_metadata; i++)
		check_text(m.metadata[i].value, p, n);
	if (nodes != m.nodes || m.file_bytes > m.weight_bytes)
		abort();
	count_macs(&m, p, n);
	onnx_model_free(&m);
}

static void
describe_as_container(const uint8_t *p, size_t n)
{
	static const struct npu_dim dims[] = { { "N", 3 }, { "x:1", 2 } };
	struct chosen_sizes chosen = { .dim = dims, .option = "--dim" };
	struct npu_err err = { 0 };

	for (chosen.n = 0; chosen.n <= 2; chosen.n++) {
		struct buf container = { 0 };
		struct cix_model m;

		err.msg[0] = '\0';
		if (model_parse((struct bytes){ p, n }, &chosen, &m,
		    &container, &err) == 0)
			cix_free(&m);
		else if (err.msg[0] == '\0' || container.p != NULL)
			abort();
		buf_free(&container);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct npu_err err = { 0 };
	struct bytes v = { 0 };
	int rc = onnx_metadata((struct bytes){ p, n }, "names", &v, &err);

	if (rc < 0 && err.msg[0] == '\0')
		abort();
	if (rc == 1 && v.n > 0 && (v.p < p || v.n > n ||
	    (size_t)(v.p - p) > n - v.n))
		abort();
	err.msg[0] = '\0';
	rc = onnx_external((struct bytes){ p, n }, &err);
	if (rc > 1 || (rc < 0) != (err.msg[0] != '\0'))
		abort();
	read_ports(p, n);
	read_model(p, n);
	describe_as_container(p, n);
	return 0;
}
