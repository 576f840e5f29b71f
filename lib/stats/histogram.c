// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "stats/histogram.h"

/* Scales by a power of ten; up to 10^22 it is exact, and only one operation
 * rounds. */
static double
scaled(double v, int power)
{
	double ten = 1;

	for (int i = power < 0 ? -power : power; i > 0; i--)
		ten *= 10;
	return power < 0 ? v / ten : v * ten;
}

static double
edge(const struct histogram *h, int64_t i)
{
	return scaled((double)(i * h->digit), h->power);
}

double
histogram_edge(const struct histogram *h, size_t i)
{
	return edge(h, h->start + (int64_t)i);
}

/* Returns the last edge that is not above x, in widths. */
static int64_t
edge_of(const struct histogram *h, double x)
{
	int64_t i = (int64_t)floor(scaled(x, -h->power) / h->digit);

	while (edge(h, i) > x)
		i--;
	while (edge(h, i + 1) <= x)
		i++;
	return i;
}

static void
widen(struct histogram *h)
{
	h->power += h->digit == 5;
	h->digit = h->digit == 1 ? 2 : h->digit == 2 ? 5 : 1;
}

/* Chooses the width of bins from low to high. */
static void
choose_width(struct histogram *h, double low, double high, size_t bins)
{
	/* Narrower bins could not be distinguished. */
	double least = fmax((high - low) / (double)bins,
	    1e-9 * fmax(fabs(low), fabs(high)));

	h->digit = 1;
	h->power = least > 0 ? (int)floor(log10(least)) : 0;
	while (edge_of(h, high) - edge_of(h, low) >= (int64_t)bins)
		widen(h);
	h->start = edge_of(h, low);
	h->bins = (size_t)(edge_of(h, high) - h->start) + 1;
}

void
histogram_of(const double *sorted, const struct summary *s, size_t bins,
    struct histogram *h)
{
	double spread = s->q3 - s->q1;

	*h = (struct histogram){ .bins = 0 };
	choose_width(h, fmax(s->min, s->q1 - 3 * spread),
	    fmin(s->max, s->q3 + 3 * spread), bins);
	for (size_t i = 0; i < s->n; i++) {
		if (sorted[i] < edge(h, h->start))
			h->below++;
		else if (sorted[i] >= histogram_edge(h, h->bins))
			h->above++;
		else
			h->count[edge_of(h, sorted[i]) - h->start]++;
	}
}
