// SPDX-License-Identifier: Apache-2.0
/*
 * Open dimensions of an ONNX file get sizes.  The file is refused with a
 * message, or the new file has the same inputs and outputs with these sizes,
 * and no dimension in it is left to change.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/shape_edits.h"

#define MOST_CHOICES 4

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

struct choices {
	char name[MOST_CHOICES][100];
	struct npu_dim dim[MOST_CHOICES];
	size_t n;
};

/* Chooses a size for a dimension: the first by its place, others by name. */
static void
choose(struct choices *c, const struct onnx_port *p, uint32_t axis)
{
	static const uint32_t sizes[] = { 1, 300, 70000, UINT32_MAX };
	struct bytes name = c->n == 0 ? p->name : p->dim_name[axis];
	char *to = c->name[c->n];

	if (name.n == 0 || name.n > 80 || memchr(name.p, 0, name.n) != NULL)
		return;
	memcpy(to, name.p, name.n);
	to[name.n] = '\0';
	if (c->n == 0)
		snprintf(to + name.n, 10, ":%u", axis);
	c->dim[c->n] = (struct npu_dim){ to, sizes[c->n] };
	c->n++;
}

static void
choose_all(struct choices *c, const struct onnx_port *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t a = 0; a < p[i].ndim && c->n < MOST_CHOICES; a++)
			if (p[i].dim[a] < 0)
				choose(c, &p[i], a);
}

static struct bytes
apply(struct buf *b, struct bytes file, const struct shape_edits *e)
{
	const struct shape_edit *edit;
	uint64_t at = 0;

	for (size_t i = 0; (edit = shape_edits_get(e, i)) != NULL; i++) {
		if (edit->at < at || edit->at > file.n ||
		    edit->removed > file.n - edit->at)
			abort();
		buf_add(b, file.p + at, edit->at - at);
		buf_add(b, edit->bytes, edit->n);
		at = edit->at + edit->removed;
	}
	buf_add(b, file.p + at, file.n - at);
	return (struct bytes){ (uint8_t *)b->p, b->n };
}

static void
compare(const struct onnx_port *a, size_t na, const struct onnx_port *b,
    size_t nb)
{
	if (na != nb)
		abort();
	for (size_t i = 0; i < na; i++) {
		if (a[i].ndim != b[i].ndim ||
		    bytes_compare(a[i].name, b[i].name) != 0)
			abort();
		for (uint32_t k = 0; k < a[i].ndim; k++)
			if (a[i].dim[k] != b[i].dim[k])
				abort();
	}
}

static void
check_copy(struct bytes file, const struct shape_edits *e,
    const struct size_choices *s, const struct onnx_ports *ports)
{
	struct shape_edits again;
	struct npu_err err = { 0 };
	struct buf b = { 0 };
	struct bytes copy = apply(&b, file, e);
	struct onnx_ports p;

	if (onnx_ports_read(&p, copy, &err) < 0 ||
	    shape_edits_find(&again, copy, s, &err) < 0 ||
	    again.dimensions != 0 || again.list.n != 0)
		abort();
	compare(p.in, p.n_in, ports->in, ports->n_in);
	compare(p.out, p.n_out, ports->out, ports->n_out);
	shape_edits_free(&again);
	onnx_ports_free(&p);
	buf_free(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const struct bytes file = { p, n };
	struct choices c = { .n = 0 };
	struct chosen_sizes chosen = { .dim = c.dim, .option = "--fix-shape" };
	struct size_choices sizes;
	struct shape_edits edits;
	struct onnx_ports ports;
	struct npu_err err = { 0 };
	int rc;

	if (onnx_ports_read(&ports, file, &err) < 0)
		return 0;
	choose_all(&c, ports.in, ports.n_in);
	choose_all(&c, ports.out, ports.n_out);
	chosen.n = c.n;
	if ((rc = size_choices_resolve(&sizes, &ports, &chosen, &err)) == 0) {
		rc = shape_edits_find(&edits, file, &sizes, &err);
		if (rc == 0)
			check_copy(file, &edits, &sizes, &ports);
		shape_edits_free(&edits);
	}
	if (rc < 0 && err.msg[0] == '\0')
		abort();
	size_choices_free(&sizes);
	onnx_ports_free(&ports);
	return 0;
}
