// SPDX-License-Identifier: Apache-2.0
/* The gate: verdicts that were calculated by hand, and how often the gate is
 * right for simulated runs, as the reference notes say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/gate.h"
#include "stats/median.h"
#include "stats/poisson.h"
#include "tap.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* One-sided, 95 %, from a table of Student's t. */
#define T2 2.919985580
#define T4 2.131846786

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static const struct gate_rule five = { .regress = 0.05, .metrics = 1 };

/* ---- By hand ---------------------------------------------------------- */

/* The differences are 0.08, 0.10, 0.12: mean 0.1, s 0.02, error 0.02 /
 * sqrt(3). */
static void
pairs(void)
{
	double a[3] = { 10, 20, 40 }, b[3], error = 0.02 / sqrt(3);
	struct gate_result r;
	struct gate_rule rule = five;

	for (int i = 0; i < 3; i++)
		b[i] = a[i] * exp(0.08 + 0.02 * i);
	gate_pairs(a, b, 3, &rule, &r);
	ok(near(r.change, 0.1) && near(r.low, 0.1 - T2 * error) &&
	    near(r.high, 0.1 + T2 * error) && r.df == 2,
	    "pairs have the bounds of Student's t with 2 degrees of freedom");
	ok(near(r.limit, log(1.05)) && r.verdict == GATE_REGRESSION,
	    "a lower bound above the limit is a regression");
	/* The geometric means are 20 and 20 exp(0.1). */
	ok(near(r.delta, 20 * (exp(0.1) - 1)),
	    "the difference is given in the unit of the metric");
	/* Student's t with 2 degrees of freedom at 1 - 0.05 / 4, in closed
	 * form. */
	rule.metrics = 4;
	gate_pairs(a, b, 3, &rule, &r);
	ok(near(r.low, 0.1 - 0.975 / sqrt(2 * 0.9875 * 0.0125) * error) &&
	    r.verdict == GATE_NONE,
	    "for four metrics, the bound is at 1 - 0.05 / 4");
	gate_pairs(b, a, 3, &five, &r);
	ok(near(r.change, -0.1) && r.verdict == GATE_PASS,
	    "a faster side B passes");
}

/*
 * The logarithms are 0, 0.02, 0.04 and 0.10, 0.12, 0.14.  The variances are
 * 0.0004 and the squared errors 0.0004 / 3 each; therefore Welch's formula
 * gives 4 degrees of freedom.
 */
static void
baseline(void)
{
	double a[5] = { 1, exp(0.02), exp(0.04), 0, 0 };
	double b[5] = { exp(0.10), exp(0.12), exp(0.14), exp(0.12),
	    exp(0.12) };
	double error = sqrt(0.0008 / 3), e3 = 0.0004 / 3, e5 = 0.0002 / 5;
	struct gate_result r;

	gate_baseline(a, 3, b, 3, &five, &r);
	ok(near(r.change, 0.1) && near(r.df, 4) &&
	    near(r.low, 0.1 - T4 * error) && near(r.high, 0.1 + T4 * error) &&
	    r.verdict == GATE_REGRESSION,
	    "a baseline has the bounds of Welch's test");
	/* Five runs with the variance 0.0008 / 4 = 0.0002. */
	gate_baseline(a, 3, b, 5, &five, &r);
	ok(near(r.df, (e3 + e5) * (e3 + e5) / (e3 * e3 / 2 + e5 * e5 / 4)),
	    "runs with different variances have Welch's degrees of freedom");
	gate_baseline((double[]){ 2, 2, 2 }, 3, (double[]){ 2.2, 2.2, 2.2 },
	    3, &five, &r);
	ok(r.verdict == GATE_REGRESSION && near(r.low, log(1.1)) &&
	    near(r.high, log(1.1)),
	    "equal runs on each side have the bounds of their difference");
	gate_baseline((double[]){ 1, 1, 1 }, 3, (double[]){ 1, 1, 1 }, 3,
	    &five, &r);
	ok(r.verdict == GATE_PASS && r.df == 4 && r.high == 0,
	    "equal runs on both sides pass");
}

static struct gate_result
level(double before, double after, double regress, double least, bool higher)
{
	double a[3] = { before, before, before };
	double b[3] = { after * 0.999, after, after * 1.001 };
	struct gate_rule rule = { regress, least, 1, higher };
	struct gate_result r;

	gate_pairs(a, b, 3, &rule, &r);
	return r;
}

static void
limits(void)
{
	struct gate_line line;
	struct gate_result r;

	ok(level(1, 1.06, 0.05, 0, false).verdict == GATE_REGRESSION &&
	    level(1, 1.04, 0.05, 0, false).verdict == GATE_PASS &&
	    level(1, 1.05, 0.05, 0, false).verdict == GATE_NONE,
	    "a change above the limit is a regression, below it a pass, at it "
	    "undecided");
	ok(level(1, 1.06, 0.07, 0, false).verdict == GATE_PASS,
	    "a change of 6 %% passes a limit of 7 %%");
	/* 0.02 ms more, and at most 0.022 ms, do not matter, although this is
	 * 20 %. */
	ok(level(0.1, 0.12, 0.05, 0.019, false).verdict == GATE_REGRESSION &&
	    level(0.1, 0.12, 0.05, 0.1, false).verdict == GATE_PASS,
	    "a difference below the floor passes");
	ok(level(0.1, 0.12, 0.05, 0.0201, false).verdict == GATE_NONE,
	    "a difference that may be above the floor does not pass");
	r = level(100, 90, 0.05, 0, true);
	gate_line_of(&r, &line);
	ok(r.verdict == GATE_REGRESSION && near(line.limit, 1 / 1.05 - 1) &&
	    line.change < -0.0999 && line.change > -0.1001 &&
	    line.bound > line.change && line.bound < line.limit &&
	    !line.at_least,
	    "less throughput is a regression and is shown as less");
	ok(level(100, 110, 0.05, 0, true).verdict == GATE_PASS &&
	    level(100, 110, 0.05, 0, false).verdict == GATE_REGRESSION,
	    "more throughput passes, and more time is a regression");
	ok(near(level(100, 90, 0.05, 0, true).delta, 100 - 90 *
	    cbrt(0.999 * 1.001)),
	    "the difference of a throughput has the opposite sign");
	ok(level(100, 90, 0.05, 20, true).verdict == GATE_PASS &&
	    level(100, 90, 0.05, 5, true).verdict == GATE_REGRESSION,
	    "the floor of a throughput is a throughput");
}

static void
lines(void)
{
	struct gate_result r = { GATE_NONE, .change = log(1.061),
	    .low = log(1.044), .high = log(1.078), .limit = log(1.05) };
	struct gate_line line;

	gate_line_of(&r, &line);
	ok(near(line.change, 0.061) && near(line.bound, 0.044) &&
	    near(line.limit, 0.05) && line.at_least,
	    "an undecided change above the limit is shown as +6.1%% (>= "
	    "+4.4%%, limit +5%%)");
	r.change = log(1.04);
	gate_line_of(&r, &line);
	ok(near(line.bound, 0.078) && !line.at_least,
	    "an undecided change below the limit is shown with its upper "
	    "bound");
	r.verdict = GATE_PASS;
	gate_line_of(&r, &line);
	ok(near(line.bound, 0.078) && !line.at_least,
	    "a pass is shown with its upper bound");
	r.verdict = GATE_REGRESSION;
	gate_line_of(&r, &line);
	ok(near(line.bound, 0.044) && line.at_least,
	    "a regression is shown with its lower bound");
}

static void
unsure(void)
{
	double a[3] = { 1, 1.1, 1.2 }, b[3] = { 1.05, 1.3, 1.1 };
	double bad[] = { 0, -1, NAN, INFINITY };
	struct gate_result r;
	char order[9] = "";

	gate_pairs(a, b, 2, &five, &r);
	ok(r.verdict == GATE_NONE && isnan(r.change) && isnan(r.low) &&
	    near(r.limit, log(1.05)), "two pairs give no verdict");
	gate_baseline(a, 2, b, 3, &five, &r);
	ok(r.verdict == GATE_NONE && isnan(r.low),
	    "two stored runs give no verdict");
	for (size_t i = 0; i < COUNT(bad); i++) {
		a[1] = bad[i];
		gate_pairs(a, b, 3, &five, &r);
		if (r.verdict != GATE_NONE || !isnan(r.df))
			break;
		gate_pairs(b, a, 3, &five, &r);
		if (r.verdict != GATE_NONE || !isnan(r.df))
			break;
		gate_baseline(b, 3, a, 3, &five, &r);
		if (r.verdict != GATE_NONE || !isnan(r.df))
			break;
	}
	ok(r.verdict == GATE_NONE && isnan(r.df),
	    "a value of %g gives no verdict",
	    a[1]);
	for (size_t i = 0; i < 8; i++)
		order[i] = "AB"[gate_side(i)];
	ok(strcmp(order, "ABBAABBA") == 0, "the sides alternate as A B B A: %s",
	    order);
}

/* ---- Recorded --------------------------------------------------------- */

/*
 * Five pairs of runs of npu-bench --preset=quick on the emulator, with the
 * times of CLIP's picture model (tests/long/gate), while other programs kept
 * both processors busy.  The times of side B were set to the same times as A,
 * to 8 % longer, and to 2 % longer.  Of 22 ms with the host's time, this is 5.1
 * % and 1.3 %.
 */
static const struct {
	const char *what;
	double a[5], b[5];
	bool higher;
	enum gate_verdict verdict;	/* at 5 %, with three metrics */
} recorded[] = {
	{ "infer p50, the same",
	    { 14.171249, 14.180302, 14.172261, 14.174374, 14.172121 },
	    { 14.176537, 14.174504, 14.176107, 14.175585, 14.173943 },
	    false, GATE_PASS },
	{ "e2e p50, the same",
	    { 21.994228, 22.061468, 22.057962, 22.016842, 22.019095 },
	    { 22.028339, 22.036370, 22.067556, 22.046135, 22.044362 },
	    false, GATE_PASS },
	{ "throughput, the same",
	    { 43.581613, 42.859777, 41.412787, 43.947148, 42.930078 },
	    { 43.711647, 43.369715, 43.469996, 43.587561, 42.659977 },
	    true, GATE_PASS },
	{ "infer p50, 8 % longer",
	    { 14.168395, 14.175695, 14.173152, 14.177559, 14.183346 },
	    { 15.297901, 15.298041, 15.307555, 15.302938, 15.309278 },
	    false, GATE_REGRESSION },
	{ "infer p50, 2 % longer",
	    { 14.178590, 14.174423, 14.168004, 14.172801, 14.170487 },
	    { 14.458044, 14.454930, 14.469061, 14.460368, 14.462200 },
	    false, GATE_PASS },
	{ "e2e p50, 1.3 % longer",
	    { 22.040296, 22.029129, 21.987197, 22.222477, 22.033496 },
	    { 22.314053, 22.302595, 22.486028, 22.363105, 22.567949 },
	    false, GATE_PASS },
	/* Single pairs show from 10 % less to 1 % more. */
	{ "throughput, 1.3 % less",
	    { 43.102275, 44.420246, 44.067833, 41.981208, 40.594777 },
	    { 43.211476, 42.494615, 39.516278, 38.800244, 41.074273 },
	    true, GATE_NONE },
};

static void
records(void)
{
	for (size_t i = 0; i < COUNT(recorded); i++) {
		struct gate_rule rule = { .regress = 0.05, .metrics = 3,
		    .higher = recorded[i].higher };
		struct gate_result r;

		gate_pairs(recorded[i].a, recorded[i].b, 5, &rule, &r);
		if (!ok(r.verdict == recorded[i].verdict,
		    "recorded runs have the right verdict: %s",
		    recorded[i].what))
			diag("from %g to %g, limit %g", r.low, r.high,
			    r.limit);
	}
}

/* ---- Simulated -------------------------------------------------------- */

enum { RUNS = 1000, SAMPLES = 1000, TRIALS = 2000, MOST = 10 };

static uint64_t state = 1;
static double medians[RUNS];

/* Returns a normally distributed number, by the method of Box and Muller, which
 * makes two numbers at a time. */
static double
normal(void)
{
	static double spare = NAN;
	double u, v, r, other = spare;

	spare = NAN;
	if (!isnan(other))
		return other;
	u = ((double)(random_bits(&state) >> 11) + 1) * 0x1p-53;
	v = 6.283185307179586 * 0x1p-53 * (double)(random_bits(&state) >> 11);
	r = sqrt(-2 * log(u));
	spare = r * sin(v);
	return r * cos(v);
}

/*
 * Calculates the medians of simulated runs.  The samples have 3 % jitter, and
 * half of each jitter is taken from the sample before (lag-1 correlation 0.5).
 * One sample in 100 is a spike, 20 % higher.  The gate uses only the median of
 * a run, and the runs are the same for every row; therefore all trials draw
 * from these medians.
 */
static void
simulate_runs(void)
{
	static double x[SAMPLES];

	for (size_t i = 0; i < RUNS; i++) {
		double e = normal();

		for (size_t k = 0; k < SAMPLES; k++) {
			x[k] = 1 + 0.03 * e +
			    (random_bits(&state) % 100 == 0 ? 0.2 : 0);
			e = 0.5 * e + sqrt(0.75) * normal();
		}
		medians[i] = stats_median(x, SAMPLES);
	}
}

/*
 * Returns the level of one run.  The spread between runs is the same before and
 * after a change.  If the spread were relative to the level, 3 pairs would find
 * 8 % in 77.8 % of trials, not in 80 %.
 */
static double
measured(double truth, double between)
{
	return medians[random_bits(&state) % RUNS] * (truth +
	    between * normal());
}

struct row {
	double change, between;	/* true change, sd between runs, % */
	double point;		/* % of single pairs of runs above the limit */
	double gate[3];		/* % of regressions for K = 3, 5, 10 */
};

static const size_t runs[3] = { 3, 5, 10 };

/*
 * The reference is for pairs.  Stored runs have more degrees of freedom, and 3
 * of 3 find 5 % more often.  In 200,000 trials, every rate is also within 1.3
 * points of the reference.
 */
static const struct row table[] = {
	{ 0, 0.5, 0, { 0, 0, 0 } },
	{ 2, 0.5, 10, { 0, 0, 0 } },
	{ 3, 0.5, 51, { 5, 5, 5 } },
	{ 5, 0.5, 100, { 87, 99.7, 100 } },
	{ 0, 1.5, 8, { 0.1, 0, 0 } },
	{ 2, 1.5, 32, { 2, 0.8, 0.1 } },
	{ 5, 1.5, 83, { 29, 52, 84 } },
	{ 8, 1.5, 99, { 80, 99, 100 } },
};

static const struct gate_rule three = { .regress = 0.03, .metrics = 1 };

/* Returns the percentage of trials with k pairs whose verdict is a
 * regression. */
static double
regressions(const struct row *row, size_t k)
{
	double a[MOST], b[MOST];
	struct gate_result r;
	size_t found = 0;

	for (size_t i = 0; i < TRIALS; i++) {
		for (size_t j = 0; j < k; j++) {
			a[j] = measured(1, row->between / 100);
			b[j] = measured(1 + row->change / 100,
			    row->between / 100);
		}
		gate_pairs(a, b, k, &three, &r);
		found += r.verdict == GATE_REGRESSION;
	}
	return 100.0 * (double)found / TRIALS;
}

/* Returns the percentage of pairs of runs whose second run is more than 3 %
 * slower.  There are as many pairs as in the trials with 10. */
static double
points(const struct row *row)
{
	size_t found = 0;

	for (size_t i = 0; i < MOST * TRIALS; i++)
		found += measured(1 + row->change / 100, row->between / 100) >
		    1.03 * measured(1, row->between / 100);
	return 100.0 * (double)found / (MOST * TRIALS);
}

static void
check(const struct row *row, const char *what, double found, double wanted)
{
	ok(fabs(found - wanted) <= 2, "%g%% slower, runs differ by %g%%: %s "
	    "%.1f%%, expected %g%%", row->change, row->between, what, found,
	    wanted);
}

static void
rates(void)
{
	char what[20];

	simulate_runs();
	for (size_t i = 0; i < COUNT(table); i++) {
		const struct row *row = &table[i];

		check(row, "a single pair", points(row), row->point);
		for (size_t k = 0; k < COUNT(runs); k++) {
			snprintf(what, sizeof(what), "%zu pairs", runs[k]);
			check(row, what, regressions(row, runs[k]),
			    row->gate[k]);
		}
	}
}

int
main(void)
{
	pairs();
	baseline();
	limits();
	lines();
	unsure();
	records();
	if (!brief())
		rates();
	return done();
}
