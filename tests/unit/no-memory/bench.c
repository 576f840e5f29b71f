// SPDX-License-Identifier: Apache-2.0
/* Writes JUnit's XML for verdicts without memory: the XML is complete, or an
 * error is reported. */
#include "base/err.h"
#include "unit/npu-bench/made_runs.h"
#include "nomem.h"

const struct program program = { .name = "nomem_bench" };

static struct buf whole;

static int
writes(struct npu_err *err)
{
	struct buf b = { 0 };
	int rc = 0;

	bench_junit(&b, &bench, UNSURE_FAIL, NULL);
	if (b.failed)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	else if (b.n != whole.n || memcmp(b.p, whole.p, b.n) != 0)
		rc = NOMEM_WRONG;
	buf_free(&b);
	return rc;
}

int
main(void)
{
	struct bench_gate g = gate(NULL);

	pairs(3, 9, 10, SAMPLES);
	bench_gate_judge(&g, &bench);
	bench_junit(&whole, &bench, UNSURE_FAIL, NULL);
	ok(!whole.failed && memmem(whole.p, whole.n, "infer p50 +11.1%", 16) !=
	    NULL, "with enough memory, the XML has the verdict");
	nomem("writing verdicts as XML", writes);
	buf_free(&whole);
	begin();
	return done();
}
