// SPDX-License-Identifier: Apache-2.0
/* Summaries, warnings and histograms of a few samples, calculated by hand. */
#include <math.h>
#include <string.h>

#include "stats/histogram.h"
#include "stats/summary.h"
#include "stats/warning.h"
#include "tap.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define SUMMARY(s, ...)							\
	summarise((double[]){ __VA_ARGS__ },				\
	    sizeof((double[]){ __VA_ARGS__ }) / sizeof(double), s)

static double sorted[64];

static void
summarise(const double *x, size_t n, struct summary *s)
{
	summary_of(x, n, sorted, s);
}

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-12 * (1 + fabs(b));
}

/* ---- Summaries -------------------------------------------------------- */

/*
 * The distances from the mean 5 are -3 2 0 -1 4 -1 0 -1; the sum of their
 * squares is 32, the sum of products with the next -6 + 0 + 0 - 4 - 4 + 0 + 0 =
 * -14.  The distances from the median 4.5 are five times 0.5, twice 2.5, and
 * 4.5.  The quartiles are the 2nd and the 6th.
 */
static void
moments(void)
{
	struct summary s;

	SUMMARY(&s, 2, 7, 5, 4, 9, 4, 5, 4);
	ok(s.n == 8 && s.mean == 5 && near(s.sd, sqrt(32 / 7.0)) &&
	    near(s.cov, sqrt(32 / 7.0) / 5),
	    "mean, standard deviation and coefficient of variation are right");
	ok(s.median == 4.5 && s.mad == 0.5 && s.min == 2 && s.max == 9 &&
	    s.first == 2, "median, MAD, minimum, maximum and first are right");
	ok(near(s.correlation, -14 / 32.0) &&
	    near(s.effective, 8 * 46 / 18.0), "the lag-1 correlation and the "
	    "effective number of samples are right");
	/* 2 7: 4.5; 5 4: 4.5 */
	ok(s.drift == 0, "equal first and last thirds give no drift");
	ok(s.q1 == 4 && s.q3 == 5 && s.mild == 3 && s.extreme == 1 &&
	    s.outliers == 0,
	    "three samples are beyond 2.5 and 6.5, one of them beyond 1 and 8");
	SUMMARY(&s, 1, 2, 3, 4, 5, 6, 7, 12);
	ok(s.q1 == 2 && s.q3 == 6 && s.mild == 0,
	    "a sample 1.5 interquartile ranges away is not a mild outlier");
	SUMMARY(&s, 1, 2, 3, 4, 5, 6, 7, 12.1);
	ok(s.mild == 1 && s.extreme == 0,
	    "a sample slightly farther than 1.5 interquartile ranges is a mild "
	    "outlier");
	SUMMARY(&s, 2, 7, 5, 4, 9, 4, 5, 4);
	ok(sorted[0] == 2 && sorted[1] == 4 && sorted[6] == 7 &&
	    sorted[7] == 9, "summary_of() sorts the samples");
}

static void
few(void)
{
	struct summary s;

	SUMMARY(&s, 3);
	ok(s.mean == 3 && isnan(s.sd) && isnan(s.cov) && s.median == 3 &&
	    s.mad == 0 && isnan(s.drift) && s.effective == 1 &&
	    s.correlation == 0 && s.mild == 0,
	    "a single sample has no deviation and no drift");
	SUMMARY(&s, 3, 3, 3);
	ok(s.sd == 0 && s.correlation == 0 && s.effective == 3 &&
	    s.drift == 0 && s.outliers == 0,
	    "equal samples have no deviation and no outliers");
	SUMMARY(&s, 10, 11, 11, 12, 12, 13, 15);
	/* The thirds are 10 11 and 13 15. */
	ok(near(s.drift, 14 / 10.5 - 1),
	    "a third of seven samples is two samples");
	SUMMARY(&s, 1, -1, 1, -1);
	ok(isnan(s.cov),
	    "samples with the mean 0 have no coefficient of variation");
}

static void
outliers(void)
{
	struct summary s;

	/* median 12, MAD 1 */
	SUMMARY(&s, 100, 10, 11, 12, 13);
	ok(s.outliers == 1 && s.first_slow,
	    "a slow first sample is an outlier and is reported as the first");
	SUMMARY(&s, 1, 40, 41, 42, 43);
	ok(s.outliers == 1 && !s.first_slow,
	    "a fast first sample is only an outlier");
	SUMMARY(&s, 0, 1, 2, 1 + 14.8, 1);
	/* The median is 1, the distances are 1 0 1 14.8 0, the MAD is 1. */
	ok(s.outliers == 0, "a sample 14.8 MADs away is not an outlier");
	SUMMARY(&s, 0, 1, 2, 1 + 14.9, 1);
	ok(s.outliers == 1 && !s.first_slow,
	    "a sample 14.9 MADs away is an outlier");
	SUMMARY(&s, 10, 10, 10, 10, 10, 10, 100);
	ok(s.outliers == 1,
	    "if the MAD is 0, each different sample is an outlier");
}

/* ---- Warnings --------------------------------------------------------- */

static const struct summary fine = { .n = 130, .mean = 10, .sd = 0.2,
    .cov = 0.02, .median = 10, .drift = 0.01, .effective = 100 };

/* Returns the code of the only warning for s; "" without a warning, and
 * "several" for more. */
static const char *
warned(struct summary s, double host, size_t wanted)
{
	unsigned w = warnings_of(&s, host, wanted);

	for (int i = 0; i < WARNINGS; i++)
		if (w == 1u << i)
			return warning_texts[i].code;
	return w == 0 ? "" : "several";
}

#define WITH(field, value)						\
	(s = fine, s.field = (value), warned(s, NAN, 130))

static bool
is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static void
warnings(void)
{
	struct summary s;

	ok(is(warned(fine, NAN, 130), ""), "good samples give no warning");
	ok(is(WITH(first_slow, true), "W-FIRST"), "a slow first sample gives "
	    "W-FIRST");
	ok(is(WITH(outliers, 1), "W-OUTLIER"), "an outlier gives W-OUTLIER");
	ok(is(WITH(cov, 0.0251), "W-COV") && is(WITH(cov, 0.025), "") &&
	    is(WITH(cov, NAN), ""), "a coefficient of variation above 2.5 %% "
	    "gives W-COV");
	ok(is(warned(fine, 8.01, 130), "W-HOST") &&
	    is(warned(fine, 7.99, 130), ""), "a host time above 0.8 of the "
	    "median gives W-HOST");
	ok(is(WITH(drift, 0.0201), "W-DRIFT") &&
	    is(WITH(drift, -0.0201), "W-DRIFT") && is(WITH(drift, 0.02), "")
	    && is(WITH(drift, NAN), ""), "a drift above 2 %% in either "
	    "direction gives W-DRIFT");
	ok(is(warned(fine, NAN, 131), "W-SHORT"), "too few samples give "
	    "W-SHORT");
	ok(is(WITH(effective, 64.9), "W-AUTO") &&
	    is(WITH(effective, 65), ""), "fewer effective samples than half of "
	    "n give W-AUTO");
	ok(is(warned((struct summary){ .n = 3, .cov = 1, .effective = 3,
	    .median = 1 }, NAN, 130), "several"), "several warnings can be "
	    "given at once");
}

/* ---- Bins ------------------------------------------------------------- */

static struct histogram
counted(const double *x, size_t n, size_t bins)
{
	struct histogram h;
	struct summary s;

	summarise(x, n, &s);
	histogram_of(sorted, &s, bins, &h);
	return h;
}

static void
bins(void)
{
	double ten[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	double tenths[] = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7 };
	/* Because of rounding, 100 times 0.29 is less than 29, and 10 times the
	 * last number is 9. */
	double cents[] = { 0.27, 0.28, 0.29, 0.3 };
	double below[] = { 0.7, 0.8, 1, nextafter(0.9, 0) };
	struct histogram h = counted(ten, COUNT(ten), 5);

	/* With width 2 there would be six bins, from 0 on. */
	ok(h.bins == 3 && h.digit == 5 && h.power == 0 && h.count[0] == 4 &&
	    h.count[1] == 5 && h.count[2] == 1,
	    "three bins of width 5 are chosen for at most 5 bins");
	ok(histogram_edge(&h, 0) == 0 && histogram_edge(&h, 3) == 15 &&
	    h.below == 0 && h.above == 0,
	    "the edges are 0 and 15, and no sample is outside");
	h = counted(ten, COUNT(ten), 6);
	ok(h.bins == 6 && h.digit == 2 && h.count[0] == 1 &&
	    h.count[5] == 1 && h.count[4] == 2,
	    "six bins of width 2 are chosen for at most 6 bins");
	h = counted(tenths, COUNT(tenths), 10);
	ok(h.bins == 7 && h.digit == 1 && h.power == -1 && h.count[0] == 1 &&
	    h.count[2] == 1 && h.count[6] == 1,
	    "a sample on an edge belongs to the bin above");
	ok(histogram_edge(&h, 2) == 0.3 && histogram_edge(&h, 5) == 0.6 &&
	    histogram_edge(&h, 6) == 0.7,
	    "the edges are exactly 0.3, 0.6 and 0.7");
	h = counted(cents, COUNT(cents), 4);
	ok(h.bins == 4 && h.digit == 1 && h.power == -2 && h.count[0] == 1 &&
	    h.count[1] == 1 && h.count[2] == 1 && h.count[3] == 1,
	    "0.29 is in the bin that begins at 0.29");
	h = counted(below, COUNT(below), 4);
	ok(h.bins == 4 && h.count[1] == 2 && h.count[2] == 0,
	    "a sample just below 0.9 is in the bin below");
	h = counted(ten, COUNT(ten), 1);
	ok(h.bins == 1 && h.digit == 2 && h.power == 1 && h.count[0] == 10,
	    "for one bin, the width is 20");
}

static void
far_off(void)
{
	double far[] = { 10, 10.1, 10.2, 10.3, 1000 };
	double both[] = { -500, 10, 10.1, 10.2, 10.3, 10.4, 10.5, 1000 };
	double same[] = { 14.5, 14.5, 14.5 }, zero[] = { 0, 0 };
	double minus[] = { -3, -2, -1 };
	struct histogram h = counted(far, COUNT(far), 10);
	size_t sum = 0;

	/* The quartiles are 10.1 and 10.3: the bins end at 10.9. */
	ok(h.above == 1 && h.below == 0 && histogram_edge(&h, h.bins) < 11.2,
	    "a distant sample is counted as above, and the bins stay narrow");
	h = counted(both, COUNT(both), 20);
	for (size_t i = 0; i < h.bins; i++)
		sum += h.count[i];
	ok(h.above == 1 && h.below == 1 && sum == 6,
	    "distant samples on both sides are counted as below and above");
	h = counted(same, COUNT(same), 10);
	ok(h.bins == 1 && h.count[0] == 3 && histogram_edge(&h, 0) == 14.5,
	    "equal samples give one bin that begins at their value");
	h = counted(zero, COUNT(zero), 10);
	ok(h.bins == 1 && h.count[0] == 2 && histogram_edge(&h, 1) == 1,
	    "samples of 0 give one bin up to 1");
	h = counted(minus, COUNT(minus), 3);
	ok(h.bins == 3 && h.count[0] == 1 && h.count[2] == 1 &&
	    histogram_edge(&h, 0) == -3,
	    "negative samples have bins that begin at -3");
}

int
main(void)
{
	moments();
	few();
	outliers();
	warnings();
	bins();
	far_off();
	return done();
}
