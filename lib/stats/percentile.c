// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "stats/beta.h"
#include "stats/percentile.h"

#define WHOLE (100 * PERCENT)

/* 1 - c in LoadGen. */
#define DOUBT 0.01

/* ---- Percentages ------------------------------------------------------ */

static int
not_one(const char *s, struct npu_err *err)
{
	return npu_fail(err, NPU_EUSAGE, "'%s' is not a percentage above 0, "
	    "at most 100, with 6 decimals at most", s);
}

int
percent_parse(const char *s, uint32_t *p, struct npu_err *err)
{
	size_t whole = strspn(s, "0123456789"), decimals = 0;
	const char *point = s + whole, *d = point + 1;
	uint64_t v = 0;

	if (*point == '.')
		decimals = strspn(d, "0123456789");
	if (whole + decimals == 0 || whole > 3 || decimals > 6 ||
	    s[whole + (*point == '.') + decimals] != '\0')
		return not_one(s, err);
	for (size_t i = 0; i < whole; i++)
		v = v * 10 + (uint64_t)(s[i] - '0');
	for (size_t i = 0; i < 6; i++)
		v = v * 10 + (i < decimals ? (uint64_t)(d[i] - '0') : 0);
	if (v == 0 || v > WHOLE)
		return not_one(s, err);
	*p = (uint32_t)v;
	return 0;
}

/* ---- Ranks ------------------------------------------------------------ */

size_t
percentile_rank(uint32_t p, size_t n)
{
	return (size_t)(((uint64_t)p * n + WHOLE - 1) / WHOLE);
}

/* Returns how many counts, from 0 on, have P[Binomial(n, part) <= count] <=
 * doubt; part is in millionths of a percent. */
static size_t
rare(size_t n, uint32_t part, double doubt)
{
	double q = (double)part / WHOLE, p = (double)(WHOLE - part) / WHOLE;
	size_t counts = 0, more = n + 1;

	while (more - counts > 1) {
		size_t try = counts + (more - counts) / 2;

		if (binomial_at_most(try - 1, n, p, q) <= doubt)
			counts = try;
		else
			more = try;
	}
	return counts;
}

size_t
percentile_over(uint32_t p, size_t n)
{
	size_t counts = rare(n, WHOLE - p, DOUBT);

	return counts > 1 ? counts - 1 : 0;
}

size_t
percentile_need(uint32_t p, size_t t)
{
	double part = (double)p / WHOLE, over = (double)(WHOLE - p) / WHOLE;
	size_t few = t, enough = 2 * t + 1;

	if (p >= WHOLE)
		return 0;
	while (binomial_at_most(t, enough, part, over) > DOUBT) {
		few = enough;
		enough *= 2;
	}
	while (enough - few > 1) {
		size_t try = few + (enough - few) / 2;

		if (binomial_at_most(t, try, part, over) > DOUBT)
			few = try;
		else
			enough = try;
	}
	return enough;
}

struct ranks
percentile_interval(uint32_t p, size_t n, double confidence)
{
	double side = (1 - confidence) / 2;
	size_t above = rare(n, WHOLE - p, side);

	return (struct ranks){ rare(n, p, side),
	    above == 0 ? 0 : n - above + 1 };
}

void
percentile_of(const double *sorted, size_t n, uint32_t p,
    struct percentile *out)
{
	struct ranks r = percentile_interval(p, n, PERCENTILE_CONFIDENCE);
	size_t over = percentile_over(p, n);

	*out = (struct percentile){ .p = p, .need = percentile_need(p, 1) };
	out->value = n < out->need ? NAN : sorted[percentile_rank(p, n) - 1];
	out->ucb = over == 0 ? NAN : sorted[n - over];
	out->low = r.low == 0 ? NAN : sorted[r.low - 1];
	out->high = r.high == 0 ? NAN : sorted[r.high - 1];
}
