// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "oip_tensor.h"
#include "refuse.h"

/* ---- Types ------------------------------------------------------------- */

static const struct {
	uint32_t dtype;
	const char *name;
} names[] = {
	{ NPU_BOOL, "BOOL" }, { NPU_U8, "UINT8" }, { NPU_S8, "INT8" },
	{ NPU_U16, "UINT16" }, { NPU_S16, "INT16" }, { NPU_U32, "UINT32" },
	{ NPU_S32, "INT32" }, { NPU_U64, "UINT64" }, { NPU_S64, "INT64" },
	{ NPU_F16, "FP16" }, { NPU_F32, "FP32" }, { NPU_F64, "FP64" },
	{ NPU_BF16, "BF16" },
};

const char *
oip_datatype(uint32_t dtype)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].dtype == dtype)
			return names[i].name;
	return NULL;
}

static bool
is_signed(uint32_t dtype)
{
	return dtype == NPU_S8 || dtype == NPU_S16 || dtype == NPU_S32 ||
	    dtype == NPU_S64;
}

/* Sets the smallest and largest number of an integer type of n bytes.  A type
 * of 64 bits has the range of JSON's reader. */
static void
range_of(uint32_t dtype, size_t n, int64_t *least, int64_t *most)
{
	unsigned bits = (unsigned)n * 8;

	*least = 0;
	*most = n == 8 ? INT64_MAX : (INT64_C(1) << bits) - 1;
	if (dtype == NPU_BOOL)
		*most = 1;
	if (is_signed(dtype)) {
		*most = n == 8 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
		*least = -*most - 1;
	}
}

/* ---- Reading ----------------------------------------------------------- */

/* Numbers on their way into a tensor. */
struct filling {
	const struct npu_tensor *t;
	bool real;
	struct buf *out;
	uint64_t n, most;
};

static unsigned
add_float(struct filling *f, double v, struct npu_err *err)
{
	struct npu_tensor one = *f->t;
	uint8_t element[8];
	float x = (float)v;

	if (f->real) {
		buf_add(f->out, &x, sizeof(x));
		return 0;
	}
	one.scale = 1;
	one.zero_point = 0;
	if (one.dtype == NPU_F64)
		memcpy(element, &v, sizeof(v));
	else if (npu_quantise(&one, &x, 1, element, false, NULL, err) < 0)
		return HTTP_BAD_REQUEST;
	buf_add(f->out, element, npu_dtype_size(one.dtype));
	return 0;
}

static unsigned
add_integer(struct filling *f, const struct json_in *v, struct npu_err *err)
{
	size_t size = npu_dtype_size(f->t->dtype);
	int64_t least, most, i;

	range_of(f->t->dtype, size, &least, &most);
	if (json_in_kind(v) == IN_BOOL && f->t->dtype == NPU_BOOL)
		i = json_in_true(v);
	else if (!json_in_integer(v, &i) || i < least || i > most)
		return refuse(HTTP_BAD_REQUEST, err, "data %" PRIu64 " is not "
		    "a whole number from %" PRId64 " to %" PRId64, f->n, least,
		    most);
	/* Little-endian: the low bytes come first. */
	buf_add(f->out, &i, size);
	return 0;
}

static unsigned
add_value(struct filling *f, const struct json_in *v, struct npu_err *err)
{
	unsigned status;

	if (f->n == f->most)
		return refuse(HTTP_BAD_REQUEST, err, "data has more than the "
		    "%" PRIu64 " elements of the model's input", f->most);
	if (!f->real && !npu_dtype_is_float(f->t->dtype))
		status = add_integer(f, v, err);
	else if (json_in_kind(v) != IN_NUMBER)
		status = refuse(HTTP_BAD_REQUEST, err, "data %" PRIu64 " is "
		    "%s, not a number", f->n, json_in_kind_name(v));
	else
		status = add_float(f, json_in_number(v), err);
	f->n++;
	return status;
}

/* Lists within lists are as deep as the shape, which JSON's bound covers. */
static unsigned
add_list(struct filling *f, const struct json_in *list, struct npu_err *err)
{
	unsigned status = 0;

	for (size_t i = 0; i < json_in_length(list) && status == 0; i++) {
		const struct json_in *v = json_in_at(list, i);

		status = json_in_kind(v) == IN_LIST ? add_list(f, v, err) :
		    add_value(f, v, err);
	}
	return status;
}

/* Floats at p become elements. */
static unsigned
quantise(const struct npu_tensor *t, const void *p, struct buf *out,
    struct npu_err *err)
{
	size_t n = (size_t)npu_tensor_count(t);
	void *room = buf_reserve(out, (size_t)t->size);

	if (room == NULL)
		return refuse(HTTP_UNAVAILABLE, err, "out of memory");
	if (npu_quantise(t, p, n, room, false, NULL, err) < 0)
		return HTTP_BAD_REQUEST;
	out->n += (size_t)t->size;
	return 0;
}

static unsigned
check_count(uint64_t have, uint64_t want, const char *what,
    struct npu_err *err)
{
	if (have == want)
		return 0;
	return refuse(HTTP_BAD_REQUEST, err, "data has %" PRIu64 " %s, and "
	    "the model's input %" PRIu64, have, what, want);
}

unsigned
oip_read_list(const struct json_in *data, const struct npu_tensor *t,
    bool real, struct buf *out, struct npu_err *err)
{
	struct buf floats = { 0 };
	struct filling f = { .t = t, .real = real, .out = real ? &floats : out,
	    .most = npu_tensor_count(t) };
	unsigned status;

	if (json_in_kind(data) != IN_LIST)
		return refuse(HTTP_BAD_REQUEST, err, "data: %s, not a list",
		    json_in_kind_name(data));
	status = add_list(&f, data, err);
	if (status == 0)
		status = check_count(f.n, f.most, "elements", err);
	if (status == 0 && f.out->failed)
		status = refuse(HTTP_UNAVAILABLE, err, "out of memory");
	if (status == 0 && real)
		status = quantise(t, floats.p, out, err);
	buf_free(&floats);
	return status;
}

unsigned
oip_read_bytes(struct bytes data, const struct npu_tensor *t, bool real,
    struct buf *out, struct npu_err *err)
{
	uint64_t want = real ? npu_tensor_count(t) * sizeof(float) : t->size;
	unsigned status = check_count(data.n, want, "bytes", err);
	float *x;

	if (status != 0)
		return status;
	if (!real) {
		buf_add(out, data.p, data.n);
		return 0;
	}
	/* The bytes need not be aligned. */
	if ((x = malloc(data.n)) == NULL)
		return refuse(HTTP_UNAVAILABLE, err, "out of memory");
	memcpy(x, data.p, data.n);
	status = quantise(t, x, out, err);
	free(x);
	return status;
}

/* ---- Writing ----------------------------------------------------------- */

static void
write_integer(struct json *j, uint32_t dtype, const uint8_t *p, size_t size)
{
	uint64_t v = 0;
	unsigned unused = 64 - (unsigned)size * 8;

	memcpy(&v, p, size);
	if (is_signed(dtype))
		json_int(j, (int64_t)(v << unused) >> unused);
	else
		json_uint(j, v);
}

/* The elements as floats, which the caller frees; NULL with *err. */
static float *
as_floats(const struct npu_tensor *t, const uint8_t *p, bool real,
    struct npu_err *err)
{
	struct npu_tensor plain = *t;
	size_t n = (size_t)npu_tensor_count(t);
	float *x = malloc((n + 1) * sizeof(*x));

	if (x == NULL) {
		npu_fail(err, NPU_ESYSTEM, "out of memory");
		return NULL;
	}
	if (!real) {
		plain.scale = 1;
		plain.zero_point = 0;
	}
	if (npu_dequantise(&plain, p, n, x, err) == 0)
		return x;
	free(x);
	return NULL;
}

unsigned
oip_write_list(struct json *j, const struct npu_tensor *t, const uint8_t *p,
    bool real, struct npu_err *err)
{
	const size_t n = (size_t)npu_tensor_count(t);
	const size_t size = npu_dtype_size(t->dtype);
	float *x = NULL;

	if ((real || npu_dtype_is_float(t->dtype)) &&
	    (x = as_floats(t, p, real, err)) == NULL)
		return HTTP_FAILED;
	json_array(j);
	for (size_t i = 0; i < n; i++)
		if (x != NULL)
			json_float(j, x[i]);
		else
			write_integer(j, t->dtype, p + i * size, size);
	json_end_array(j);
	free(x);
	return 0;
}

unsigned
oip_write_bytes(struct buf *out, const struct npu_tensor *t, const uint8_t *p,
    bool real, struct npu_err *err)
{
	float *x;

	if (!real) {
		buf_add(out, p, (size_t)t->size);
		return 0;
	}
	if ((x = as_floats(t, p, true, err)) == NULL)
		return HTTP_FAILED;
	buf_add(out, x, (size_t)npu_tensor_count(t) * sizeof(*x));
	free(x);
	return 0;
}
