// SPDX-License-Identifier: Apache-2.0
#include "exit_status.h"
#include "npu-bench/report/report.h"
#include "npu-bench/report/run_groups.h"

/* Returns EXIT_VERDICT if the output of any run breaks --tol. */
static int
ref_status(const struct bench *b)
{
	for (unsigned i = 0; i < b->runs; i++) {
		if (b->run[i]->rc != EXIT_VERDICT)
			continue;
		cmd_warn("%s", b->run[i]->message);
		return EXIT_VERDICT;
	}
	return EXIT_DONE;
}

/* Returns EXIT_DONE if r kept the bound, or found a rate that does;
 * EXIT_NOVERDICT if it has too few samples to decide. */
static int
kept_bound(const struct bench_plan *p, struct bench_run *r)
{
	int kept;

	if (r->search.n > 0)
		return r->search.none ? EXIT_VERDICT :
		    r->search.low > 0 ? EXIT_DONE : EXIT_NOVERDICT;
	kept = bench_bound_kept(r, p);
	return kept < 0 ? EXIT_NOVERDICT : kept ? EXIT_DONE : EXIT_VERDICT;
}

static int
bound_status(const struct bench *b)
{
	int status = EXIT_DONE, one;

	for (unsigned i = 0; i < b->runs; i++) {
		struct bench_run *r = b->run[i];

		if (r->rc != 0 || r->load.scenario != SERVER ||
		    b->plan->bound_ns == 0)
			continue;
		one = kept_bound(b->plan, r);
		if (status != EXIT_VERDICT && one != EXIT_DONE)
			status = one;
	}
	return status;
}

const char *
bound_failure(const struct bench *b)
{
	return bound_status(b) == EXIT_VERDICT ? "--bound was not kept" : NULL;
}

static int
warning_status(const struct npu_bench_options *o, const struct bench *b,
    const struct bench_stats *s)
{
	if (!o->strict || bench_warnings(b, s) == 0)
		return EXIT_DONE;
	cmd_warn("--strict: there are warnings");
	return EXIT_NOVERDICT;
}

/* Returns the first status that is not EXIT_DONE, but EXIT_VERDICT before any
 * other. */
int
exit_status(const struct npu_bench_options *o, const struct bench *b,
    const struct bench_stats *s, const struct rounds_result *result)
{
	const int all[] = {
		ref_status(b),
		bound_status(b),
		result->status == 0 && bench_has_gate(&o->gate) ?
		    bench_gate_status(&o->gate, b) : EXIT_DONE,
		result->status == 0 ? warning_status(o, b, s) : EXIT_DONE,
	};
	int status = EXIT_DONE;

	if (result->status != 0)
		return result->status;
	if (bound_failure(b) != NULL)
		cmd_warn("%s", bound_failure(b));
	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i] == EXIT_VERDICT ||
		    (all[i] != EXIT_DONE && status == EXIT_DONE))
			status = all[i];
	return status;
}
