/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts samples in bins of a round width (1, 2 or 5 times a power of ten) with
 * round edges.  The bins extend to Tukey's outer fences, 3 (q3 - q1) beyond the
 * quartiles, because otherwise a few outliers would put all other samples into
 * one bin.  Samples beyond the fences are counted separately.
 */
#ifndef STATS_HISTOGRAM_H
#define STATS_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "stats/summary.h"

#define HISTOGRAM_BINS 100	/* most bins */

struct histogram {
	size_t bins;		/* at least 1 */
	size_t count[HISTOGRAM_BINS];	/* from an edge up to the next edge */
	size_t below, above;	/* samples before the first bin and after the
				   last */
	int64_t start;		/* the first edge, in widths */
	int digit, power;	/* width = digit * 10^power */
};

/* Counts s->n sorted samples in at most bins, 1 to HISTOGRAM_BINS. */
void histogram_of(const double *sorted, const struct summary *s, size_t bins,
    struct histogram *h);

/* Returns edge i, 0 to bins: the number nearest to its decimal digits. */
double histogram_edge(const struct histogram *h, size_t i);

#endif
