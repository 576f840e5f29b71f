// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "model/onnx_type.h"
#include "model/protobuf.h"
#include "model/shapes/small_tensor.h"
#include "npu.h"

/* Field numbers of TensorProto. */
enum {
	DIMS = 1, DATA_TYPE = 2, FLOAT_DATA = 4, INT32_DATA = 5,
	INT64_DATA = 7, NAME = 8, RAW_DATA = 9, DOUBLE_DATA = 10,
	UINT64_DATA = 11,
};

/* What the fields of a tensor say. */
struct fields {
	struct small_tensor *c;
	uint64_t type;
	struct bytes raw;
	uint64_t values;	/* in the fields for data of one type */
	bool damaged;
};

bool
small_tensor_is_real(uint64_t type)
{
	uint32_t dtype = onnx_type_dtype(type);

	return dtype == NPU_F32 || dtype == NPU_F16 || dtype == NPU_F64 ||
	    dtype == NPU_BF16;
}

/* ---- Elements ---------------------------------------------------------- */

#define READ(type) do { \
	type v; \
	return bytes_get(b, at, &v, sizeof(v)) ? (double)v : NAN; \
} while (0)

/* Returns the element at byte at.  Elements of 16-bit floating-point types are
 * unknown, because operators do not take sizes or scales of these types. */
static double
read_element(uint32_t dtype, struct bytes b, uint64_t at)
{
	switch (dtype) {
	case NPU_F32: READ(float);
	case NPU_F64: READ(double);
	case NPU_U8: case NPU_BOOL: READ(uint8_t);
	case NPU_S8: READ(int8_t);
	case NPU_U16: READ(uint16_t);
	case NPU_S16: READ(int16_t);
	case NPU_U32: READ(uint32_t);
	case NPU_S32: READ(int32_t);
	case NPU_U64: READ(uint64_t);
	case NPU_S64: READ(int64_t);
	}
	return NAN;
}

static void
add_value(struct fields *f, double v)
{
	if (f->values < NUMBERS_MOST)
		f->c->numbers.v[f->values] = v;
	f->values++;
}

/* Adds the numbers of a field that has one number, or many numbers packed. */
static void
add_integers(struct fields *f, const struct pb_field *field)
{
	uint64_t at = 0, v;

	if (field->wire == PB_VARINT)
		add_value(f, (double)(int64_t)field->value);
	while (field->wire == PB_LENGTH && at < field->data.n && !f->damaged) {
		if (pb_varint(field->data, &at, &v))
			add_value(f, (double)(int64_t)v);
		else
			f->damaged = true;
	}
}

static void
add_reals(struct fields *f, struct bytes data, uint32_t dtype, size_t size)
{
	for (uint64_t at = 0; data.n - at >= size; at += size)
		add_value(f, read_element(dtype, data, at));
}

/* ---- Fields ------------------------------------------------------------ */

static void
add_dims(struct fields *f, const struct pb_field *field)
{
	uint64_t at = 0, dim;

	if (field->wire == PB_VARINT)
		shape_add(&f->c->shape, (double)field->value);
	while (field->wire == PB_LENGTH && at < field->data.n && !f->damaged) {
		if (pb_varint(field->data, &at, &dim))
			shape_add(&f->c->shape, (double)dim);
		else
			f->damaged = true;
	}
}

static void
read_field(struct fields *f, const struct pb_field *field)
{
	switch (field->number) {
	case DIMS: add_dims(f, field); break;
	case DATA_TYPE: f->type = (uint32_t)field->value; break;
	case NAME: f->c->name = field->data; break;
	case RAW_DATA: f->raw = field->data; break;
	case FLOAT_DATA: add_reals(f, field->data, NPU_F32, 4); break;
	case DOUBLE_DATA: add_reals(f, field->data, NPU_F64, 8); break;
	case INT32_DATA: case INT64_DATA: case UINT64_DATA:
		add_integers(f, field);
		break;
	}
}

/* Elements are known if their number fits the shape; data in another file is
 * not read. */
static void
finish(struct fields *f)
{
	unsigned size = onnx_type_bits(f->type) / 8;
	struct small_tensor *c = f->c;
	uint64_t n = 1;

	if (f->values == 0 && size > 0 && f->raw.n / size <= NUMBERS_MOST)
		add_reals(f, f->raw, onnx_type_dtype(f->type), size);
	c->known = shape_multiply_sizes(&n, &c->shape, 0, c->shape.ndim) &&
	    n == f->values && n <= NUMBERS_MOST;
	c->numbers.n = c->known ? (unsigned)n : 0;
	c->numbers.real = small_tensor_is_real(f->type);
}

bool
small_tensor_read(struct small_tensor *c, struct bytes tensor)
{
	struct fields f = { .c = c };
	struct pb_field field;
	uint64_t at = 0;

	*c = (struct small_tensor){ .shape.ranked = true };
	while (at < tensor.n && !f.damaged) {
		if (pb_next(tensor, &at, &field))
			read_field(&f, &field);
		else
			f.damaged = true;
	}
	if (!f.damaged)
		finish(&f);
	return !f.damaged;
}
