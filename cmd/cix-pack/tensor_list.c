// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cmd.h"
#include "tensor_list.h"

/* An input or output of an ONNX file, and its position, for messages. */
struct port_place {
	const struct tensor_list *list;
	const char *file;
	const struct onnx_port *port;
	size_t i;
};

void
tensor_list_append(struct tensor_list *l, const struct npu_tensor *t,
    const char *from)
{
	size_t room = l->n == 0 ? 1 : l->n * 2;

	if ((l->n & (l->n - 1)) == 0) {
		l->t = cmd_realloc(l->t, room * sizeof(*l->t));
		l->from = cmd_realloc(l->from, room * sizeof(*l->from));
	}
	l->t[l->n] = *t;
	l->from[l->n++] = from;
}

void
tensor_list_check_names(const struct tensor_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->t[i].name[0] == '\0' ||
		    strncmp(l->from[i], "--", 2) != 0)
			continue;
		for (size_t k = 0; k < i; k++)
			if (strcmp(l->t[k].name, l->t[i].name) == 0)
				cmd_usage("%s: '%s' is given twice",
				    l->from[i], l->t[i].name);
	}
}

void
tensor_list_print(const struct tensor_list *l)
{
	char what[200];

	for (size_t i = 0; i < l->n; i++) {
		npu_tensor_format(&l->t[i], what, sizeof(what));
		cmd_detail("%s %zu '%s', of %s: %s", l->kind, i, l->t[i].name,
		    l->from[i], what);
	}
}

void
tensor_list_free(struct tensor_list *l)
{
	free(l->t);
	free(l->from);
}

/* A port's name, cut to the length that a tensor's name can have. */
struct port_name {
	char text[NPU_MAX_NAME];
};

static struct port_name
name_of(const struct onnx_port *p)
{
	struct port_name name = { "" };

	if (p->name.n > 0)
		memcpy(name.text, p->name.p, p->name.n < NPU_MAX_NAME ?
		    p->name.n : NPU_MAX_NAME - 1);
	return name;
}

/* ---- Tensors from the ONNX file --------------------------------------- */

__attribute__((format(printf, 2, 3)))
static _Noreturn void
refuse(const struct port_place *at, const char *fmt, ...)
{
	char line[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	cmd_die("%s: %s %zu, '%s', %s", at->file, at->list->kind, at->i,
	    name_of(at->port).text, line);
}

/* Writes the shape to buf, such as 1x3x224.  A dimension without a number in
 * the file becomes the text open, and at most NPU_MAX_DIMS dimensions are
 * shown. */
static void
write_shape(const struct onnx_port *p, const char *open, char *buf, size_t n)
{
	size_t len = 0;

	*buf = '\0';
	for (uint32_t i = 0; i < p->ndim && len < n; i++) {
		if (i == NPU_MAX_DIMS) {
			snprintf(buf + len, n - len, "x...");
			break;
		}
		if (p->dim[i] > 0)
			len += (size_t)snprintf(buf + len, n - len, "%s%"
			    PRId64, i > 0 ? "x" : "", p->dim[i]);
		else
			len += (size_t)snprintf(buf + len, n - len, "%s%s",
			    i > 0 ? "x" : "", open);
	}
}

/* Dies with the reason is, and shows the option that gives the port a shape. */
static _Noreturn void
refuse_shape(const struct port_place *at, const char *is, const char *shape)
{
	refuse(at, "%s; give it one, as -%c %s:%s:%s", is, at->list->option,
	    name_of(at->port).text, npu_dtype_name(at->port->dtype), shape);
}

static void
take_shape(struct npu_tensor *t, const struct port_place *at)
{
	const struct onnx_port *p = at->port;
	char open[200], fixed[160], is[320];

	if (!p->shaped)
		refuse_shape(at, "has no shape", "SHAPE");
	if (p->ndim > NPU_MAX_DIMS) {
		snprintf(is, sizeof(is), "has %u dimensions, and a model's "
		    "tensor has at most %d", p->ndim, NPU_MAX_DIMS);
		refuse_shape(at, is, "SHAPE");
	}
	write_shape(p, "?", open, sizeof(open));
	write_shape(p, "1", fixed, sizeof(fixed));
	snprintf(is, sizeof(is), "is %s, and an NPU needs a fixed shape", open);
	t->size = npu_dtype_size(t->dtype);
	t->ndim = p->ndim;
	for (uint32_t i = 0; i < p->ndim; i++) {
		if (p->dim[i] < 1)
			refuse_shape(at, is, fixed);
		if (p->dim[i] > INT32_MAX || (t->size *= (uint64_t)p->dim[i]) >
		    NPU_MAX_PAYLOAD)
			refuse(at, "is %s: too large", open);
		t->dim[i] = (uint32_t)p->dim[i];
	}
}

static struct npu_tensor
describe(const struct port_place *at)
{
	struct npu_tensor t = { .dtype = at->port->dtype, .scale = 1 };

	if (at->port->name.n >= NPU_MAX_NAME)
		refuse(at, "has a name of %zu bytes, and %d are possible; "
		    "name all %ss by -%c, in order", at->port->name.n,
		    NPU_MAX_NAME - 1, at->list->kind, at->list->option);
	memcpy(t.name, name_of(at->port).text, sizeof(t.name));
	take_shape(&t, at);
	return t;
}

/* ---- Tensors from options --------------------------------------------- */

static bool
has_name(const struct onnx_port *p, const char *name)
{
	return p->name.n > 0 && p->name.n == strlen(name) &&
	    memcmp(p->name.p, name, p->name.n) == 0;
}

/* Returns the index of the port with this name, or n. */
static size_t
find_port(const struct onnx_port *p, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && !has_name(&p[i], name))
		i++;
	return i;
}

static _Noreturn void
die_names(const struct tensor_list *l, const char *file,
    const struct onnx_port *p, size_t n, const char *why)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < n && names.n < 400; i++)
		buf_printf(&names, "%s'%s'", i > 0 ? ", " : "",
		    name_of(&p[i]).text);
	cmd_die("%s: %s; its %s%s: %.*s", file, why, l->kind,
	    n == 1 ? " is" : "s are", (int)names.n,
	    names.failed ? "" : names.p);
}

/* Returns the index of the port that descriptor i describes.  If there is a
 * descriptor for each port, the order decides; otherwise, the name. */
static size_t
find_described(const struct tensor_list *l, size_t i, const char *file,
    const struct onnx_port *p, size_t n)
{
	const char *name = l->t[i].name;
	size_t found = find_port(p, n, name);
	char why[200];

	if (l->n > n) {
		snprintf(why, sizeof(why), "%zu %ss are given, but the model "
		    "has %zu",
		    l->n, l->kind, n);
		die_names(l, file, p, n, why);
	}
	if (l->n == n && (found == n || has_name(&p[i], name)))
		return i;
	if (l->n == n) {
		snprintf(why, sizeof(why), "%s '%s' is given as number %zu, "
		    "but is number %zu of the model", l->kind, name, i, found);
		die_names(l, file, p, n, why);
	}
	if (found == n) {
		snprintf(why, sizeof(why), "the model has no %s '%s'", l->kind,
		    name);
		die_names(l, file, p, n, why);
	}
	return found;
}

static void
check_elements(const struct npu_tensor *t, const struct port_place *at)
{
	uint64_t n = npu_tensor_count(t);
	char shape[200];

	write_shape(at->port, "?", shape, sizeof(shape));
	if (n > 0 && !onnx_port_holds(at->port, n))
		refuse(at, "is %s in the file, which does not fit the %"
		    PRIu64 " element%s given", at->port->ndim == 0 ?
		    "one number" : shape, n, n == 1 ? "" : "s");
}

void
tensor_list_complete(struct tensor_list *l, const char *file,
    const struct onnx_port *p, size_t n)
{
	struct tensor_list whole = { .kind = l->kind, .option = l->option };
	/* For each port, 1 + the index of its descriptor in l, or 0 if the file
	 * describes the port. */
	size_t *named = cmd_alloc((n + 1) * sizeof(*named));
	struct npu_tensor t;
	size_t at;

	for (size_t i = 0; i < l->n; i++) {
		at = find_described(l, i, file, p, n);
		if (named[at] != 0)
			cmd_die("%s: its %s '%s' is given twice", file,
			    l->kind, l->t[i].name);
		named[at] = i + 1;
	}
	for (size_t i = 0; i < n; i++) {
		struct port_place place = { l, file, &p[i], i };

		if (p[i].dtype == NPU_NONE)
			refuse(&place, "is not a tensor of a type that an NPU "
			    "has");
		t = named[i] > 0 ? l->t[named[i] - 1] : describe(&place);
		check_elements(&t, &place);
		tensor_list_append(&whole, &t,
		    named[i] > 0 ? l->from[named[i] - 1] : file);
	}
	free(named);
	tensor_list_free(l);
	*l = whole;
}
