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
	FLOAT_DATA = 4, INT32_DATA = 5, INT64_DATA = 7, DOUBLE_DATA = 10,
	UINT64_DATA = 11,
};

enum { CHUNK = 1024 };		/* elements that are converted at a time */

/* ---- Beginning ----------------------------------------------------------- */

static int
refuse(const struct onnx_tensor *t, const char *why, struct npu_err *err)
{
	char name[80];

	names_copy(name, sizeof(name), t->name);
	return npu_fail(err, NPU_EFORMAT, "the weights '%s' %s", name, why);
}

/* Stores a decimal number, unless the text is empty. */
static bool
read_decimal(struct bytes text, uint64_t *v)
{
	char copy[24];
	int64_t number;

	if (text.n == 0)
		return true;
	if (text.n >= sizeof(copy))
		return false;
	bytes_get(text, 0, copy, text.n);
	copy[text.n] = '\0';
	if (num_int(copy, 0, INT64_MAX, &number, NULL) < 0)
		return false;
	*v = (uint64_t)number;
	return true;
}

int
onnx_numbers_begin(struct onnx_numbers *r, struct bytes tensor,
    struct npu_err *err)
{
	struct onnx_tensor t;
	int rc = onnx_tensor_read(&t, tensor, err);

	if (rc < 0)
		return rc;
	*r = (struct onnx_numbers){ .dtype = onnx_type_dtype(t.type),
	    .n = t.elements, .ndim = t.ndim, .external = t.external,
	    .file = t.file, .data = t.raw, .tensor = tensor };
	if (npu_dtype_size(r->dtype) == 0)
		return refuse(&t, "are not numbers of 8 bits or more", err);
	if (t.ndim > ONNX_TENSOR_DIMS)
		return refuse(&t, "have more dimensions than 8", err);
	if (!read_decimal(t.offset, &r->offset) ||
	    !read_decimal(t.length, &r->length))
		return refuse(&t, "are at a place that is not a number", err);
	memcpy(r->dim, t.dim, sizeof(r->dim));
	return 0;
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
