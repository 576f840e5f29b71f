// SPDX-License-Identifier: Apache-2.0
/* reader_tensor.c - reads vectors from labelled tensors and arrays. */
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "reader_impl.h"
#include "tensor/npy.h"

/* Checks a tensor, and counts its vectors and the numbers in each. */
static int
check_tensor(const struct npu_label *l, uint64_t *rows, uint32_t *dim,
    struct npu_err *err)
{
	const struct npu_tensor *t = &l->tensor;
	const char *name = npu_dtype_name(t->dtype);
	uint64_t n = t->size / sizeof(float);

	if (l->count != 1)
		return npu_fail(err, NPU_EFORMAT, "%u tensors a frame; choose "
		    "one with npu-tensor --tensor", l->count);
	if (t->dtype != NPU_F32)
		return npu_fail(err, NPU_EFORMAT, "it is %s, and vectors are "
		    "f32; npu-dequant makes it so", name != NULL ? name :
		    "of an unknown type");
	if (t->ndim > 2)
		return npu_fail(err, NPU_EFORMAT, "%u dimensions; [D] is a "
		    "vector and [N,D] are N", t->ndim);
	*rows = t->ndim == 2 ? t->dim[0] : 1;
	n /= *rows;
	if (n < 1 || n > INDEX_MAX_DIM)
		return npu_fail(err, NPU_EFORMAT, "vectors of %" PRIu64
		    " numbers; 1 to %d are possible", n, INDEX_MAX_DIM);
	*dim = (uint32_t)n;
	return 0;
}

/* ---- In memory --------------------------------------------------------- */

/* Returns the next n bytes of the file. */
static int
part(struct vector_reader *v, uint64_t n, const char *what, struct bytes *b,
    struct npu_err *err)
{
	if (bytes_sub(v->file, v->at, n, b)) {
		v->at += (size_t)n;
		return 0;
	}
	return npu_fail(err, NPU_EFORMAT, "the %s ends after %zu of %" PRIu64
	    " bytes", what, v->file.n - v->at, n);
}

static int
label_at(struct vector_reader *v, struct npu_label *l, struct npu_err *err)
{
	struct bytes b = { 0 };
	int rc;

	if ((rc = part(v, NPU_LABEL_SIZE, "label", &b, err)) < 0)
		return rc;
	memcpy(v->label, b.p, sizeof(v->label));
	return npu_label_decode(v->label, l, err);
}

/* Reads the next tensor if it is complete and its label equals the previous
 * label, byte for byte: such a label needs no second check. */
static bool
like_before(struct vector_reader *v)
{
	struct bytes label, payload;

	if (v->form == VECTORS_NPY || v->each == 0 ||
	    !bytes_sub(v->file, v->at, NPU_LABEL_SIZE, &label) ||
	    memcmp(label.p, v->label, sizeof(v->label)) != 0 ||
	    !bytes_sub(v->file, v->at + NPU_LABEL_SIZE,
	    v->s.label.tensor.size, &payload))
		return false;
	v->at += NPU_LABEL_SIZE + payload.n;
	v->payload = payload.p;
	v->rows = v->each;
	return true;
}

static int
npy_at(struct vector_reader *v, struct npu_label *l, struct npu_err *err)
{
	struct bytes b = { 0 };
	size_t size;
	int rc;

	if ((rc = part(v, NPY_PREAMBLE, "npy header", &b, err)) < 0)
		return rc;
	if (memcmp(b.p, NPY_MAGIC, NPY_MAGIC_SIZE) != 0)
		return npu_fail(err, NPU_EFORMAT, "no npy header where one "
		    "must be, at byte %zu", v->at - NPY_PREAMBLE);
	if ((rc = npy_head_size(b.p, &size, err)) < 0)
		return rc;
	v->at -= NPY_PREAMBLE;
	if ((rc = part(v, size, "npy header", &b, err)) < 0)
		return rc;
	l->index = 0;
	l->count = 1;
	return npy_decode(b, &l->tensor, err);
}

/* Moves to the next tensor.  Returns 1, or 0 at the end. */
static int
tensor_at(struct vector_reader *v, struct npu_label *l, struct npu_err *err)
{
	struct bytes payload = { 0 };
	int rc;

	if (v->at == v->file.n)
		return 0;
	rc = v->form == VECTORS_NPY ? npy_at(v, l, err) : label_at(v, l, err);
	if (rc < 0 || (rc = part(v, l->tensor.size, "payload", &payload,
	    err)) < 0)
		return rc;
	v->payload = payload.p;
	return 1;
}

/* ---- In memory or streaming -------------------------------------------- */

/* Moves to the next tensor.  Returns 1, or 0 at the end. */
static int
next_tensor(struct vector_reader *v, struct npu_err *err)
{
	uint32_t dim = 0;
	int rc;

	if (v->in_memory) {
		v->unit++;
		if (like_before(v))
			return 1;
		v->each = 0;
		rc = tensor_at(v, &v->s.label, err);
	} else {
		/* The messages of stream_next() name the frame. */
		if ((rc = stream_next(&v->s, err)) <= 0)
			return rc;
		v->unit = v->s.frame;
	}
	if (rc > 0 && check_tensor(&v->s.label, &v->rows, &dim, err) < 0)
		rc = NPU_EFORMAT;
	if (rc > 0 && v->dim != 0 && v->dim != dim)
		rc = npu_fail(err, NPU_EFORMAT, "vectors of %u numbers, those "
		    "before have %u", dim, v->dim);
	if (rc < 0)
		return npu_prefix(err, rc, "frame %" PRIu64, v->unit);
	if (rc > 0) {
		v->dim = dim;
		v->each = v->rows;
	}
	return rc;
}

/* True if next_tensor() has read an array without vectors. */
static bool
has_no_rows(const struct vector_reader *v, int rc, const struct npu_err *err)
{
	return rc == NPU_EFORMAT && err->detail == NPY_NO_ROWS &&
	    v->form == VECTORS_NPY;
}

/*
 * Returns memory for one vector, allocated once the first vector has arrived.
 */
static float *
room(struct vector_reader *v)
{
	if (v->row == NULL)
		v->row = cmd_alloc(v->dim * sizeof(*v->row));
	return v->row;
}

int
vector_reader_next_of_tensors(struct vector_reader *v, struct vector *row,
    struct npu_err *err)
{
	struct npu_err why;
	size_t size;
	int64_t n;
	int rc;

	while (v->rows == 0) {
		if ((rc = next_tensor(v, &why)) > 0 ||
		    has_no_rows(v, rc, &why))
			continue;
		if (rc < 0 && err != NULL)
			*err = why;
		return rc;
	}
	size = v->dim * sizeof(float);
	*row = v->like;
	row->dim = v->dim;
	if (v->in_memory)
		mapped_file_reach(&v->window, (size_t)(v->payload - v->file.p),
		    size);
	if (!v->in_memory) {
		row->x = room(v);
		if ((n = stream_read(&v->s, v->row, size, err)) < 0)
			return (int)n;
	} else if ((uintptr_t)v->payload % sizeof(float) == 0) {
		row->x = (const void *)v->payload;
		v->payload += size;
	} else {
		row->x = memcpy(room(v), v->payload, size);
		v->payload += size;
	}
	v->rows--;
	return 1;
}
