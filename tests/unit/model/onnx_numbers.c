// SPDX-License-Identifier: Apache-2.0
/* Tests that the elements of a TensorProto are read from all fields that can
 * contain them: onnx.proto names the field for each type. */
#include "model/onnx_numbers.h"
#include "model/protobuf_write.h"
#include "tap.h"

enum { DIMS = 1, DATA_TYPE = 2, FLOAT_DATA = 4, INT32_DATA = 5, INT64_DATA = 7,
    RAW_DATA = 9, DOUBLE_DATA = 10, UINT64_DATA = 11, EXTERNAL_DATA = 13,
    DATA_LOCATION = 14 };
/* TensorProto.DataType. */
enum { FLOAT = 1, UINT8 = 2, INT8 = 3, INT64 = 7, FLOAT16 = 10, DOUBLE = 11,
    UINT64 = 13, BFLOAT16 = 16, INT4 = 22 };

static struct bytes
bytes_of(const void *p, size_t n)
{
	return (struct bytes){ p, n };
}

/* Begins a tensor of n elements. */
static struct buf
tensor(int type, int64_t n)
{
	struct buf t = { 0 };

	pb_put_packed(&t, DIMS, &n, 1);
	pb_put_int(&t, DATA_TYPE, type);
	return t;
}

/* Reads the tensor, one element at a time and then all at once, and frees
 * it. */
static void
has(struct buf *t, const float *want, size_t n, const char *what)
{
	struct onnx_numbers r;
	struct npu_err err;
	float got[8] = { 0 };
	size_t i;

	ok(onnx_numbers_begin(&r, bytes_of(t->p, t->n), &err) == 0,
	    "%s begins", what);
	for (i = 0; i < n && onnx_numbers_read(&r, &got[i], 1) == 1; i++)
		if (got[i] != want[i])
			break;
	ok(i == n, "%s has its elements, one by one", what);
	ok(onnx_numbers_read(&r, got, 1) == 0, "%s then ends", what);
	onnx_numbers_begin(&r, bytes_of(t->p, t->n), &err);
	ok(onnx_numbers_read(&r, got, 8) == n &&
	    memcmp(got, want, n * sizeof(*want)) == 0, "%s has them at once",
	    what);
	buf_free(t);
}

static void
fields_of_numbers(void)
{
	static const float reals[] = { 1.5f, -2, 0.25f };
	static const double doubles[] = { 1.5, -2, 0.25 };
	static const int64_t whole[] = { 3, -4, 5 };
	static const int64_t bits[] = { 0x3e00, 0xc000, 0x3400 };
	static const int64_t bf16[] = { 0x3fc0, 0xc000, 0x3e80 };
	static const float numbers[] = { 3, -4, 5 };
	struct buf t = tensor(FLOAT, 3);

	pb_put_bytes(&t, RAW_DATA, bytes_of(reals, sizeof(reals)));
	has(&t, reals, 3, "raw_data of float");
	t = tensor(FLOAT, 3);
	pb_put_bytes(&t, FLOAT_DATA, bytes_of(reals, sizeof(reals)));
	has(&t, reals, 3, "float_data");
	t = tensor(FLOAT, 3);
	pb_put_bytes(&t, FLOAT_DATA, bytes_of(reals, 4));
	pb_put_bytes(&t, FLOAT_DATA, bytes_of(reals + 1, 8));
	has(&t, reals, 3, "float_data in two parts");
	t = tensor(DOUBLE, 3);
	pb_put_bytes(&t, DOUBLE_DATA, bytes_of(doubles, sizeof(doubles)));
	has(&t, reals, 3, "double_data");
	t = tensor(INT8, 3);
	pb_put_packed(&t, INT32_DATA, whole, 3);
	has(&t, numbers, 3, "int32_data of int8");
	t = tensor(INT64, 3);
	for (int i = 0; i < 3; i++)
		pb_put_int(&t, INT64_DATA, whole[i]);
	has(&t, numbers, 3, "int64_data that is not packed");
	t = tensor(FLOAT16, 3);
	pb_put_packed(&t, INT32_DATA, bits, 3);
	has(&t, reals, 3, "int32_data of float16");
	t = tensor(BFLOAT16, 3);
	pb_put_packed(&t, INT32_DATA, bf16, 3);
	has(&t, reals, 3, "int32_data of bfloat16");
	t = tensor(UINT64, 2);
	pb_put_packed(&t, UINT64_DATA, (const int64_t[]){ 3, 5 }, 2);
	has(&t, (const float[]){ 3, 5 }, 2, "uint64_data");
	t = tensor(UINT8, 2);
	pb_put_bytes(&t, RAW_DATA, bytes_of("\x00\xff", 2));
	has(&t, (const float[]){ 0, 255 }, 2, "raw_data of uint8");
}

static void
external_data(void)
{
	struct buf t = tensor(UINT8, 2), e = { 0 };
	struct onnx_numbers r;
	float got[2];

	pb_put_string(&e, 1, "location"), pb_put_string(&e, 2, "w.bin");
	pb_put_message(&t, EXTERNAL_DATA, &e);
	pb_put_string(&e, 1, "offset"), pb_put_string(&e, 2, "4096");
	pb_put_message(&t, EXTERNAL_DATA, &e);
	pb_put_int(&t, DATA_LOCATION, 1);
	ok(onnx_numbers_begin(&r, bytes_of(t.p, t.n), NULL) == 0 &&
	    r.external && r.offset == 4096 && r.length == 0 &&
	    r.file.n == 5, "external data has a file and an offset");
	ok(onnx_numbers_read(&r, got, 2) == 0,
	    "external data that was not given is not read");
	r.data = bytes_of("\x07\x08", 2);
	ok(onnx_numbers_read(&r, got, 2) == 2 && got[1] == 8,
	    "external data is read");
	buf_free(&t);
}

static void
refused(void)
{
	static const int64_t nine[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	struct buf t = { 0 };
	struct onnx_numbers r;

	pb_put_packed(&t, DIMS, nine, 9);
	pb_put_int(&t, DATA_TYPE, FLOAT);
	ok(onnx_numbers_begin(&r, bytes_of(t.p, t.n), NULL) == NPU_EFORMAT,
	    "nine dimensions are refused");
	buf_free(&t);
	t = tensor(INT4, 2);
	ok(onnx_numbers_begin(&r, bytes_of(t.p, t.n), NULL) == NPU_EFORMAT,
	    "elements of 4 bits are refused");
	buf_free(&t);
	t = tensor(FLOAT, 4);
	pb_put_bytes(&t, RAW_DATA, bytes_of("12345678", 8));
	ok(onnx_numbers_begin(&r, bytes_of(t.p, t.n), NULL) == NPU_EFORMAT,
	    "data that is too short is refused");
	buf_free(&t);
}

int
main(void)
{
	fields_of_numbers();
	external_data();
	refused();
	return done();
}
