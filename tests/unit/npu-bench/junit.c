// SPDX-License-Identifier: Apache-2.0
/* Tests the JUnit XML for made-up verdicts. */
#include <math.h>
#include <string.h>

#include "cmd.h"
#include "npu-bench/report/report.h"
#include "tap.h"

const struct program program = { .name = "junit" };

static struct bench_load loads[] = { { "m.cix", SINGLE_STREAM, 1 },
    { "n.cix", SINGLE_STREAM, 1 } };
static struct bench bench = { .load = loads, .loads = 2, .configs = 1,
    .time = 951827696 };	/* 2000-02-29 12:34:56 UTC */

static bool
says(const char *wanted, enum bench_unsure unsure)
{
	struct buf b = { 0 };
	bool same;

	bench_junit(&b, &bench, unsure, NULL);
	same = !b.failed && b.n == strlen(wanted) &&
	    memcmp(b.p, wanted, b.n) == 0;
	if (!same)
		diag("%.*s", (int)b.n, b.p);
	buf_free(&b);
	return same;
}

static struct bench_gated *
add(const char *model, const char *metric, enum bench_verdict verdict)
{
	struct bench_gated *v = &bench.verdicts.gated[bench.verdicts.n++];

	*v = (struct bench_gated){ .inflight = 2, .verdict = verdict,
	    .change = 0.061, .bound = 0.044, .limit = 0.05, .at_least = true,
	    .before = 14.11, .after = 14.97 };
	v->model = model;
	snprintf(v->metric, sizeof(v->metric), "%s", metric);
	return v;
}

#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" \
	"<testsuites name=\"npu-bench\" "
#define STAMP " timestamp=\"2000-02-29T12:34:56Z\">\n"
#define CASE(name, model) \
	"    <testcase name=\"" name "\" classname=\"" model "\""
#define UNSURE "message=\"infer p50 +6.1% (&gt;= +4.4%, limit +5%) " \
	"inconclusive\">14.11 ms before, 14.97 ms after: medians of the runs"

static void
verdicts(void)
{
	struct bench_gated *v;

	bench.verdicts = (struct bench_verdicts){ .verdict = BENCH_REGRESSION };
	add("m.cix", "infer p50", BENCH_UNSURE);
	add("m.cix", "e2e p50", BENCH_PASS)->after = NAN;
	v = add("m.cix", "infer p99 ucb", BENCH_NO_GATE);
	v->change = v->before = v->after = NAN;
	strcpy(v->why, "a run has 130 samples, 662 are needed");
	v = add("n.cix", "throughput", BENCH_REGRESSION);
	v->higher = true;
	v->change = -0.074, v->bound = -0.069, v->limit = -0.0476;
	v->at_least = false;
	v->before = 70.5, v->after = 65.3;
	ok(says(XML "tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\">\n"
	    "  <testsuite name=\"m.cix\" tests=\"3\" failures=\"0\" "
	    "errors=\"0\" skipped=\"2\"" STAMP
	    CASE("infer p50", "m.cix") ">\n      <skipped " UNSURE
	    "</skipped>\n    </testcase>\n"
	    CASE("e2e p50", "m.cix") "/>\n"
	    CASE("infer p99 ucb", "m.cix") ">\n      <skipped message=\"infer "
	    "p99 ucb left out: a run has 130 samples, 662 are needed\">"
	    "</skipped>\n    </testcase>\n"
	    "  </testsuite>\n"
	    "  <testsuite name=\"n.cix\" tests=\"1\" failures=\"1\" "
	    "errors=\"0\" skipped=\"0\"" STAMP
	    CASE("throughput", "n.cix") ">\n      <failure message=\""
	    "throughput -7.4% (&lt;= -6.9%, limit -4.76%) regression\">"
	    "70.5/s before, "
	    "65.3/s after: medians of the runs</failure>\n    </testcase>\n"
	    "  </testsuite>\n"
	    "</testsuites>\n", UNSURE_STATUS),
	    "each model is a suite, and each metric is a test case");
}

static void
errors(void)
{
	bench.verdicts = (struct bench_verdicts){ .verdict = BENCH_UNSURE };
	bench.configs = 2;
	add("m.cix", "infer p50", BENCH_UNSURE);
	strcpy(bench.verdicts.why, "run 1 was cut short");
	ok(says(XML "tests=\"2\" failures=\"0\" errors=\"2\" skipped=\"0\">\n"
	    "  <testsuite name=\"m.cix\" tests=\"2\" failures=\"0\" "
	    "errors=\"2\" skipped=\"0\"" STAMP
	    CASE("infer p50, 2 in flight", "m.cix") ">\n      <error " UNSURE
	    "</error>\n    </testcase>\n"
	    CASE("comparison", "m.cix") ">\n      <error message=\"run 1 was "
	    "cut short\"></error>\n    </testcase>\n"
	    "  </testsuite>\n"
	    "</testsuites>\n", UNSURE_FAIL),
	    "with --on-unsure=fail, inconclusive metrics are errors");
	bench.configs = 1;
	/* Only a metric is inconclusive; the whole comparison has no reason. */
	bench.verdicts.why[0] = '\0';
	ok(says(XML "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">\n"
	    "  <testsuite name=\"m.cix\" tests=\"1\" failures=\"0\" "
	    "errors=\"0\" skipped=\"1\"" STAMP
	    CASE("infer p50", "m.cix") ">\n      <skipped " UNSURE
	    "</skipped>\n    </testcase>\n"
	    "  </testsuite>\n"
	    "</testsuites>\n", UNSURE_STATUS),
	    "an inconclusive metric is a skipped test case");
}

/* Characters that are special in XML or not allowed, and bytes that are not
 * UTF-8. */
#define HOSTILE "a<b>&\"'\t\n\x01\x7f\xff\xc0\xaf\xed\xa0\x80\xef\xbf\xbf" \
	"\xef\xbf\xbe\xc3\xbc.cix"
#define BAD "\xef\xbf\xbd"		/* U+FFFD */
#define SAFE "a&lt;b&gt;&amp;&quot;'&#9;&#10;" BAD "\x7f" BAD BAD BAD \
	BAD BAD BAD BAD BAD "\xc3\xbc.cix"

static void
hostile(void)
{
	bench.verdicts = (struct bench_verdicts){ .verdict = BENCH_UNSURE };
	strcpy(bench.verdicts.why, "board was ]]><!--\x1b[2J, is " HOSTILE);
	loads[0].model = loads[1].model = HOSTILE;
	ok(says(XML "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">\n"
	    "  <testsuite name=\"" SAFE "\" tests=\"1\" failures=\"0\" "
	    "errors=\"0\" skipped=\"1\"" STAMP
	    CASE("comparison", SAFE) ">\n      <skipped message=\"board was "
	    "]]&gt;&lt;!--" BAD "[2J, is " SAFE "\"></skipped>\n"
	    "    </testcase>\n"
	    "  </testsuite>\n"
	    "</testsuites>\n", UNSURE_PASS), "special characters are escaped, "
	    "and bytes that are not UTF-8 replaced");
}

int
main(void)
{
	verdicts();
	errors();
	hostile();
	return done();
}
