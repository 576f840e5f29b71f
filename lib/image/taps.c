// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "image/taps.h"

static double
box(double x)
{
	return x > -0.5 && x <= 0.5 ? 1 : 0;
}

static double
bilinear(double x)
{
	x = fabs(x);
	return x < 1 ? 1 - x : 0;
}

/* Keys' cubic convolution with a = -0.5, in Pillow's order of operations. */
static double
bicubic(double x)
{
	const double a = -0.5;

	x = fabs(x);
	if (x < 1)
		return ((a + 2) * x - (a + 3)) * x * x + 1;
	if (x < 2)
		return (((x - 5) * x + 8) * x - 4) * a;
	return 0;
}

static const struct {
	double (*weight)(double x);
	double support;		/* the weight is 0 beyond, on both sides */
} filters[] = {
	[FILTER_BOX] = { box, 0.5 },
	[FILTER_BILINEAR] = { bilinear, 1 },
	[FILTER_BICUBIC] = { bicubic, 2 },
};

/* Returns the input samples for each output sample; rounded to float first, as
 * Pillow's box is. */
static double
scale_of(const struct axis *a)
{
	return (double)(float)a->from / (double)a->to;
}

/* Returns the factor by which a filter is widened to cover all input samples of
 * an output sample. */
static double
widening(const struct axis *a)
{
	return scale_of(a) < 1 ? 1 : scale_of(a);
}

size_t
axis_most(const struct axis *a)
{
	double support = filters[a->filter].support * widening(a);
	size_t most = (size_t)ceil(support) * 2 + 1;

	return most < a->from ? most : a->from;
}

enum { SOME = 64 };		/* weights computed only once */

/* Computes weights in the order in which input samples are numbered.  Fills in
 * t except n, which it returns. */
static uint32_t
weigh(const struct axis *a, uint64_t at, struct taps *t)
{
	double scale = scale_of(a), by = 1 / widening(a), sum = 0, w;
	double support = filters[a->filter].support * widening(a);
	double centre = ((double)at + 0.5) * scale, some[SOME];
	double least = centre - support + 0.5, most = centre + support + 0.5;
	uint32_t n;

	t->first = least < 0 ? 0 : (uint32_t)least;
	n = most > a->from ? a->from : (uint32_t)most;
	n = n < t->first ? 0 : n - t->first;
	for (uint32_t i = 0; i < n; i++) {
		w = filters[a->filter].weight(((double)i + t->first - centre +
		    0.5) * by);
		if (i < SOME)
			some[i] = w;
		sum += w;
	}
	for (uint32_t i = 0; i < n; i++) {
		w = i < SOME ? some[i] : filters[a->filter].weight(
		    ((double)i + t->first - centre + 0.5) * by);
		if (sum != 0)
			w /= sum;
		w *= 1 << TAPS_BITS;
		t->k[i] = (int32_t)(w < 0 ? w - 0.5 : w + 0.5);
	}
	return n;
}

static void
mirror(const struct axis *a, struct taps *t)
{
	int32_t k;

	t->first = a->from - t->first - t->n;
	for (uint32_t i = 0; i < t->n / 2; i++) {
		k = t->k[i];
		t->k[i] = t->k[t->n - 1 - i];
		t->k[t->n - 1 - i] = k;
	}
}

void
axis_taps(const struct axis *a, uint64_t at, struct taps *t)
{
	t->n = weigh(a, at, t);
	if (t->n == 0)
		t->first = 0;
	else if (a->mirrored)
		mirror(a, t);
}

void
taps_trim(struct taps *t)
{
	uint32_t skip = 0;

	while (t->n > 0 && t->k[t->n - 1] == 0)
		t->n--;
	while (skip < t->n && t->k[skip] == 0)
		skip++;
	t->n -= skip;
	t->first = t->n == 0 ? 0 : t->first + skip;
	for (uint32_t i = 0; skip > 0 && i < t->n; i++)
		t->k[i] = t->k[i + skip];
}

void
taps_to_s16(struct taps *t)
{
	double all = 0, sum = 0, one;
	int32_t last = 0, now;

	for (uint32_t i = 0; i < t->n; i++)
		all += t->k[i];
	one = all > 0 ? (1 << S16_WEIGHT_BITS) / all : 0;
	for (uint32_t i = 0; i < t->n; i++) {
		sum += t->k[i];
		now = (int32_t)(sum * one + 0.5);
		t->k[i] = now - last;
		last = now;
	}
}

void
taps_halve(const struct taps *t, uint32_t n, struct taps *to)
{
	uint32_t last = (t->first + t->n) / 2, x, near, next;

	if (last == n)
		last--;
	to->first = t->first == 0 ? 0 : (t->first - 1) / 2;
	to->n = last + 1 - to->first;
	for (uint32_t i = 0; i < to->n; i++)
		to->k[i] = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		x = t->first + i;
		near = x / 2;
		next = x % 2 == 0 ? near - (near > 0) :
		    near + (near + 1 < n);
		to->k[near - to->first] += 3 * t->k[i];
		to->k[next - to->first] += t->k[i];
	}
	for (uint32_t i = 0; i < to->n; i++)
		to->k[i] = (to->k[i] + 2) >> 2;
}
