// SPDX-License-Identifier: Apache-2.0
/*
 * npu-bench's options, one word on each line: a usage error, or a plan whose
 * numbers are within the documented ranges.
 */
#include "dies.h"
#include "npu-bench/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = {
	.name = "npu-bench", .synopsis = "", .examples = "", .help = "",
	.options = options_table,
};

static void
check(const struct npu_bench_options *o)
{
	const struct bench_plan *p = &o->plan;

	if (p->percentiles > BENCH_PERCENTILES || o->sides > 2 ||
	    o->gate.metrics.n > BASELINE_METRICS || o->processes < 1 ||
	    o->sweep.n < 1 || o->sweep.configs < 1)
		abort();
	for (unsigned i = 0; i < o->sweep.n; i++)
		if (o->sweep.entry[i].load.inflight < 1 ||
		    o->sweep.entry[i].config >= o->sweep.configs)
			abort();
	if (p->rate != 0 && !(p->rate >= 1e-6 && p->rate <= 1e6))
		abort();
}

static void
take(void *text)
{
	static struct npu_bench_options o;
	char *argv[DIES_WORDS + 2];
	int argc = dies_words(text, argv);

	optind = 0;		/* getopt_long() starts again */
	options_read(&o, argc, argv);
	check(&o);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text = dies_text(p, n);

	dies(take, text);
	free(text);
	return 0;
}
