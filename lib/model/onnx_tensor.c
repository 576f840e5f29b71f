// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>

#include "base/err.h"
#include "model/names.h"
#include "model/onnx_tensor.h"
#include "model/onnx_type.h"
#include "model/protobuf.h"

/* Field numbers of TensorProto. */
enum {
	DIMS = 1, DATA_TYPE = 2, FLOAT_DATA = 4, INT32_DATA = 5,
	STRING_DATA = 6, INT64_DATA = 7, NAME = 8, RAW_DATA = 9,
	DOUBLE_DATA = 10, UINT64_DATA = 11, EXTERNAL_DATA = 13,
	DATA_LOCATION = 14, EXTERNAL = 1,
};
/* And of StringStringEntryProto. */
enum { KEY = 1, VALUE = 2 };

/* What the fields of a tensor say, before it is checked. */
struct reading {
	struct onnx_tensor *t;
	uint64_t values;	/* in the fields for data of one type */
	uint64_t text;		/* bytes of all strings */
	bool cut;		/* a field in a field is not valid */
	bool overflow;		/* the sizes' product has more than 64 bits */
	bool empty;		/* a size is 0 */
	int64_t negative;	/* a negative size; 0: none */
};

/* ---- Sizes ------------------------------------------------------------ */

static void
add_dim(struct reading *r, uint64_t dim)
{
	if (r->t->ndim < ONNX_TENSOR_DIMS)
		r->t->dim[r->t->ndim] = dim;
	r->t->ndim++;
	if ((int64_t)dim < 0)
		r->negative = (int64_t)dim;
	else if (dim == 0)
		r->empty = true;
	else if (__builtin_mul_overflow(r->t->elements, dim,
	    &r->t->elements))
		r->overflow = true;
}

static void
add_dims(struct reading *r, const struct pb_field *f)
{
	uint64_t at = 0, dim;

	if (f->wire == PB_VARINT)
		add_dim(r, f->value);
	while (f->wire == PB_LENGTH && at < f->data.n && !r->cut) {
		if (pb_varint(f->data, &at, &dim))
			add_dim(r, dim);
		else
			r->cut = true;
	}
}

/* ---- Data ------------------------------------------------------------- */

/* Counts the values of a field that has one value, or many values packed. */
static uint64_t
count_values(const struct pb_field *f)
{
	uint64_t n = 0;

	if (f->wire != PB_LENGTH)
		return 1;
	switch (f->number) {
	case FLOAT_DATA: return f->data.n / 4;
	case DOUBLE_DATA: return f->data.n / 8;
	}
	for (size_t i = 0; i < f->data.n; i++)
		n += f->data.p[i] < 0x80;	/* the last byte of a number */
	return n;
}

static void
read_entry(struct reading *r, struct bytes entry)
{
	struct bytes key = { 0 }, value = { 0 };
	struct pb_field f;
	uint64_t at = 0;

	while (at < entry.n) {
		if (!pb_next(entry, &at, &f)) {
			r->cut = true;
			return;
		}
		if (f.wire == PB_LENGTH && f.number == KEY)
			key = f.data;
		if (f.wire == PB_LENGTH && f.number == VALUE)
			value = f.data;
	}
	if (bytes_is(key, "location"))
		r->t->file = value;
	else if (bytes_is(key, "offset"))
		r->t->offset = value;
	else if (bytes_is(key, "length"))
		r->t->length = value;
}

static void
read_field(struct reading *r, const struct pb_field *f)
{
	switch (f->number) {
	case DIMS:
		add_dims(r, f);
		break;
	case DATA_TYPE:
		r->t->type = (uint32_t)f->value;
		break;
	case NAME:
		r->t->name = f->data;
		break;
	case RAW_DATA:
		r->t->raw = f->data;
		break;
	case STRING_DATA:
		r->text += f->data.n;
		r->values++;
		break;
	case FLOAT_DATA: case INT32_DATA: case INT64_DATA: case DOUBLE_DATA:
	case UINT64_DATA:
		r->values += count_values(f);
		break;
	case EXTERNAL_DATA:
		read_entry(r, f->data);
		break;
	case DATA_LOCATION:
		r->t->external = (uint32_t)f->value == EXTERNAL;
		break;
	}
}

/* ---- The check -------------------------------------------------------- */

static int
refuse(const struct onnx_tensor *t, struct npu_err *err, const char *why)
{
	char name[80];

	names_copy(name, sizeof(name), t->name);
	return npu_fail(err, NPU_EFORMAT, "not an ONNX model: the weights '%s' "
	    "%s", name, why);
}

static int
check_raw(const struct reading *r, struct npu_err *err)
{
	char why[120];

	if (r->t->raw.n == r->t->bytes)
		return 0;
	snprintf(why, sizeof(why), "have %" PRIu64 " bytes, and their sizes "
	    "and type need %" PRIu64, r->t->raw.n, r->t->bytes);
	return refuse(r->t, err, why);
}

/* An element of two numbers, or half a number, is not counted. */
static int
check_values(const struct reading *r, struct npu_err *err)
{
	unsigned bits = onnx_type_bits(r->t->type);
	char why[120];

	if (r->values == r->t->elements || bits == 4 ||
	    (bits >= 64 && onnx_type_dtype(r->t->type) == NPU_NONE))
		return 0;
	snprintf(why, sizeof(why), "have %" PRIu64 " values, and their sizes "
	    "need %" PRIu64, r->values, r->t->elements);
	return refuse(r->t, err, why);
}

static int
check(const struct reading *r, struct npu_err *err)
{
	struct onnx_tensor *t = r->t;
	unsigned bits = onnx_type_bits(t->type);
	char why[80];

	if (r->cut)
		return refuse(t, err, "are damaged");
	if (r->negative != 0) {
		snprintf(why, sizeof(why), "have a size of %" PRId64,
		    r->negative);
		return refuse(t, err, why);
	}
	if (r->empty)
		t->elements = 0;
	else if (r->overflow || t->elements > UINT64_MAX / 128)
		return refuse(t, err, "have more elements than memory has "
		    "room for");
	t->bytes = bits > 0 ? (t->elements * bits + 7) / 8 :
	    t->raw.p != NULL ? t->raw.n : r->text;
	if (t->external && t->file.n == 0)
		return refuse(t, err, "are in another file, whose name is "
		    "missing");
	if (t->external)
		return 0;
	return t->raw.p != NULL ? check_raw(r, err) : check_values(r, err);
}

int
onnx_tensor_read(struct onnx_tensor *t, struct bytes tensor,
    struct npu_err *err)
{
	struct reading r = { .t = t };
	struct pb_field f;
	uint64_t at = 0;

	*t = (struct onnx_tensor){ .elements = 1 };
	while (at < tensor.n && !r.cut) {
		if (pb_next(tensor, &at, &f))
			read_field(&r, &f);
		else
			r.cut = true;
	}
	return check(&r, err);
}
