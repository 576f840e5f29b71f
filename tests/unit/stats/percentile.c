// SPDX-License-Identifier: Apache-2.0
/* Tests percentiles.  Ranks are calculated by hand; sample sizes follow
 * LoadGen's formula. */
#include <math.h>
#include <string.h>

#include "stats/percentile.h"
#include "tap.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* ---- Percentages ------------------------------------------------------ */

static void
parsing(void)
{
	static const struct {
		const char *s;
		uint32_t p;
	} good[] = { { "50", 50 * PERCENT }, { "99.9", 99900000 },
	    { "100", 100 * PERCENT }, { "100.000000", 100 * PERCENT },
	    { "0.000001", 1 }, { "099.999999", 99999999 }, { ".5", 500000 },
	    { "7.", 7 * PERCENT } };
	static const char *const bad[] = { "", ".", "0", "0.0", "100.000001",
	    "101", "1000", "-1", "+1", "9 ", " 9", "1e1", "99.9999999",
	    "5.5.5", "nan", "5x", "0x10", "99999999999999999999" };
	struct npu_err err;
	uint32_t p;
	bool all = true;

	for (size_t i = 0; i < COUNT(good); i++)
		ok(percent_parse(good[i].s, &p, NULL) == 0 && p == good[i].p,
		    "'%s' is read as a percentage", good[i].s);
	for (size_t i = 0; i < COUNT(bad); i++) {
		p = 7;
		all = percent_parse(bad[i], &p, &err) == NPU_EUSAGE && p == 7;
		if (!ok(all, "'%s' is refused as a percentage", bad[i]))
			diag("%u", (unsigned)p);
	}
	percent_parse("5x", &p, &err);
	ok(strcmp(err.msg, "'5x' is not a percentage above 0, at most 100, "
	    "with 6 decimals at most") == 0, "the message gives the range and "
	    "the decimals: %s", err.msg);
}

/* ---- Ranks ------------------------------------------------------------ */

static void
ranks(void)
{
	ok(percentile_rank(50 * PERCENT, 1) == 1 &&
	    percentile_rank(50 * PERCENT, 4) == 2 &&
	    percentile_rank(50 * PERCENT, 5) == 3,
	    "the rank of p50 among 1, 4 and 5 samples is rounded up");
	ok(percentile_rank(100 * PERCENT, 7) == 7 &&
	    percentile_rank(1, 7) == 1,
	    "p100 is the last sample, the least percentile the first");
	/* 99.9 / 100 * 1000 is 999.0000000000001 in doubles; the rank must not
	 * be 1000. */
	ok(percentile_rank(99900000, 1000) == 999 &&
	    percentile_rank(99900000, 1001) == 1000,
	    "the rank of p99.9 is 999 of 1000 samples and 1000 of 1001");
	/* 0.07 * 100 is 7.000000000000001. */
	ok(percentile_rank(7 * PERCENT, 100) == 7 &&
	    percentile_rank(55 * PERCENT, 100) == 55,
	    "the ranks of p7 and p55 among 100 samples are exact");
	ok(percentile_rank(99900000, 10000000) == 9990000,
	    "the rank of p99.9 among ten million samples is exact");
}

static const size_t overs[] = { 1, 2, 5, 10 };

/* Computed with LoadGen's formula for the reference notes. */
static const struct {
	uint32_t p;
	size_t n[COUNT(overs)];
} needs[] = {
	{ 50 * PERCENT, { 11, 14, 22, 35 } },
	{ 90 * PERCENT, { 64, 81, 127, 197 } },
	{ 95 * PERCENT, { 130, 165, 259, 398 } },
	{ 99 * PERCENT, { 662, 838, 1307, 2010 } },
	{ 99900000, { 6636, 8403, 13105, 20140 } },
};

static void
needed(void)
{
	for (size_t i = 0; i < COUNT(needs); i++)
		for (size_t k = 0; k < COUNT(overs); k++) {
			size_t n = needs[i].n[k], t = overs[k];

			ok(percentile_need(needs[i].p, t) == n &&
			    percentile_over(needs[i].p, n) == t &&
			    percentile_over(needs[i].p, n - 1) == t - 1,
			    "the bound of p%g at the %zu-th largest sample "
			    "needs %zu samples",
			    needs[i].p / (double)PERCENT, t, n);
		}
	ok(percentile_need(100 * PERCENT, 1) == 0 &&
	    percentile_over(100 * PERCENT, 1000000) == 0,
	    "for p100, no number of samples is enough");
	ok(percentile_over(50 * PERCENT, 1) == 0,
	    "one sample is too few for a bound of p50");
	/* The third-largest of 200 iterations, as the reference notes say. */
	ok(percentile_over(95 * PERCENT, 200) == 3,
	    "the bound of p95 of 200 samples is the third largest");
}

/* Sums of binomials, calculated by hand: (1 + 10) / 1024 <= 0.025 < (1 + 10 +
 * 45) / 1024. */
static void
intervals(void)
{
	struct ranks r = percentile_interval(50 * PERCENT, 10, 0.95);

	ok(r.low == 2 && r.high == 9,
	    "the interval of the median of 10 samples is the 2nd to the 9th");
	/* Conover, Practical Nonparametric Statistics: 6 and 15; 40 and 61. */
	r = percentile_interval(50 * PERCENT, 20, 0.95);
	ok(r.low == 6 && r.high == 15,
	    "the interval of the median of 20 samples is the 6th to the 15th");
	r = percentile_interval(50 * PERCENT, 100, 0.95);
	ok(r.low == 40 && r.high == 61, "the interval of the median of 100 "
	    "samples is the 40th to the 61st");
	r = percentile_interval(50 * PERCENT, 5, 0.95);
	ok(r.low == 0 && r.high == 0,
	    "the median of 5 samples has no interval: 1 / 32 is above 0.025");
	r = percentile_interval(50 * PERCENT, 6, 0.95);
	ok(r.low == 1 && r.high == 6, "the interval of the median of 6 samples "
	    "is all of them: 1 / 64 is below 0.025");
	/* P[at most 6] = 0.0128, 7: 0.0702; 0.9^10 = 0.35. */
	r = percentile_interval(90 * PERCENT, 10, 0.95);
	ok(r.low == 7 && r.high == 0,
	    "the interval of p90 of 10 samples has no upper end");
	r = percentile_interval(10 * PERCENT, 10, 0.95);
	ok(r.low == 0 && r.high == 4,
	    "the interval of p10 of 10 samples has no lower end");
	r = percentile_interval(50 * PERCENT, 10, 0.99);
	ok(r.low == 1 && r.high == 10, "the 0.99 interval of the median of 10 "
	    "samples is all samples: 1 / 1024 <= 0.005");
}

static void
values(void)
{
	double x[200];
	struct percentile p;

	for (int i = 0; i < 200; i++)
		x[i] = i + 1;
	percentile_of(x, 200, 95 * PERCENT, &p);
	ok(p.p == 95 * PERCENT && p.need == 130 && p.value == 190 &&
	    p.ucb == 198 && p.low < 190 && p.high > 190,
	    "p95 of 200 samples has a value, a bound and an interval");
	percentile_of(x, 200, 99 * PERCENT, &p);
	ok(p.need == 662 && isnan(p.value) && isnan(p.ucb),
	    "p99 of 200 samples has no value: it needs 662 samples");
	percentile_of(x, 200, 100 * PERCENT, &p);
	ok(p.need == 0 && p.value == 200 && isnan(p.ucb) && isnan(p.high),
	    "p100 is the largest sample and has no bound");
	percentile_of(x, 10, 50 * PERCENT, &p);
	ok(p.need == 11 && isnan(p.value) && p.low == 2 && p.high == 9,
	    "p50 of 10 samples has an interval but no upper bound");
	percentile_of(x, 11, 50 * PERCENT, &p);
	ok(p.value == 6 && p.ucb == 11,
	    "p50 of 11 samples has a value and an upper bound");
}

int
main(void)
{
	parsing();
	ranks();
	needed();
	intervals();
	values();
	return done();
}
