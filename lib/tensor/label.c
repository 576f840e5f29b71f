// SPDX-License-Identifier: Apache-2.0
/* The 64 bytes before a tensor's payload: npu-tensor(5). */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "tensor/tensor.h"

enum {			/* offsets */
	AT_DTYPE = 8,
	AT_NDIM = 12,
	AT_DIM = 16,
	AT_SCALE = 40,
	AT_ZERO = 44,
	AT_BYTES = 48,
	AT_INDEX = 56,
	AT_COUNT = 58,
	AT_RESERVED = 60,
};

uint64_t
tensor_bytes(uint32_t dtype, uint64_t elements)
{
	switch (dtype) {
	case NPU_U4C:
	case NPU_S4C:
		return elements / 2 + elements % 2;
	case NPU_U12C:
	case NPU_S12C:
		return elements + elements / 2 + elements % 2;
	}
	return elements * npu_dtype_size(dtype);
}

int
tensor_elements(const struct npu_tensor *t, uint64_t *elements,
    struct npu_err *err)
{
	uint64_t n = 1;

	if (t->ndim > NPU_MAX_DIMS)
		return npu_fail(err, NPU_EUSAGE, "%" PRIu32 " dimensions; at "
		    "most %d are possible", t->ndim, NPU_MAX_DIMS);
	for (uint32_t i = 0; i < NPU_MAX_DIMS; i++) {
		if (i >= t->ndim && t->dim[i] != 0)
			return npu_fail(err, NPU_EUSAGE, "dimension %" PRIu32
			    " of %" PRIu32 " is %" PRIu32 ", but unused ones "
			    "must be 0", i, t->ndim, t->dim[i]);
		if (i >= t->ndim)
			continue;
		if (t->dim[i] == 0)
			return npu_fail(err, NPU_EUSAGE,
			    "dimension %" PRIu32 " is 0", i);
		if (t->dim[i] > NPU_MAX_PAYLOAD * 2 / n)
			return npu_fail(err, NPU_EUSAGE, "the shape has more "
			    "elements than 2^40 bytes can hold");
		n *= t->dim[i];
	}
	*elements = n;
	return 0;
}

/* Checks t->size against shape and type. */
static int
check_size(const struct npu_tensor *t, struct npu_err *err)
{
	size_t each = npu_dtype_size(t->dtype);
	uint64_t n, want;
	int rc;

	if ((rc = tensor_elements(t, &n, err)) < 0)
		return rc;
	if (t->size == 0 || t->size > NPU_MAX_PAYLOAD)
		return npu_fail(err, NPU_EUSAGE, "%" PRIu64 " bytes of "
		    "payload; it has from 1 to 2^40", t->size);
	if (npu_dtype_name(t->dtype) == NULL && t->ndim != 0)
		return npu_fail(err, NPU_EUSAGE, "type 0x%" PRIx32 " is not "
		    "known, so it can have no shape", t->dtype);
	if (t->ndim == 0 && each != 0 && t->size % each != 0)
		return npu_fail(err, NPU_EUSAGE, "%" PRIu64 " bytes, not a "
		    "whole number of %s", t->size, npu_dtype_name(t->dtype));
	want = tensor_bytes(t->dtype, n);
	if (t->ndim != 0 && t->size != want)
		return npu_fail(err, NPU_EUSAGE, "%" PRIu64 " bytes of "
		    "payload, but shape and type say %" PRIu64, t->size, want);
	return 0;
}

int
tensor_check(const struct npu_tensor *t, struct npu_err *err)
{
	int rc;

	if ((rc = check_size(t, err)) < 0)
		return rc;
	if (!isfinite(t->scale) || t->scale <= 0)
		return npu_fail(err, NPU_EUSAGE, "scale is %g, but must be a "
		    "number above 0", (double)t->scale);
	return 0;
}

static int
check_label(const struct npu_label *l, struct npu_err *err)
{
	int rc;

	if ((rc = tensor_check(&l->tensor, err)) < 0)
		return rc;
	if (l->index >= l->count)
		return npu_fail(err, NPU_EUSAGE, "tensor %u of %u; the first "
		    "is 0", l->index, l->count);
	return 0;
}

int
npu_label_encode(const struct npu_label *l, uint8_t out[NPU_LABEL_SIZE],
    struct npu_err *err)
{
	struct npu_label c;
	int rc;

	if ((rc = npu_need(l, "npu_label_encode(): l", err)) < 0 ||
	    (rc = npu_need(out, "npu_label_encode(): out", err)) < 0)
		return rc;
	c = *l;
	if (c.tensor.scale == 0)
		c.tensor.scale = 1;
	if ((rc = check_label(&c, err)) < 0)
		return npu_prefix(err, rc, "label");
	memset(out, 0, NPU_LABEL_SIZE);
	memcpy(out, NPU_LABEL_MAGIC, 8);
	memcpy(out + AT_DTYPE, &c.tensor.dtype, 4);
	memcpy(out + AT_NDIM, &c.tensor.ndim, 4);
	memcpy(out + AT_DIM, c.tensor.dim, 4 * NPU_MAX_DIMS);
	memcpy(out + AT_SCALE, &c.tensor.scale, 4);
	memcpy(out + AT_ZERO, &c.tensor.zero_point, 4);
	memcpy(out + AT_BYTES, &c.tensor.size, 8);
	memcpy(out + AT_INDEX, &c.index, 2);
	memcpy(out + AT_COUNT, &c.count, 2);
	return 0;
}

int
npu_label_decode(const uint8_t in[NPU_LABEL_SIZE], struct npu_label *l,
    struct npu_err *err)
{
	struct npu_label d = { 0 };
	uint32_t reserved;
	int rc;

	if ((rc = npu_need(in, "npu_label_decode(): in", err)) < 0 ||
	    (rc = npu_need(l, "npu_label_decode(): l", err)) < 0)
		return rc;
	if (memcmp(in, NPU_LABEL_MAGIC, 8) != 0)
		return npu_fail(err, NPU_EFORMAT, "label: does not begin with "
		    "\"%s\"", NPU_LABEL_MAGIC);
	memcpy(&d.tensor.dtype, in + AT_DTYPE, 4);
	memcpy(&d.tensor.ndim, in + AT_NDIM, 4);
	memcpy(d.tensor.dim, in + AT_DIM, 4 * NPU_MAX_DIMS);
	memcpy(&d.tensor.scale, in + AT_SCALE, 4);
	memcpy(&d.tensor.zero_point, in + AT_ZERO, 4);
	memcpy(&d.tensor.size, in + AT_BYTES, 8);
	memcpy(&d.index, in + AT_INDEX, 2);
	memcpy(&d.count, in + AT_COUNT, 2);
	memcpy(&reserved, in + AT_RESERVED, 4);
	if (reserved != 0)
		return npu_fail(err, NPU_EFORMAT, "label: its last 4 bytes are "
		    "0x%" PRIx32 ", but must be 0 in this version", reserved);
	if (check_label(&d, err) < 0) {
		if (err != NULL)
			err->code = NPU_EFORMAT;
		return npu_prefix(err, NPU_EFORMAT, "label");
	}
	*l = d;
	return 0;
}
