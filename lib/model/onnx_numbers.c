// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "model/names.h"
#include "model/onnx_numbers.h"
#include "model/onnx_type.h"
#include "model/protobuf.h"

/* Field numbers of TensorProto. */
enum {
	DIMS = 1, DATA_TYPE = 2, FLOAT_DATA = 4, INT32_DATA = 5,
	INT64_DATA = 7, NAME = 8, RAW_DATA = 9, DOUBLE_DATA = 10,
	UINT64_DATA = 11, EXTERNAL_DATA = 13, DATA_LOCATION = 14, EXTERNAL = 1,
};
/* And of StringStringEntryProto. */
enum { KEY = 1, VALUE = 2 };

enum { CHUNK = 1024 };		/* elements that are converted at a time */

/* ---- Beginning ----------------------------------------------------------- */

static bool
add_dim(struct onnx_numbers *r, uint64_t dim)
{
	if (r->ndim == ONNX_NUMBERS_DIMS)
		return false;
	r->dim[r->ndim++] = dim;
	return !__builtin_mul_overflow(r->n, dim, &r->n);
}

static bool
add_dims(struct onnx_numbers *r, const struct pb_field *f)
{
	uint64_t at = 0, dim;

	if (f->wire == PB_VARINT)
		return add_dim(r, f->value);
	while (at < f->data.n)
		if (!pb_varint(f->data, &at, &dim) || !add_dim(r, dim))
			return false;
	return true;
}

/* Stores a decimal number. */
static bool
read_decimal(struct bytes text, uint64_t *v)
{
	char copy[24];
	int64_t number;

	if (text.n >= sizeof(copy))
		return false;
	bytes_get(text, 0, copy, text.n);
	copy[text.n] = '\0';
	if (num_int(copy, 0, INT64_MAX, &number, NULL) < 0)
		return false;
	*v = (uint64_t)number;
	return true;
}

/* An entry of external_data: where the data is. */
static bool
read_entry(struct onnx_numbers *r, struct bytes entry)
{
	struct bytes key = { 0 }, value = { 0 };
	struct pb_field f;
	uint64_t at = 0;

	while (at < entry.n) {
		if (!pb_next(entry, &at, &f))
			return false;
		if (f.wire == PB_LENGTH && f.number == KEY)
			key = f.data;
		if (f.wire == PB_LENGTH && f.number == VALUE)
			value = f.data;
	}
	if (bytes_is(key, "location"))
		r->file = value;
	if (bytes_is(key, "offset"))
		return read_decimal(value, &r->offset);
	if (bytes_is(key, "length"))
		return read_decimal(value, &r->length);
	return true;
}

static bool
read_field(struct onnx_numbers *r, const struct pb_field *f)
{
	switch (f->number) {
	case DIMS: return add_dims(r, f);
	case DATA_TYPE: r->dtype = onnx_type_dtype((uint32_t)f->value); break;
	case RAW_DATA: r->data = f->data; break;
	case EXTERNAL_DATA: return read_entry(r, f->data);
	case DATA_LOCATION:
		r->external = (uint32_t)f->value == EXTERNAL;
		break;
	}
	return true;
}

int
onnx_numbers_begin(struct onnx_numbers *r, struct bytes tensor,
    struct npu_err *err)
{
	struct bytes name = { 0 };
	struct pb_field f;
	uint64_t at = 0;
	char shown[80];

	*r = (struct onnx_numbers){ .n = 1, .tensor = tensor };
	while (at < tensor.n) {
		if (!pb_next(tensor, &at, &f) || !read_field(r, &f))
			return npu_fail(err, NPU_EFORMAT, "a tensor is "
			    "damaged, or has more than %d dimensions",
			    ONNX_NUMBERS_DIMS);
		if (f.number == NAME)
			name = f.data;
	}
	names_copy(shown, sizeof(shown), name);
	return npu_dtype_size(r->dtype) > 0 ? 0 : npu_fail(err, NPU_EFORMAT,
	    "the weights '%s' are not numbers of 8 bits or more", shown);
}

/* ---- Fields -------------------------------------------------------------- */

/* Is this a field of elements? */
static bool
has_elements(const struct pb_field *f)
{
	switch (f->number) {
	case FLOAT_DATA: case DOUBLE_DATA: case INT32_DATA: case INT64_DATA:
	case UINT64_DATA:
		return true;
	}
	return false;
}

/* Reads the next number of the fields, packed or not; its bytes are as in
 * raw_data. */
static bool
next_bits(struct onnx_numbers *r, uint64_t *bits)
{
	struct pb_field f;

	*bits = 0;
	while (r->packed_at >= r->packed.n) {
		if (r->at >= r->tensor.n || !pb_next(r->tensor, &r->at, &f))
			return false;
		if (!has_elements(&f))
			continue;
		if (f.wire == PB_VARINT) {
			*bits = f.value;
			return true;
		}
		r->packed = f.data;
		r->packed_at = 0;
	}
	switch (r->dtype) {
	case NPU_F32:
		r->packed_at += 4;
		return bytes_get(r->packed, r->packed_at - 4, bits, 4);
	case NPU_F64:
		r->packed_at += 8;
		return bytes_get(r->packed, r->packed_at - 8, bits, 8);
	}
	return pb_varint(r->packed, &r->packed_at, bits);
}

/* Copies up to n elements from the fields to out, size bytes for each. */
static size_t
copy_fields(struct onnx_numbers *r, uint8_t *out, size_t n, size_t size)
{
	uint64_t bits;
	size_t i;

	for (i = 0; i < n && next_bits(r, &bits); i++)
		memcpy(out + i * size, &bits, size);
	return i;
}

/* ---- Elements ------------------------------------------------------------ */

/* Converts up to CHUNK elements. */
static size_t
read_chunk(struct onnx_numbers *r, float *out, size_t n)
{
	const struct npu_tensor t = { .dtype = r->dtype, .scale = 1 };
	size_t size = npu_dtype_size(r->dtype);
	uint8_t copy[CHUNK * sizeof(uint64_t)];
	struct bytes from = { copy, 0 };

	if (r->data.p == NULL)
		n = copy_fields(r, copy, n, size);
	else if (!bytes_sub(r->data, r->read * size, n * size, &from))
		n = 0;
	if (n == 0 || npu_dequantise(&t, from.p, n, out, NULL) < 0)
		return 0;
	r->read += n;
	return n;
}

size_t
onnx_numbers_read(struct onnx_numbers *r, float *out, size_t n)
{
	size_t done = 0;

	if (n > r->n - r->read)
		n = (size_t)(r->n - r->read);
	while (done < n) {
		size_t step = n - done < CHUNK ? n - done : CHUNK;

		step = read_chunk(r, out + done, step);
		if (step == 0)
			break;
		done += step;
	}
	return done;
}
