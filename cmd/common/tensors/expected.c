// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "base/err.h"
#include "expected.h"

/*
 * Checks that the stream's tensor fits the output *own, and sets *t to read it.
 * A .npy file of that type is read with its scale, like raw bytes.
 */
static int
check_fit(const struct stream *s, const struct npu_tensor *own,
    struct npu_tensor *t, struct npu_err *err)
{
	char is[200], wants[200];

	*t = s->label.tensor;
	if (npu_tensor_count(t) == npu_tensor_count(own) &&
	    npu_tensor_count(t) > 0) {
		if (s->kind == STREAM_NPY && t->dtype == own->dtype) {
			t->scale = own->scale;
			t->zero_point = own->zero_point;
		}
		return 0;
	}
	npu_tensor_format(t, is, sizeof(is));
	npu_tensor_format(own, wants, sizeof(wants));
	return npu_fail(err, NPU_EFORMAT, "tensor %u: it is %s, and the "
	    "model's output is %s", s->label.index, is, wants);
}

/* Compares n elements of both, as real numbers. */
static int
add_piece(struct diff_sums *sums, const struct npu_tensor *own,
    const uint8_t *out, const struct npu_tensor *t, const uint8_t *ref,
    size_t n, struct npu_err *err)
{
	float x[1024], y[1024];
	int rc;

	if ((rc = npu_dequantise(own, out, n, x, err)) < 0 ||
	    (rc = npu_dequantise(t, ref, n, y, err)) < 0)
		return rc;
	diff_add(sums, x, y, n);
	return 0;
}

static int
add_tensor(struct diff_sums *sums, struct stream *s,
    const struct npu_tensor *own, const uint8_t *out, struct npu_err *err)
{
	uint64_t left = npu_tensor_count(own);
	struct buf b = { 0 };
	struct npu_tensor t;
	const uint8_t *ref;
	size_t n;
	int rc;

	if ((rc = check_fit(s, own, &t, err)) < 0)
		return rc;
	rc = stream_read_all(s, &b, err);
	ref = (const uint8_t *)b.p;
	for (; rc == 0 && left > 0; left -= n) {
		n = left < 1024 ? left : 1024;
		rc = add_piece(sums, own, out, &t, ref, n, err);
		out += n * npu_dtype_size(own->dtype);
		ref += n * npu_dtype_size(t.dtype);
	}
	buf_free(&b);
	return rc;
}

int
expected_add(struct stream *s, const struct npu *npu, uint32_t i,
    const uint8_t *out, struct diff_sums *sums, struct npu_err *err)
{
	uint32_t n = npu_outputs(npu);
	int rc;

	if (i == 0)
		stream_frames(s, npu_output(npu, 0), (uint16_t)n);
	rc = s->kind == STREAM_EMPTY ? 0 : stream_next(s, err);
	if (rc == 0)
		return npu_fail(err, NPU_EFORMAT, "ends after %" PRIu32 " of %"
		    PRIu32 " outputs", i, n);
	if (rc < 0)
		return rc;
	if (s->kind == STREAM_LABELLED && s->label.count != n)
		return npu_fail(err, NPU_EFORMAT, "frames have %u tensors, and "
		    "the model %" PRIu32 " outputs", s->label.count, n);
	return out == NULL ? 0 :
	    add_tensor(sums, s, npu_output(npu, i), out, err);
}
