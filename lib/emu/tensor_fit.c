// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "emu/tensor_fit.h"

/* ---- Fitting ---------------------------------------------------------- */

static bool
is_integer(const struct npu_tensor *t)
{
	return t->dtype >= NPU_U8 && t->dtype <= NPU_S64 &&
	    t->scale == 1 && t->zero_point == 0;
}

/* Sets *n to the product of the known dimensions and *open to the number of
 * unknown dimensions.  Returns false if there are more elements than a
 * descriptor can have. */
static bool
known_elements(const struct ort_tensor *t, uint64_t *n, unsigned *open)
{
	*n = 1;
	*open = 0;
	for (size_t i = 0; i < t->ndim; i++) {
		if (t->dim[i] < 0) {
			++*open;
			continue;
		}
		if (t->dim[i] > UINT32_MAX ||
		    (*n *= (uint64_t)t->dim[i]) > UINT32_MAX)
			return false;
	}
	return true;
}

/* Takes unknown dimensions from the descriptor.  Returns false if the
 * descriptor does not have the twin's known dimensions. */
static bool
take_dims(struct tensor_fit *f, const struct ort_tensor *t)
{
	if (t->ndim == 0 || t->ndim != f->desc.ndim)
		return false;
	for (size_t i = 0; i < t->ndim; i++)
		if (t->dim[i] >= 0 && t->dim[i] != f->desc.dim[i])
			return false;
	for (size_t i = 0; i < t->ndim; i++)
		f->dim[i] = f->desc.dim[i];
	return true;
}

/* Fits the shape.  One unknown dimension, such as the batch, follows from the
 * number of elements.  More are an error if the descriptor does not have
 * them. */
static int
fit_shape(struct tensor_fit *f, const struct ort_tensor *t, bool closed,
    noe_status_t *status, struct npu_err *err)
{
	unsigned open;
	uint64_t n;

	*status = NOE_STATUS_ERROR_INVALID_SIZE;
	f->ndim = t->ndim;
	memcpy(f->dim, t->dim, sizeof(f->dim));
	if (take_dims(f, t))
		return 0;
	if (!known_elements(t, &n, &open))
		return npu_fail(err, NPU_EUSAGE,
		    "the twin's '%s' is larger than any tensor", t->name);
	if (open == 0 && n != f->count)
		return npu_fail(err, NPU_EUSAGE, "%zu elements, but %" PRIu64
		    " in the twin's '%s'", f->count, n, t->name);
	if (open > 1 && closed)
		return npu_fail(err, NPU_EUSAGE, "the twin's '%s' leaves %u "
		    "dimensions open, and the NPU needs them fixed; fix them "
		    "in the ONNX file", t->name, open);
	if (open == 1 && (n == 0 || f->count % n != 0))
		return npu_fail(err, NPU_EUSAGE, "%zu elements do not make "
		    "whole rows of the %" PRIu64 " of the twin's '%s'",
		    f->count, n, t->name);
	for (size_t i = 0; i < t->ndim && open == 1; i++)
		if (f->dim[i] < 0)
			f->dim[i] = (int64_t)(f->count / n);
	return 0;
}

int
tensor_fit_init(struct tensor_fit *f, const struct npu_tensor *desc,
    const struct ort_tensor *t, bool closed, noe_status_t *status,
    struct npu_err *err)
{
	memset(f, 0, sizeof(*f));
	f->desc = *desc;
	if (f->desc.scale == 0)
		f->desc.scale = 1;	/* "not quantised" */
	f->twin = (struct npu_tensor){ .dtype = t->dtype, .scale = 1 };
	f->count = npu_tensor_count(desc);
	*status = NOE_STATUS_ERROR_OP_NOT_SUPPORTED;
	if (npu_dtype_size(desc->dtype) == 0)
		return npu_fail(err, NPU_EUSAGE, "the emulator does not "
		    "compute with data type 0x%" PRIx32, desc->dtype);
	if (t->dtype == NPU_NONE)
		return npu_fail(err, NPU_EUSAGE, "the twin's '%s' is not a "
		    "tensor of numbers (ONNX type %d)", t->name,
		    t->onnx_type);
	if (is_integer(&f->desc) && is_integer(&f->twin))
		f->conversion = FIT_INTEGER;
	else
		f->conversion = FIT_REAL;
	if (f->desc.dtype == f->twin.dtype &&
	    (f->conversion == FIT_INTEGER || npu_dtype_is_float(f->desc.dtype)))
		f->conversion = FIT_SAME;
	return fit_shape(f, t, closed, status, err);
}

/* ---- Integers --------------------------------------------------------- */

/* Returns element i of type dtype.  A u64 above the range of s64 becomes the
 * largest s64. */
static int64_t
get_integer(uint32_t dtype, const uint8_t *p, size_t i)
{
	size_t n = npu_dtype_size(dtype);
	bool sign = dtype % 2 == 1;	/* s8, s16 (noe-abi 2.1) */
	uint64_t v = 0;

	memcpy(&v, p + i * n, n);	/* little-endian: npu.h */
	if (sign && n < 8 && (v >> (8 * n - 1)) != 0)
		v |= ~(uint64_t)0 << (8 * n);
	if (!sign && v > INT64_MAX)
		return INT64_MAX;
	return (int64_t)v;
}

static void
put_integer(uint32_t dtype, uint8_t *p, size_t i, int64_t v)
{
	size_t n = npu_dtype_size(dtype);
	bool sign = dtype % 2 == 1;
	int64_t most = INT64_MAX, least = sign ? INT64_MIN : 0;

	if (n < 8) {
		most = ((int64_t)1 << (8 * n - sign)) - 1;
		least = sign ? -most - 1 : 0;
	}
	v = v > most ? most : v < least ? least : v;
	memcpy(p + i * n, &v, n);
}

static void
copy_integers(const struct npu_tensor *from, const void *src,
    const struct npu_tensor *to, void *dst, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_integer(to->dtype, dst, i, get_integer(from->dtype, src,
		    i));
}

/* ---- Converting ------------------------------------------------------- */

static int
convert(const struct tensor_fit *f, const struct npu_tensor *from,
    const void *src, const struct npu_tensor *to, void *dst,
    struct npu_err *err)
{
	float *x = dst;
	int rc;

	if (f->conversion == FIT_INTEGER) {
		copy_integers(from, src, to, dst, f->count);
		return 0;
	}
	if (to->dtype != NPU_F32 &&
	    (x = malloc(f->count * sizeof(*x) + 1)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	rc = npu_dequantise(from, src, f->count, x, err);
	if (rc == 0 && x != dst)
		rc = npu_quantise(to, x, f->count, dst, true, NULL, err);
	if (x != dst)
		free(x);
	return rc;
}

int
tensor_fit_input(const struct tensor_fit *f, void *bytes, struct ort_data *d,
    struct npu_err *err)
{
	d->count = f->count;
	memcpy(d->dim, f->dim, sizeof(d->dim));
	if (f->conversion == FIT_SAME) {
		d->p = bytes;
		return 0;
	}
	d->p = calloc(f->count + 1, npu_dtype_size(f->twin.dtype));
	if (d->p == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return convert(f, &f->desc, bytes, &f->twin, d->p, err);
}

void
tensor_fit_free(const struct tensor_fit *f, struct ort_data *d)
{
	if (f->conversion != FIT_SAME)
		free(d->p);
	d->p = NULL;
}

int
tensor_fit_output(const struct tensor_fit *f, const struct ort_data *d,
    void *bytes, struct npu_err *err)
{
	if (d->count != f->count)
		return npu_fail(err, NPU_EUSAGE, "the twin gave %zu elements, "
		    "and the model has %zu", d->count, f->count);
	if (f->conversion == FIT_SAME) {
		/* 2.0.2 accepts sizes that end within an element. */
		memcpy(bytes, d->p, f->count * npu_dtype_size(f->desc.dtype));
		return 0;
	}
	return convert(f, &f->twin, d->p, &f->desc, bytes, err);
}
