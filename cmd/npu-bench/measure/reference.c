// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <sys/stat.h>

#include "base/err.h"
#include "reference.h"
#include "tensors/expected.h"

static int
add_frame(struct diff_sums *sums, struct stream *s, const struct npu *npu,
    const uint8_t *out, struct npu_err *err)
{
	uint32_t n = npu_outputs(npu);
	int rc;

	for (uint32_t i = 0; i < n; i++) {
		if ((rc = expected_add(s, npu, i, out, sums, err)) < 0)
			return rc;
		out += npu_output(npu, i)->size;
	}
	if ((rc = stream_next(s, err)) > 0)
		return npu_fail(err, NPU_EFORMAT, "goes on after %" PRIu32
		    " outputs, which are all of a frame", n);
	return rc;
}

static int
check_tolerance(const struct bench_plan *plan, const struct diff_sums *sums,
    struct npu_err *err)
{
	char text[DIFF_TEXT];

	if (plan->tol == NULL || tolerance_met(plan->tol, sums))
		return 0;
	diff_text(sums, text);
	npu_fail(err, NPU_EDEVICE, "%s: the model answers otherwise: %s, "
	    "beyond tolerance", plan->ref, text);
	return EXIT_VERDICT;
}

/* Reads the frame of the file with which out is compared. */
static int
read_file(struct diff_sums *sums, const struct npu *npu, const void *out,
    const char *file, struct npu_err *err)
{
	struct stream s;
	int rc;

	if ((rc = stream_try_open(&s, file, err)) < 0)
		return npu_prefix(err, rc, "%s", file);
	rc = add_frame(sums, &s, npu, out, err);
	stream_close(&s);
	return rc < 0 ? npu_prefix(err, rc, "%s", file) : 0;
}

int
reference_check(const struct npu *npu, const void *out, const char *file,
    struct npu_err *err)
{
	struct diff_sums sums = { 0 };
	struct stat st;

	if (stat(file, &st) == 0 && !S_ISREG(st.st_mode))
		return 0;
	return read_file(&sums, npu, out, file, err);
}

int
reference_compare(const struct npu *npu, const void *out,
    const struct bench_plan *plan, struct bench_run *r, struct npu_err *err)
{
	struct diff_sums sums = { 0 };
	double m[DIFF_MEASURES];
	int rc;

	if ((rc = read_file(&sums, npu, out, plan->ref, err)) < 0)
		return rc;
	diff_measure(&sums, m);
	r->outputs.ref_cos = m[DIFF_COS];
	r->outputs.ref_max = m[DIFF_MAX];
	return check_tolerance(plan, &sums, err);
}
