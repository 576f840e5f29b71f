// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "reference.h"
#include "tensors/diff.h"
#include "tensors/stream.h"

/*
 * Whether the stream's tensor fits the output *own; *t is how to read it.  A
 * .npy file of that type is read with its scale, as raw bytes are.
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

/* n elements of both, as real numbers. */
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

static int
add_frame(struct diff_sums *sums, struct stream *s, const struct npu *npu,
    const uint8_t *out, struct npu_err *err)
{
	uint32_t n = npu_outputs(npu);
	int rc;

	stream_frames(s, npu_output(npu, 0), (uint16_t)n);
	for (uint32_t i = 0; i < n; i++) {
		rc = s->kind == STREAM_EMPTY ? 0 : stream_next(s, err);
		if (rc == 0)
			return npu_fail(err, NPU_EFORMAT, "ends after %" PRIu32
			    " of %" PRIu32 " outputs", i, n);
		if (rc < 0)
			return rc;
		if (s->kind == STREAM_LABELLED && s->label.count != n)
			return npu_fail(err, NPU_EFORMAT, "frames have %u "
			    "tensors, and the model %" PRIu32 " outputs",
			    s->label.count, n);
		if ((rc = add_tensor(sums, s, npu_output(npu, i), out,
		    err)) < 0)
			return rc;
		out += npu_output(npu, i)->size;
	}
	if ((rc = stream_next(s, err)) > 0)
		return npu_fail(err, NPU_EFORMAT, "goes on after %" PRIu32
		    " outputs, which are all of a frame", n);
	return rc;
}

static int
check_tolerance(const struct bench_plan *plan, const double m[DIFF_MEASURES],
    struct npu_err *err)
{
	if (plan->tol == NULL || tolerance_met(plan->tol, m))
		return 0;
	npu_fail(err, NPU_EDEVICE, "%s: the model answers otherwise: max %.7g, "
	    "rms %.7g, cos %.9g, sqnr %.4g dB, beyond tolerance", plan->ref,
	    m[DIFF_MAX], m[DIFF_RMS], m[DIFF_COS], m[DIFF_SQNR]);
	return EXIT_VERDICT;
}

int
reference_compare(const struct npu *npu, const void *out,
    const struct bench_plan *plan, struct bench_run *r, struct npu_err *err)
{
	struct diff_sums sums = { 0 };
	double m[DIFF_MEASURES];
	struct stream s;
	int rc;

	if ((rc = stream_try_open(&s, plan->ref, err)) < 0)
		return npu_prefix(err, rc, "%s", plan->ref);
	rc = add_frame(&sums, &s, npu, out, err);
	stream_close(&s);
	if (rc < 0)
		return npu_prefix(err, rc, "%s", plan->ref);
	diff_measure(&sums, m);
	r->outputs.ref_cos = m[DIFF_COS];
	r->outputs.ref_max = m[DIFF_MAX];
	return check_tolerance(plan, m, err);
}
