// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "model/protobuf.h"
#include "model/shapes/node.h"

/* Field numbers of NodeProto and AttributeProto. */
enum {
	NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP_TYPE = 4, NODE_ATTRIBUTE = 5,
	NODE_DOMAIN = 7,
};
enum {
	ATTRIBUTE_NAME = 1, ATTRIBUTE_F = 2, ATTRIBUTE_I = 3, ATTRIBUTE_S = 4,
	ATTRIBUTE_T = 5, ATTRIBUTE_FLOATS = 7, ATTRIBUTE_INTS = 8,
};

bool
node_read(struct node *n, struct bytes message)
{
	struct pb_field f;
	uint64_t at = 0;

	buf_clear(&n->inputs);
	buf_clear(&n->outputs);
	n->type = n->domain = (struct bytes){ 0 };
	n->message = message;
	while (at < message.n) {
		if (!pb_next(message, &at, &f))
			return false;
		if (f.wire != PB_LENGTH)
			continue;
		switch (f.number) {
		case NODE_INPUT:
			buf_add(&n->inputs, &f.data, sizeof(f.data));
			break;
		case NODE_OUTPUT:
			buf_add(&n->outputs, &f.data, sizeof(f.data));
			break;
		case NODE_OP_TYPE: n->type = f.data; break;
		case NODE_DOMAIN: n->domain = f.data; break;
		}
	}
	return !n->inputs.failed && !n->outputs.failed;
}

void
node_free(struct node *n)
{
	buf_free(&n->inputs);
	buf_free(&n->outputs);
}

/* ---- Attributes -------------------------------------------------------- */

static bool
has_name(struct bytes attribute, const char *name)
{
	struct pb_field f;
	uint64_t at = 0;

	while (at < attribute.n && pb_next(attribute, &at, &f))
		if (f.number == ATTRIBUTE_NAME)
			return bytes_is(f.data, name);
	return false;
}

static bool
find_attribute(const struct node *n, const char *name, struct bytes *attribute)
{
	struct pb_field f;
	uint64_t at = 0;

	while (at < n->message.n && pb_next(n->message, &at, &f))
		if (f.number == NODE_ATTRIBUTE && has_name(f.data, name)) {
			*attribute = f.data;
			return true;
		}
	return false;
}

static double
read_float(struct bytes b, uint64_t at)
{
	float v = 0;

	bytes_get(b, at, &v, sizeof(v));
	return v;
}

double
node_number(const struct node *n, const char *name, double absent)
{
	struct bytes a = { 0 };
	struct pb_field f;
	uint64_t at = 0;

	if (!find_attribute(n, name, &a))
		return absent;
	while (at < a.n && pb_next(a, &at, &f)) {
		if (f.number == ATTRIBUTE_I && f.wire == PB_VARINT)
			return (double)(int64_t)f.value;
		if (f.number == ATTRIBUTE_F && f.wire == PB_FIXED32)
			return read_float(f.data, 0);
	}
	return 0;	/* as in protobuf, where 0 may be left out */
}

static bool
add_number(struct numbers *v, double number)
{
	if (v->n == NUMBERS_MOST)
		return false;
	v->v[v->n++] = number;
	return true;
}

static bool
add_packed(struct numbers *v, struct bytes data)
{
	uint64_t at = 0, number;

	while (at < data.n)
		if (!pb_varint(data, &at, &number) ||
		    !add_number(v, (double)(int64_t)number))
			return false;
	return true;
}

/* Adds the number or numbers of a field.  Returns false if there are too many.
 */
static bool
add_field(struct numbers *v, const struct pb_field *f)
{
	if (f->number == ATTRIBUTE_INTS && f->wire == PB_VARINT)
		return add_number(v, (double)(int64_t)f->value);
	if (f->number == ATTRIBUTE_INTS)
		return add_packed(v, f->data);
	if (f->number != ATTRIBUTE_FLOATS)
		return true;
	v->real = true;
	for (uint64_t at = 0; f->data.n - at >= 4; at += 4)
		if (!add_number(v, read_float(f->data, at)))
			return false;
	return true;
}

bool
node_numbers(const struct node *n, const char *name, struct numbers *v)
{
	struct bytes a = { 0 };
	struct pb_field f;
	uint64_t at = 0;

	*v = (struct numbers){ 0 };
	if (!find_attribute(n, name, &a))
		return false;
	while (at < a.n)
		if (!pb_next(a, &at, &f) || !add_field(v, &f))
			return false;
	return true;
}

/* Finds a field with bytes in an attribute. */
static bool
find_bytes(const struct node *n, const char *name, uint64_t number,
    struct bytes *found)
{
	struct bytes a = { 0 };
	struct pb_field f;
	uint64_t at = 0;

	if (!find_attribute(n, name, &a))
		return false;
	while (at < a.n && pb_next(a, &at, &f))
		if (f.number == number && f.wire == PB_LENGTH) {
			*found = f.data;
			return true;
		}
	return false;
}

struct bytes
node_text(const struct node *n, const char *name)
{
	struct bytes text = { 0 };

	find_bytes(n, name, ATTRIBUTE_S, &text);
	return text;
}

bool
node_tensor(const struct node *n, const char *name, struct bytes *tensor)
{
	return find_bytes(n, name, ATTRIBUTE_T, tensor);
}
