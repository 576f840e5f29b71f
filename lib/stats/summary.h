/* SPDX-License-Identifier: Apache-2.0 */
/* A summary of many samples of one quantity, in the order they were taken. */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A sample is an outlier if its modified z-score, |x - median| / MAD, is above
 * this: ten standard deviations of a normal distribution (hyperfine,
 * src/outlier_detection.rs).
 */
#define SUMMARY_FENCE 14.826

/* NAN: too few samples, or a division by 0. */
struct summary {
	size_t n;
	double mean;
	double sd;		/* divides by n - 1 */
	double cov;		/* sd / mean */
	double median, mad, min, max;
	double q1, q3;		/* percentiles 25 and 75, observed */
	double first;
	double drift;		/* median of the last third divided by the
				   median of the first, - 1 */
	double correlation;	/* with the next sample; 0 if all are equal */
	double effective;	/* n (1 - r) / (1 + r): as many independent
				   samples would determine the mean equally
				   well */
	/* Counted, never removed. */
	size_t outliers;	/* beyond the fence */
	size_t mild;		/* more than 1.5 (q3 - q1) beyond q1 or q3 */
	size_t extreme;		/* more than 3 (q3 - q1); also counted as
				   mild */
	bool first_slow;	/* first is above the median, beyond the
				   fence */
};

/* Summarises n >= 1 finite samples at x.  sorted has room for n samples and
 * contains them in ascending order afterwards, as percentile_of() requires. */
void summary_of(const double *x, size_t n, double *sorted, struct summary *s);

#endif
