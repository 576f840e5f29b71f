// SPDX-License-Identifier: Apache-2.0
/*
 * A saved document of npu-bench: in an accepted document, texts are terminated
 * and numbers are unknown or finite, and reading it again gives the same
 * results.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "npu-bench/gate/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const struct bench_metrics metrics = { { { "infer", "p50" },
    { "e2e", "p99.9_ucb" }, { "throughput", "" } }, 3 };

#define ENDS(text) (memchr(text, '\0', sizeof(text)) != NULL)

static void
check(const struct bench_point *p)
{
	if (strlen(p->model) >= PATH_MAX || strlen(p->sha256) != 64 ||
	    p->scenario >= SCENARIOS || p->inflight == 0 || p->side != 0 ||
	    !(p->rate >= 0 && p->rate <= 1e9))
		abort();
	for (unsigned i = 0; i < metrics.n; i++)
		if (!isnan(p->value[i]) &&
		    !(p->value[i] >= 0 && p->value[i] <= 1e12))
			abort();
}

/* Returns whether two points are equal. */
static bool
same(struct bench_point a, struct bench_point b)
{
	bool model = strcmp(a.model, b.model) == 0;

	a.model = b.model = NULL;
	return model && memcmp(&a, &b, sizeof(a)) == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct bench_points a = { 0 }, b = { 0 };
	struct npu_err err = { 0 };

	if (baseline_read((struct bytes){ p, n }, &metrics, &a, &err) < 0) {
		if (*err.msg == '\0' || a.point != NULL)
			abort();
		return 0;
	}
	if (!ENDS(a.environment.board) || !ENDS(a.environment.driver) ||
	    !ENDS(a.environment.library) || !ENDS(a.environment.governor))
		abort();
	for (size_t i = 0; i < a.n; i++)
		check(&a.point[i]);
	if (baseline_read((struct bytes){ p, n }, &metrics, &b, NULL) < 0 ||
	    b.n != a.n || memcmp(&a.environment, &b.environment,
	    sizeof(a.environment)) != 0)
		abort();
	for (size_t i = 0; i < a.n; i++)
		if (!same(a.point[i], b.point[i]))
			abort();
	baseline_free(&a);
	baseline_free(&b);
	return 0;
}
