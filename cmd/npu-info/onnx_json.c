// SPDX-License-Identifier: Apache-2.0
/* onnx_json.c - describes an ONNX model as members of an object. */
#include "base/json.h"
#include "onnx.h"

static void
put_bytes(struct json *j, struct bytes s)
{
	json_strn(j, (const char *)s.p, s.n);
}

static void
member_bytes(struct json *j, const char *key, struct bytes s)
{
	json_key(j, key);
	if (s.n == 0)
		json_null(j);
	else
		put_bytes(j, s);
}

/* ---- Tensors ------------------------------------------------------------ */

static void
json_shape(struct json *j, const struct onnx_port *p)
{
	json_key(j, "shape");
	if (!p->shaped) {
		json_null(j);
		return;
	}
	json_array(j);
	for (uint32_t i = 0; i < p->ndim; i++) {
		if (p->dim[i] >= 0)
			json_int(j, p->dim[i]);
		else if (p->dim_name[i].n > 0)
			put_bytes(j, p->dim_name[i]);
		else
			json_null(j);
	}
	json_end_array(j);
}

static void
json_port(struct json *j, bool is_input, size_t id,
    const struct onnx_port *p)
{
	json_object(j);
	member_bytes(j, "name", p->name);
	json_member_str(j, "kind", is_input ? "input" : "output");
	json_member_uint(j, "id", id);
	json_member_str(j, "type", onnx_port_type(p));
	json_shape(j, p);
	json_key(j, "layout");
	json_str(j, onnx_layout(p, is_input));
	json_member_count(j, "bytes", onnx_port_bytes(p));
	json_end_object(j);
}

static void
json_ports(struct json *j, const char *key, bool is_input,
    const struct onnx_port *p, size_t n)
{
	json_key(j, key);
	json_array(j);
	for (size_t i = 0; i < n; i++)
		json_port(j, is_input, i, &p[i]);
	json_end_array(j);
}

static void
json_opsets(struct json *j, const struct onnx_model *m)
{
	json_key(j, "opsets");
	json_array(j);
	for (size_t i = 0; i < m->n_opsets; i++) {
		json_object(j);
		json_key(j, "domain");
		put_bytes(j, m->opset[i].domain);
		json_key(j, "version");
		json_int(j, m->opset[i].version);
		json_end_object(j);
	}
	json_end_array(j);
}

static void
json_macs(struct json *j, const struct onnx_macs *m)
{
	json_key(j, "macs");
	if (onnx_macs_known(m))
		json_uint(j, m->n);
	else
		json_null(j);
	json_member_uint(j, "macs_unknown", m->unknown);
}

static void
json_operators(struct json *j, const struct onnx_model *m)
{
	json_key(j, "operators");
	json_array(j);
	for (size_t i = 0; i < m->n_ops; i++) {
		json_object(j);
		json_key(j, "domain");
		put_bytes(j, m->op[i].domain);
		json_key(j, "type");
		put_bytes(j, m->op[i].type);
		json_member_uint(j, "nodes", m->op[i].nodes);
		json_macs(j, &m->op[i].macs);
		json_end_object(j);
	}
	json_end_array(j);
}

static void
json_files(struct json *j, const struct onnx_model *m)
{
	json_key(j, "files");
	json_array(j);
	for (size_t i = 0; i < m->n_files; i++)
		put_bytes(j, m->file[i]);
	json_end_array(j);
	json_member_uint(j, "file_bytes", m->file_bytes);
}

static void
json_metadata(struct json *j, const struct onnx_model *m)
{
	json_key(j, "metadata");
	json_array(j);
	for (size_t i = 0; i < m->n_metadata; i++) {
		json_object(j);
		json_key(j, "key");
		put_bytes(j, m->metadata[i].key);
		json_key(j, "value");
		put_bytes(j, m->metadata[i].value);
		json_end_object(j);
	}
	json_end_array(j);
}

void
onnx_json(struct json *j, const char *path, size_t size,
    const struct onnx_model *m)
{
	json_member_str(j, "path", path);
	json_member_str(j, "format", "onnx");
	json_member_uint(j, "bytes", size);
	member_bytes(j, "name", m->graph);
	json_key(j, "ir_version");
	json_int(j, m->ir_version);
	json_opsets(j, m);
	member_bytes(j, "producer", m->producer);
	member_bytes(j, "producer_version", m->producer_version);
	member_bytes(j, "domain", m->domain);
	json_key(j, "model_version");
	json_int(j, m->model_version);
	json_ports(j, "inputs", true, m->ports.in, m->ports.n_in);
	json_ports(j, "outputs", false, m->ports.out, m->ports.n_out);
	json_member_uint(j, "nodes", m->nodes);
	json_operators(j, m);
	json_macs(j, &m->macs);
	json_member_uint(j, "functions", m->functions);
	json_member_uint(j, "weights", m->weights);
	json_member_uint(j, "weight_bytes", m->weight_bytes);
	json_files(j, m);
	json_metadata(j, m);
}
