// SPDX-License-Identifier: Apache-2.0
/* Ranks by hand; sample sizes as LoadGen's formula gives them. */
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
		    "%s", good[i].s);
	for (size_t i = 0; i < COUNT(bad); i++) {
		p = 7;
		all = percent_parse(bad[i], &p, &err) == NPU_EUSAGE && p == 7;
		if (!ok(all, "'%s' is none", bad[i]))
			diag("%u", (unsigned)p);
	}
	percent_parse("5x", &p, &err);
	ok(strcmp(err.msg, "'5x' is not a percentage above 0, at most 100, "
	    "with 6 decimals at most") == 0, "%s", err.msg);
}

/* ---- Ranks ------------------------------------------------------------ */

static void
ranks(void)
{
	ok(percentile_rank(50 * PERCENT, 1) == 1 &&
	    percentile_rank(50 * PERCENT, 4) == 2 &&
	    percentile_rank(50 * PERCENT, 5) == 3, "p50 of 1, 4, 5");
	ok(percentile_rank(100 * PERCENT, 7) == 7 &&
	    percentile_rank(1, 7) == 1, "the last and the first");
	/* 99.9 / 100 * 1000 is 999.0000000000001 in doubles: not the 1000th. */
	ok(percentile_rank(99900000, 1000) == 999 &&
	    percentile_rank(99900000, 1001) == 1000, "p99.9 of 1000, 1001");
	/* 0.07 * 100 is 7.000000000000001. */
	ok(percentile_rank(7 * PERCENT, 100) == 7 &&
	    percentile_rank(55 * PERCENT, 100) == 55, "p7, p55 of 100");
	ok(percentile_rank(99900000, 10000000) == 9990000, "of ten million");
}

static const size_t overs[] = { 1, 2, 5, 10 };

/* Computed from LoadGen's formula for the reference notes. */
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
			    "p%g, %zu above: %zu",
			    needs[i].p / (double)PERCENT, t, n);
		}
	ok(percentile_need(100 * PERCENT, 1) == 0 &&
	    percentile_over(100 * PERCENT, 1000000) == 0, "none for p100");
	ok(percentile_over(50 * PERCENT, 1) == 0, "of one sample");
	/* The third of 200 iterations, as the reference notes say. */
	ok(percentile_over(95 * PERCENT, 200) == 3, "p95 of 200");
}

/*
 * Sums of binomials by hand: (1 + 10) / 1024 <= 0.025 < (1 + 10 + 45) / 1024.
 */
static void
intervals(void)
{
	struct ranks r = percentile_interval(50 * PERCENT, 10, 0.95);

	ok(r.low == 2 && r.high == 9, "median of 10: the 2nd to the 9th");
	/* Conover, Practical Nonparametric Statistics: 6 and 15; 40 and 61. */
	r = percentile_interval(50 * PERCENT, 20, 0.95);
	ok(r.low == 6 && r.high == 15, "of 20");
	r = percentile_interval(50 * PERCENT, 100, 0.95);
	ok(r.low == 40 && r.high == 61, "of 100");
	r = percentile_interval(50 * PERCENT, 5, 0.95);
	ok(r.low == 0 && r.high == 0, "1 / 32 is above 0.025: none of 5");
	r = percentile_interval(50 * PERCENT, 6, 0.95);
	ok(r.low == 1 && r.high == 6, "1 / 64 is not: all of 6");
	/* P[at most 6] = 0.0128, 7: 0.0702; 0.9^10 = 0.35. */
	r = percentile_interval(90 * PERCENT, 10, 0.95);
	ok(r.low == 7 && r.high == 0, "p90 of 10 has no upper end");
	r = percentile_interval(10 * PERCENT, 10, 0.95);
	ok(r.low == 0 && r.high == 4, "p10, mirrored");
	r = percentile_interval(50 * PERCENT, 10, 0.99);
	ok(r.low == 1 && r.high == 10, "0.99: 1 / 1024 <= 0.005");
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
	    p.ucb == 198 && p.low < 190 && p.high > 190, "p95 of 200");
	percentile_of(x, 200, 99 * PERCENT, &p);
	ok(p.need == 662 && isnan(p.value) && isnan(p.ucb),
	    "p99 of 200: 662 are needed");
	percentile_of(x, 200, 100 * PERCENT, &p);
	ok(p.need == 0 && p.value == 200 && isnan(p.ucb) && isnan(p.high),
	    "p100 is the largest, without a bound");
	percentile_of(x, 10, 50 * PERCENT, &p);
	ok(p.need == 11 && isnan(p.value) && p.low == 2 && p.high == 9,
	    "of 10 an interval, though no bound");
	percentile_of(x, 11, 50 * PERCENT, &p);
	ok(p.value == 6 && p.ucb == 11, "of 11 both");
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
