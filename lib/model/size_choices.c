// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "model/names.h"
#include "model/size_choices.h"

enum { MOST_LISTED = 4 };	/* of the open dimensions */

struct size_of_name {
	struct bytes name;
	uint32_t size;
};

struct size_of_place {
	struct bytes port;
	uint32_t axis, size;
};

/* The choice that is resolved. */
struct choice {
	struct size_choices *s;
	struct onnx_ports *ports;
	const char *option;
	const struct npu_dim *dim;
	struct npu_err *err;
};

static bool
is_text(struct bytes b, const char *text, size_t n)
{
	return b.n == n && (n == 0 || memcmp(b.p, text, n) == 0);
}

/* ---- Sizes that are known ---------------------------------------------- */

static uint32_t
size_by_name(const struct size_choices *s, struct bytes name)
{
	const struct size_of_name *one = (const void *)s->by_name.p;
	size_t n = s->by_name.n / sizeof(*one);

	for (size_t i = 0; i < n && name.n > 0; i++)
		if (bytes_compare(one[i].name, name) == 0)
			return one[i].size;
	return 0;
}

static uint32_t
size_by_place(const struct size_choices *s, struct bytes port, uint32_t axis)
{
	const struct size_of_place *one = (const void *)s->by_place.p;
	size_t n = s->by_place.n / sizeof(*one);

	for (size_t i = 0; i < n; i++)
		if (one[i].axis == axis &&
		    bytes_compare(one[i].port, port) == 0)
			return one[i].size;
	return 0;
}

uint32_t
size_choices_find(const struct size_choices *s, struct bytes name,
    struct bytes port, uint32_t axis)
{
	if (name.n > 0)
		return size_by_name(s, name);
	return port.n > 0 ? size_by_place(s, port, axis) : 0;
}

/* ---- The list of open dimensions --------------------------------------- */

/* Appends ", NAME" or ", PORT:AXIS". */
static void
put_dimension(struct buf *text, const struct onnx_port *p, uint32_t axis)
{
	char name[60];

	if (text->n > 0)
		buf_puts(text, ", ");
	if (p->dim_name[axis].n > 0) {
		names_copy(name, sizeof(name), p->dim_name[axis]);
		buf_puts(text, name);
	} else {
		names_copy(name, sizeof(name), p->name);
		buf_printf(text, "%s:%" PRIu32, name, axis);
	}
}

/* Adds the name to the n names that were listed.  Returns false if it is one of
 * them. */
static bool
is_new(struct bytes *listed, size_t n, struct bytes name)
{
	for (size_t i = 0; i < n && name.n > 0; i++)
		if (bytes_compare(listed[i], name) == 0)
			return false;
	listed[n] = name;
	return true;
}

void
open_dimensions(struct buf *text, const struct onnx_port *port, size_t ports)
{
	struct bytes listed[MOST_LISTED + 1];
	size_t n = 0;

	for (size_t i = 0; i < ports; i++)
		for (uint32_t a = 0; a < port[i].ndim; a++) {
			if (port[i].dim[a] >= 0 ||
			    !is_new(listed, n, port[i].dim_name[a]))
				continue;
			if (n++ == MOST_LISTED) {
				buf_puts(text, " and others");
				return;
			}
			put_dimension(text, &port[i], a);
		}
}

/* Refuses a choice that concerns none of the model's dimensions. */
static int
refuse_unknown(const struct choice *c)
{
	const struct onnx_ports *p = c->ports;
	struct buf text = { 0 };
	int rc;

	open_dimensions(&text, p->in, p->n_in);
	if (text.n == 0)
		open_dimensions(&text, p->out, p->n_out);
	buf_add(&text, "", 1);
	if (text.failed)
		rc = npu_fail(c->err, NPU_ESYSTEM, "out of memory");
	else if (text.n == 1)
		rc = npu_fail(c->err, NPU_EUSAGE, "%s %.40s: all dimensions "
		    "of the model are fixed", c->option, c->dim->name);
	else
		rc = npu_fail(c->err, NPU_EUSAGE, "%s %.40s: the model has no "
		    "such dimension; open are: %s", c->option, c->dim->name,
		    text.p);
	buf_free(&text);
	return rc;
}

/* ---- One choice -------------------------------------------------------- */

static int
refuse_other(const struct choice *c, uint32_t size)
{
	return npu_fail(c->err, NPU_EUSAGE, "%s %.100s=%" PRIu32 ": another "
	    "%s has chosen %" PRIu32 " for this dimension", c->option,
	    c->dim->name, c->dim->size, c->option, size);
}

static int
add_name(const struct choice *c, struct bytes name)
{
	const struct size_of_name one = { name, c->dim->size };
	uint32_t size = size_by_name(c->s, name);

	if (size != 0 && size != c->dim->size)
		return refuse_other(c, size);
	if (size == 0)
		buf_add(&c->s->by_name, &one, sizeof(one));
	return 0;
}

static int
add_place(const struct choice *c, struct bytes port, uint32_t axis)
{
	const struct size_of_place one = { port, axis, c->dim->size };
	uint32_t size = size_by_place(c->s, port, axis);

	if (size != 0 && size != c->dim->size)
		return refuse_other(c, size);
	if (size == 0)
		buf_add(&c->s->by_place, &one, sizeof(one));
	return 0;
}

/* Returns whether an open dimension has the name, and sets *name to the file's
 * bytes. */
static bool
find_name(const struct choice *c, const struct onnx_port *p, size_t n,
    struct bytes *name)
{
	size_t len = strlen(c->dim->name);

	for (size_t i = 0; i < n; i++)
		for (uint32_t a = 0; a < p[i].ndim; a++)
			if (p[i].dim[a] < 0 && p[i].dim_name[a].n > 0 &&
			    is_text(p[i].dim_name[a], c->dim->name, len)) {
				*name = p[i].dim_name[a];
				return true;
			}
	return false;
}

/* Returns the port of the choice "PORT:AXIS", and sets *axis, or returns
 * NULL. */
static const struct onnx_port *
find_place(const struct choice *c, const struct onnx_port *p, size_t n,
    uint32_t *axis)
{
	const char *colon = strrchr(c->dim->name, ':');
	int64_t number;

	if (colon == NULL || colon == c->dim->name ||
	    num_int(colon + 1, 0, UINT32_MAX, &number, NULL) < 0)
		return NULL;
	*axis = (uint32_t)number;
	for (size_t i = 0; i < n; i++)
		if (is_text(p[i].name, c->dim->name,
		    (size_t)(colon - c->dim->name)))
			return &p[i];
	return NULL;
}

static int
choose_place(const struct choice *c, const struct onnx_port *p, uint32_t axis)
{
	if (!p->shaped)
		return npu_fail(c->err, NPU_EUSAGE, "%s %.80s: the model does "
		    "not state how many dimensions this input or output has",
		    c->option, c->dim->name);
	if (axis >= p->ndim)
		return npu_fail(c->err, NPU_EUSAGE, "%s %.80s: there are %"
		    PRIu32 " dimensions, from number 0", c->option,
		    c->dim->name, p->ndim);
	if (p->dim[axis] >= 0 && p->dim[axis] != c->dim->size)
		return npu_fail(c->err, NPU_EUSAGE, "%s %.80s=%" PRIu32 ": "
		    "this dimension is fixed in the model, to %" PRId64,
		    c->option, c->dim->name, c->dim->size, p->dim[axis]);
	if (p->dim[axis] >= 0)
		return 0;
	if (p->dim_name[axis].n > 0)
		return add_name(c, p->dim_name[axis]);
	return add_place(c, p->name, axis);
}

static int
resolve(const struct choice *c)
{
	const struct onnx_ports *ports = c->ports;
	const struct onnx_port *p;
	struct bytes name;
	uint32_t axis;

	if (find_name(c, ports->in, ports->n_in, &name) ||
	    find_name(c, ports->out, ports->n_out, &name))
		return add_name(c, name);
	if ((p = find_place(c, ports->in, ports->n_in, &axis)) != NULL ||
	    (p = find_place(c, ports->out, ports->n_out, &axis)) != NULL)
		return choose_place(c, p, axis);
	return refuse_unknown(c);
}

/* ---- All --------------------------------------------------------------- */

static void
set_sizes(const struct size_choices *s, struct onnx_port *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t a = 0; a < p[i].ndim; a++) {
			uint32_t size = p[i].dim[a] >= 0 ? 0 :
			    size_choices_find(s, p[i].dim_name[a], p[i].name,
			    a);

			if (size != 0)
				p[i].dim[a] = size;
		}
}

int
size_choices_resolve(struct size_choices *s, struct onnx_ports *ports,
    const struct chosen_sizes *chosen, struct npu_err *err)
{
	struct choice c = { .s = s, .ports = ports, .option = chosen->option,
	    .err = err };
	int rc = 0;

	*s = (struct size_choices){ .by_name = { 0 } };
	for (size_t i = 0; i < chosen->n && rc == 0; i++) {
		c.dim = &chosen->dim[i];
		rc = resolve(&c);
	}
	if (rc < 0)
		return rc;
	if (s->by_name.failed || s->by_place.failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	set_sizes(s, ports->in, ports->n_in);
	set_sizes(s, ports->out, ports->n_out);
	return 0;
}

void
size_choices_free(struct size_choices *s)
{
	buf_free(&s->by_name);
	buf_free(&s->by_place);
}
