// SPDX-License-Identifier: Apache-2.0
/* onnx.c - describes an ONNX model as text, fields or rows. */
#include <inttypes.h>

#include "cmd.h"
#include "delimited.h"
#include "large_number.h"
#include "layout.h"
#include "onnx.h"

static const char input[] = "input", output[] = "output";

#define TEXT_MOST 200		/* bytes of a metadata value in text */

static struct bytes
bytes_of(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

/* Makes a text of the file printable, and replaces TABs. */
static void
put_bytes(struct buf *t, struct bytes s)
{
	size_t begin = t->n;

	buf_add(t, s.p, s.n);
	if (!t->failed)
		cmd_printable(t->p + begin, t->n - begin);
}

/* ---- Tensors ------------------------------------------------------------ */

const char *
onnx_layout(const struct onnx_port *p, bool is_input)
{
	return is_input && p->ndim == 4 ? picture_layout(p->dim[1] == 3,
	    p->dim[3] == 3) : NULL;
}

/* Adds the sizes with commas: numbers, names, or "?". */
static void
put_shape(struct buf *t, const struct onnx_port *p)
{
	for (uint32_t i = 0; i < p->ndim; i++) {
		if (i > 0)
			buf_puts(t, ",");
		if (p->dim[i] >= 0)
			buf_printf(t, "%" PRId64, p->dim[i]);
		else if (p->dim_name[i].n > 0)
			put_bytes(t, p->dim_name[i]);
		else
			buf_puts(t, "?");
	}
}

/* Calls put for every input, then for every output. */
static void
each_port(const struct onnx_model *m, void (*put)(void *arg, const char *kind,
    size_t id, const struct onnx_port *p), void *arg)
{
	for (size_t i = 0; i < m->ports.n_in; i++)
		put(arg, input, i, &m->ports.in[i]);
	for (size_t i = 0; i < m->ports.n_out; i++)
		put(arg, output, i, &m->ports.out[i]);
}

/* ---- Text --------------------------------------------------------------- */

static void
text_port(void *arg, const char *kind, size_t id, const struct onnx_port *p)
{
	const char *order = onnx_layout(p, kind == input);
	struct buf *t = arg;

	buf_printf(t, "  %s %zu: ", kind, id);
	put_bytes(t, p->name);
	buf_printf(t, "%s%s", p->name.n > 0 ? " " : "", onnx_port_type(p));
	if (p->shaped) {
		buf_puts(t, " [");
		put_shape(t, p);
		buf_puts(t, "]");
	} else {
		buf_puts(t, ", without a shape");
	}
	buf_printf(t, "%s%s", order != NULL ? ", " : "",
	    order != NULL ? order : "");
	if (onnx_port_bytes(p) > 0)
		buf_printf(t, ", %" PRIu64 " bytes", onnx_port_bytes(p));
	buf_puts(t, "\n");
}

/* Adds "DOMAIN.TYPE", or the type alone for ONNX's own operators. */
static void
put_operator(struct buf *t, const struct onnx_operator *op)
{
	put_bytes(t, op->domain);
	buf_puts(t, op->domain.n > 0 ? "." : "");
	put_bytes(t, op->type);
}

static void
text_operators(struct buf *t, const struct onnx_model *m)
{
	buf_printf(t, "  %" PRIu64 " node%s", m->nodes, m->nodes == 1 ? "" :
	    "s");
	for (size_t i = 0; i < m->n_ops; i++) {
		buf_printf(t, "%s%" PRIu64 " ", i > 0 ? ", " : ": ",
		    m->op[i].nodes);
		put_operator(t, &m->op[i]);
	}
	if (m->functions > 0)
		buf_printf(t, "; %" PRIu64 " of the file's own functions",
		    m->functions);
	buf_puts(t, "\n");
}

static void
put_unknown(struct buf *t, uint64_t nodes)
{
	buf_printf(t, "%" PRIu64 " node%s unknown", nodes, nodes == 1 ? "" :
	    "s");
}

/* The operators with the most multiply-accumulates are not always the most
 * frequent ones, but few operators multiply. */
static void
text_macs(struct buf *t, const struct onnx_model *m)
{
	const char *before = " (";

	buf_puts(t, "  operations: ");
	if (!onnx_macs_known(&m->macs)) {
		put_unknown(t, m->macs.unknown);
		buf_puts(t, "\n");
		return;
	}
	large_number(t, (double)m->macs.n);
	buf_puts(t, " multiply-accumulates");
	for (size_t i = 0; i < m->n_ops; i++) {
		if (m->op[i].macs.counted == 0)
			continue;
		buf_puts(t, before);
		put_operator(t, &m->op[i]);
		buf_puts(t, " ");
		large_number(t, (double)m->op[i].macs.n);
		before = ", ";
	}
	buf_puts(t, m->macs.counted > 0 ? ")" : "");
	if (m->macs.unknown > 0) {
		buf_puts(t, "; ");
		put_unknown(t, m->macs.unknown);
	}
	buf_puts(t, "\n");
}

static void
text_weights(struct buf *t, const struct onnx_model *m)
{
	buf_printf(t, "  weights: %" PRIu64 " tensor%s, %" PRIu64 " bytes\n",
	    m->weights, m->weights == 1 ? "" : "s", m->weight_bytes);
	if (m->n_files == 0)
		return;
	buf_printf(t, "  %" PRIu64 " of these bytes are in other files:",
	    m->file_bytes);
	for (size_t i = 0; i < m->n_files; i++) {
		buf_puts(t, i > 0 ? ", " : " ");
		put_bytes(t, m->file[i]);
	}
	buf_puts(t, "\n");
}

static void
text_metadata(struct buf *t, const struct onnx_model *m)
{
	for (size_t i = 0; i < m->n_metadata; i++) {
		struct bytes v = m->metadata[i].value;
		bool is_long = v.n > TEXT_MOST;

		buf_puts(t, "  metadata ");
		put_bytes(t, m->metadata[i].key);
		buf_puts(t, ": ");
		put_bytes(t, is_long ? (struct bytes){ v.p, TEXT_MOST } : v);
		if (is_long)
			buf_printf(t, "... (%zu bytes)", v.n);
		buf_puts(t, "\n");
	}
}

static void
text_versions(struct buf *t, const struct onnx_model *m)
{
	buf_printf(t, "ONNX, IR version %" PRId64, m->ir_version);
	for (size_t i = 0; i < m->n_opsets; i++) {
		buf_puts(t, i > 0 ? ", " : ", opset ");
		put_bytes(t, m->opset[i].domain);
		buf_printf(t, "%s%" PRId64, m->opset[i].domain.n > 0 ? " " : "",
		    m->opset[i].version);
	}
	if (m->producer.n > 0) {
		buf_puts(t, ", made by ");
		put_bytes(t, m->producer);
		buf_puts(t, m->producer_version.n > 0 ? " " : "");
		put_bytes(t, m->producer_version);
	}
	buf_puts(t, "\n");
}

void
onnx_text(struct buf *t, const char *path, size_t size,
    const struct onnx_model *m)
{
	buf_puts(t, t->n > 0 ? "\n" : "");
	put_bytes(t, bytes_of(path));
	buf_printf(t, ": %zu bytes, ", size);
	text_versions(t, m);
	each_port(m, text_port, t);
	text_operators(t, m);
	text_macs(t, m);
	text_weights(t, m);
	text_metadata(t, m);
}

/* ---- Plain: fields and TABs ---------------------------------------------- */

/* A line of fields: its path, and where it is added. */
struct onnx_lines {
	struct buf *t;
	struct bytes path;
	char separator;		/* of rows */
};

static void
begin_line(const struct onnx_lines *l, const char *kind)
{
	buf_printf(l->t, "%s\t", kind);
	put_bytes(l->t, l->path);
	buf_puts(l->t, "\t");
}

static void
plain_port(void *arg, const char *kind, size_t id, const struct onnx_port *p)
{
	const char *order = onnx_layout(p, kind == input);
	const struct onnx_lines *l = arg;

	begin_line(l, "tensor");
	buf_printf(l->t, "0\t%s\t%zu\t", kind, id);
	put_bytes(l->t, p->name);
	buf_printf(l->t, "\t%s\t", onnx_port_type(p));
	put_shape(l->t, p);
	buf_puts(l->t, "\t");
	if (onnx_port_bytes(p) > 0)
		buf_printf(l->t, "%" PRIu64, onnx_port_bytes(p));
	buf_printf(l->t, "\t\t\t%s\n", order != NULL ? order : "-");
}

/* Adds two fields: multiply-accumulates, which may be unknown, and the nodes
 * that are not counted. */
static void
plain_macs(struct buf *t, const struct onnx_macs *m)
{
	buf_puts(t, "\t");
	if (onnx_macs_known(m))
		buf_printf(t, "%" PRIu64, m->n);
	buf_printf(t, "\t%" PRIu64 "\n", m->unknown);
}

static void
plain_lists(const struct onnx_lines *l, const struct onnx_model *m)
{
	for (size_t i = 0; i < m->n_opsets; i++) {
		begin_line(l, "opset");
		put_bytes(l->t, m->opset[i].domain);
		buf_printf(l->t, "\t%" PRId64 "\n", m->opset[i].version);
	}
	for (size_t i = 0; i < m->n_ops; i++) {
		begin_line(l, "operator");
		put_bytes(l->t, m->op[i].domain);
		buf_puts(l->t, "\t");
		put_bytes(l->t, m->op[i].type);
		buf_printf(l->t, "\t%" PRIu64, m->op[i].nodes);
		plain_macs(l->t, &m->op[i].macs);
	}
	for (size_t i = 0; i < m->n_files; i++) {
		begin_line(l, "file");
		put_bytes(l->t, m->file[i]);
		buf_puts(l->t, "\n");
	}
	for (size_t i = 0; i < m->n_metadata; i++) {
		begin_line(l, "metadata");
		put_bytes(l->t, m->metadata[i].key);
		buf_puts(l->t, "\t");
		put_bytes(l->t, m->metadata[i].value);
		buf_puts(l->t, "\n");
	}
}

void
onnx_plain(struct buf *t, const char *path, size_t size,
    const struct onnx_model *m)
{
	struct onnx_lines l = { t, bytes_of(path), '\t' };

	begin_line(&l, "onnx");
	buf_printf(t, "%zu\t%" PRId64 "\t", size, m->ir_version);
	put_bytes(t, m->producer);
	buf_puts(t, "\t");
	put_bytes(t, m->producer_version);
	buf_printf(t, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
	    m->nodes, m->weights, m->weight_bytes, m->file_bytes);
	plain_macs(t, &m->macs);
	each_port(m, plain_port, &l);
	plain_lists(&l, m);
}

/* ---- Rows ---------------------------------------------------------------- */

static void
row_text(const struct onnx_lines *l, struct bytes s)
{
	const char after[] = { l->separator, '\0' };

	if (l->separator == ',')
		csv_bytes(l->t, (const char *)s.p, s.n);
	else
		tsv_bytes(l->t, (const char *)s.p, s.n);
	buf_puts(l->t, after);
}

static void
row_port(void *arg, const char *kind, size_t id, const struct onnx_port *p)
{
	const char *type = onnx_port_type(p);
	const struct onnx_lines *l = arg;
	struct buf shape = { 0 };
	char c = l->separator;

	row_text(l, l->path);
	buf_printf(l->t, "0%c%s%c%zu%c", c, kind, c, id, c);
	row_text(l, p->name);
	row_text(l, bytes_of(type));
	put_shape(&shape, p);
	row_text(l, (struct bytes){ (const uint8_t *)shape.p, shape.n });
	l->t->failed |= shape.failed;
	buf_free(&shape);
	if (onnx_port_bytes(p) > 0)
		buf_printf(l->t, "%" PRIu64, onnx_port_bytes(p));
	buf_printf(l->t, "%c%c\n", c, c);
}

void
onnx_rows(struct buf *t, char separator, const char *path,
    const struct onnx_model *m)
{
	struct onnx_lines l = { t, bytes_of(path), separator };

	each_port(m, row_port, &l);
}
