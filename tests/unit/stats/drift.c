// SPDX-License-Identifier: Apache-2.0
/* Medians, and similarities of vectors in the plane, where they can be
 * drawn. */
#include <limits.h>
#include <math.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "stats/drift.h"
#include "stats/median.h"
#include "tap.h"

#define HALF 0.70710678118654752	/* cos 45 degrees */

static bool
near(double a, double b)
{
	return isnan(a) ? isnan(b) : fabs(a - b) < 1e-6;
}

static void
medians(void)
{
	double one[] = { 7 }, odd[] = { 9, 1, 5 }, even[] = { 4, 1, 3, 2 };
	double huge[] = { 1.7e308, 1.7e308 }, x[] = { 1, 2, 3, 4, 100 };

	ok(stats_median(one, 1) == 7, "the median of one number is the number");
	ok(stats_median(odd, 3) == 5,
	    "the median of three numbers is the middle number");
	ok(stats_median(even, 4) == 2.5,
	    "the median of four numbers is between the middle numbers");
	ok(stats_median(huge, 2) == 1.7e308,
	    "the median of huge numbers does not overflow");
	/* The distances from 3 are 2 1 0 1 97. */
	ok(stats_mad(x, 5, 3) == 1, "a distant number does not change the MAD");
}

static struct drift *
opened(size_t window, size_t history, size_t warmup, double below,
    double mads, double floor)
{
	struct drift_options o = { .window = window, .history = history,
	    .warmup = warmup, .below = below, .mads = mads, .floor = floor };
	struct drift *d;

	if (drift_open(&d, &o, NULL) < 0)
		abort();
	return d;
}

static struct drift_verdict
take(struct drift *d, float a, float b)
{
	struct drift_verdict v = { 0 };

	drift_add(d, (float[]){ a, b }, 2, &v, NULL);
	return v;
}

/* ---- Comparing -------------------------------------------------------- */

static void
similarities(void)
{
	struct drift *d = opened(3, 10, 2, NAN, 1, 0);
	struct drift_verdict v;

	v = take(d, 2, 0);
	ok(v.window == 0 && isnan(v.similarity) && isnan(v.nearest) &&
	    isnan(v.median_cosine) && isnan(v.median) && isnan(v.limit) &&
	    v.alarm == DRIFT_QUIET,
	    "the first vector has no similarity and no alarm");
	v = take(d, 0, 5);
	ok(v.window == 1 && near(v.similarity, 0) && v.history == 0 &&
	    isnan(v.median), "vectors at a right angle have the similarity 0");
	v = take(d, 3, 3);
	ok(v.window == 2 && near(v.similarity, HALF) && near(v.nearest, HALF)
	    && v.history == 1 && near(v.median, 0) && near(v.mad, 0) &&
	    isnan(v.limit), "vectors at half a right angle are compared; "
	    "during the warm-up there is no limit");
	/* The cosines are 1, 0, HALF.  The history is 0, HALF; its median and
	 * its MAD are HALF / 2. */
	v = take(d, 1, 0);
	ok(v.window == 3 && near(v.similarity, (1 + HALF) / 3) &&
	    near(v.nearest, 1) && near(v.median_cosine, HALF) &&
	    near(v.median, HALF / 2) && near(v.mad, HALF / 2) &&
	    near(v.limit, 0),
	    "mean, largest and median cosine of the window are right");
	/* The window is (0,1), (1,1), (1,0); the cosines are 0, -HALF, -1. */
	v = take(d, -1, 0);
	ok(v.window == 3 && near(v.similarity, -(1 + HALF) / 3) &&
	    near(v.nearest, 0), "the oldest vector has left the window");
	drift_close(d);
}

static void
alarms(void)
{
	struct drift *d = opened(1, 10, 2, 0.5, 2, 0.1);
	struct drift_verdict v;

	v = take(d, 1, 0);
	ok(isnan(v.limit) && v.alarm == DRIFT_QUIET,
	    "the first vector gives no alarm");
	v = take(d, 0, 1);
	ok(v.alarm == DRIFT_BELOW && v.limit == 0.5,
	    "a similarity below the threshold gives an alarm");
	for (int i = 0; i < 5; i++)
		v = take(d, 0, 1);
	/* The history is 0 1 1 1 1: median 1, MAD 0; therefore the floor
	 * counts. */
	ok(v.alarm == DRIFT_QUIET && near(v.limit, 0.9),
	    "a similar vector gives no alarm");
	/* The cosine of (0,1) and (5,12) is 12 / 13, or 0.923. */
	v = take(d, 5, 12);
	ok(near(v.similarity, 12 / 13.0) && v.alarm == DRIFT_QUIET,
	    "a similarity above the history's limit gives no alarm");
	/* The cosine of (5,12) and (1,1) is 17 / (13 sqrt 2) = 0.92467. */
	take(d, 1, 1);
	/* The cosine of (1,1) and (1,7) is 8 / 10. */
	v = take(d, 1, 7);
	ok(near(v.similarity, 0.8) && v.alarm == DRIFT_HISTORY &&
	    near(v.limit, 0.9),
	    "a similarity below the history's limit gives an alarm");
	v = take(d, -1, -7);
	ok(v.alarm == DRIFT_BELOW,
	    "a similarity below both limits is an alarm of the threshold");
	drift_close(d);
}

/* An alarm needs both the mean and the median of the cosines. */
static void
both_alarm(void)
{
	struct drift *d = opened(4, 10, 1, 0.65, NAN, 0);
	struct drift_verdict v;

	for (int i = 0; i < 3; i++)
		take(d, 1, 0);
	v = take(d, -1, 0);
	ok(v.alarm == DRIFT_BELOW, "one odd vector gives an alarm");
	/* The cosines are 1 1 1 -1. */
	v = take(d, 1, 0);
	ok(near(v.similarity, 0.5) && near(v.median_cosine, 1) &&
	    v.alarm == DRIFT_QUIET,
	    "an odd vector in the window gives no alarm for the next vector");
	drift_close(d);
	d = opened(4, 10, 1, 0.65, NAN, 0);
	take(d, 3, 4);
	for (int i = 0; i < 3; i++)
		take(d, 1, 0);
	/* The cosines are 1 0.6 0.6 0.6. */
	v = take(d, 3, 4);
	ok(near(v.similarity, 0.7) && near(v.median_cosine, 0.6) &&
	    v.alarm == DRIFT_QUIET,
	    "a vector like one of the window gives no alarm");
	drift_close(d);
}

/* Adds n vectors of the same direction.  Returns the number of alarms. */
static int
take_many(struct drift *d, int n, float a, float b)
{
	int alarms = 0;

	while (n-- > 0)
		alarms += take(d, a, b).alarm != DRIFT_QUIET;
	return alarms;
}

/* A burst: more than half of a window of odd vectors must give an alarm. */
static void
bursts(void)
{
	static const size_t windows[] = { 1, 2, 3, 20 };

	for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		size_t w = windows[i];
		struct drift *d = opened(w, 100, 20, NAN, 12, 0.01);
		int n = (int)w, first = n / 2 + 1;

		ok(take_many(d, 40, 1, 0) == 0 &&
		    take_many(d, first, 0, 1) == first &&
		    take_many(d, 40, 1, 0) == 0,
		    "window %d: a burst of %d vectors gives alarms, and later "
		    "vectors give none", n,
		    first);
		ok(take_many(d, 3 * n, 0, 1) == first &&
		    take_many(d, 40, 1, 0) == 0,
		    "window %d: a lasting change gives alarms only at its "
		    "beginning, its end gives none", n);
		ok(take_many(d, 3 * n, 0, 1) == first,
		    "window %d: a change that comes again gives alarms again",
		    n);
		ok(take_many(d, first, 3, -4) == first &&
		    take_many(d, 40, 0, 1) == 0,
		    "window %d: a burst after a lasting change gives alarms, "
		    "later vectors none", n);
		drift_close(d);
	}
}

/* A state that was usual for as long as the history remains known. */
static void
lasting(void)
{
	static const size_t windows[] = { 1, 2, 3, 20 };

	for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		size_t w = windows[i];
		struct drift *d = opened(w, 100, 20, NAN, 12, 0.01);
		int n = (int)w, first = n / 2 + 1;

		ok(take_many(d, 60, 1, 0) == 0 &&
		    take_many(d, 60, 0, 1) == first &&
		    take_many(d, 30, -1, 0) == first &&
		    take_many(d, 60, 0, 1) == 0,
		    "window %d: after a lasting change and a long burst, the "
		    "change remains known", n);
		drift_close(d);
		d = opened(w, 100, 20, NAN, 12, 0.01);
		ok(take_many(d, 200, 1, 0) == 0 &&
		    take_many(d, 200, 0, 1) == first &&
		    take_many(d, n, 1, 0) == 0 &&
		    take_many(d, 60, 0, 1) == 0,
		    "window %d: after a return for the length of a window, "
		    "both states are known", n);
		/* 30 vectors of each are fewer than the history. */
		ok(take_many(d, 30, -1, 0) == first &&
		    take_many(d, 30, 0, -1) == first &&
		    take_many(d, 60, 0, 1) == 0,
		    "window %d: a burst of two lasting states gives alarms "
		    "only at their beginnings", n);
		drift_close(d);
	}
}

/* ---- Bursts of several states ----------------------------------------- */

enum { DIM = 8, STATES = 3, CASES = 900 };

static uint64_t seed;

/* Returns a number from -1 to 1. */
static double
random_number(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

/* Stores a vector whose cosine with the first axis is from 0.36 to 0.92. */
static void
odd_state(float *x)
{
	double angle = 0.8 + 0.4 * random_number(), sum = 0;

	for (int i = 1; i < DIM; i++) {
		x[i] = (float)random_number();
		sum += (double)x[i] * (double)x[i];
	}
	for (int i = 1; i < DIM; i++)
		x[i] *= (float)(sin(angle) / sqrt(sum));
	x[0] = (float)cos(angle);
}

static bool
noisy_alarm(struct drift *d, const float *state, double noise)
{
	struct drift_verdict v = { 0 };
	float x[DIM];

	for (int i = 0; i < DIM; i++)
		x[i] = state[i] + (float)(noise * random_number());
	drift_add(d, x, DIM, &v, NULL);
	return v.alarm != DRIFT_QUIET;
}

/* Returns the state of the k-th of n vectors of a burst: the states alternate,
 * follow each other, or are drawn. */
static int
state_at(int order, int states, int k, int n)
{
	return order == 0 ? k % states : order == 1 ? k * states / n :
	    (int)((random_number() + 1) / 2 * states);
}

/* Returns the number of alarms in 60 normal vectors after a burst of up to 300
 * vectors, or INT_MAX if the first vector of the burst gave no alarm. */
static int
alarms_after(struct drift *d, int order, int states, double noise)
{
	static const float normal[DIM] = { 1 };
	float odd[STATES][DIM];
	int alarms = 0;
	int n = 1 + (int)((random_number() + 1) * 150);

	for (int i = 0; i < STATES; i++)
		odd_state(odd[i]);
	for (int i = 0; i < 120; i++)
		noisy_alarm(d, normal, noise);
	for (int k = 0; k < n; k++)
		if (!noisy_alarm(d, odd[state_at(order, states, k, n)],
		    noise) && k == 0)
			return INT_MAX;
	for (int i = 0; i < 60; i++)
		alarms += noisy_alarm(d, normal, noise);
	return alarms;
}

static void
bursts_of_states(void)
{
	static const size_t windows[] = { 1, 2, 3, 5, 20 };
	int wrong = 0;

	for (unsigned i = 0; i < CASES; i += brief() ? 10 : 1) {
		struct drift *d = opened(windows[i / 18 % 5], 100, 20, NAN, 12,
		    0.01);
		int n;

		seed = i;
		random_number();
		n = alarms_after(d, (int)(i % 3), (int)(i / 3 % 3) + 1,
		    i / 9 % 2 * 0.01);
		if (n > 0)
			diag("case %u: %d", i, n);
		wrong += n > 0;
		drift_close(d);
	}
	ok(wrong == 0, "after a burst of one to three states, normal vectors "
	    "give no alarm");
}

/* The highest mean or median cosine with a state that is or was usual. */
static void
usual(void)
{
	struct drift *d = opened(2, 10, 1, 0.5, NAN, 0);
	struct drift_verdict v;

	ok(isnan(take(d, 1, 0).usual),
	    "before the first vector, nothing is usual");
	take(d, 1, 0);
	v = take(d, 3, 4);
	ok(near(v.usual, 0.6) && v.alarm == DRIFT_QUIET,
	    "the vectors of the window are usual");
	/*
	 * (1,0) and (3,4) remain usual: the cosines are -1 and -0.6, with the
	 * mean -0.8, then 0.8 and 0, with the mean 0.4.  For the second vector,
	 * the window is (3,4) and (-1,0), with the cosines 0 and -0.8 and the
	 * mean -0.4.
	 */
	v = take(d, -1, 0);
	ok(near(v.usual, -0.8) && v.alarm == DRIFT_BELOW,
	    "a vector that is unlike the usual vectors gives an alarm");
	v = take(d, 4, -3);
	ok(near(v.usual, 0.4) && near(v.similarity, -0.4) &&
	    v.alarm == DRIFT_BELOW, "an odd vector does not become usual");
	take(d, 4, -3);
	/* The last two vectors are now (4,-3); therefore another one is
	 * similar. */
	v = take(d, 4, -3);
	ok(near(v.usual, 0.4) && v.alarm == DRIFT_QUIET,
	    "a state that has lasted for a window gives no alarm");
	v = take(d, 4, -3);
	ok(near(v.usual, 1), "a lasting state becomes usual");
	v = take(d, 3, 4);
	ok(near(v.usual, 0.8) && near(v.similarity, 0) &&
	    v.alarm == DRIFT_QUIET, "the earlier usual state remains usual");
	drift_close(d);
}

static void
mads(void)
{
	struct drift *d = opened(1, 4, 1, NAN, 2, 0.01);
	struct drift_verdict v;

	take(d, 1, 0);
	take(d, 3, 4);		/* 0.6 */
	take(d, 4, 3);		/* 24/25 = 0.96 */
	take(d, 4, 3);		/* 1 */
	take(d, 3, 4);		/* 0.96 */
	/* The history is 0.6 0.96 0.96 1: median 0.96; distances 0 0 0.04 0.36:
	 * MAD 0.02. */
	v = take(d, 3, 4);
	ok(v.history == 4 && near(v.median, 0.96) && near(v.mad, 0.02) &&
	    near(v.limit, 0.92), "the limit is two MADs below the median");
	/* The history is 0.96 0.96 1 1: median 0.98, MAD 0.02. */
	v = take(d, 3, 4);
	ok(v.history == 4 && near(v.median, 0.98) && near(v.limit, 0.94),
	    "the oldest similarity has left the history");
	drift_close(d);
	d = opened(1, 4, 1, NAN, NAN, 0.01);
	take(d, 1, 0);
	take(d, 1, 0);
	v = take(d, 0, 1);
	ok(near(v.median, 1) && isnan(v.limit) && v.alarm == DRIFT_QUIET,
	    "without a number of MADs, the history gives no alarm");
	drift_close(d);
}

static void
refused(void)
{
	struct drift *d = opened(3, 3, 1, NAN, 1, 0);
	struct drift_verdict v = { .window = 77 };
	struct npu_err err;

	take(d, 1, 0);
	ok(drift_add(d, (float[]){ 0, 0 }, 2, &v, &err) == NPU_EFORMAT &&
	    drift_add(d, (float[]){ NAN, 1 }, 2, &v, &err) == NPU_EFORMAT &&
	    drift_add(d, (float[]){ 1, INFINITY }, 2, &v, &err) ==
	    NPU_EFORMAT && v.window == 77,
	    "a vector of zeros, with NaN or with infinity is refused");
	ok(drift_add(d, (float[]){ 1, 0, 0 }, 3, &v, &err) == NPU_EUSAGE &&
	    strcmp(err.msg, "has 3 elements, and those before it 2") == 0,
	    "a vector with another number of elements is refused");
	ok(take(d, 1, 0).window == 1,
	    "refused vectors do not enter the window");
	drift_close(d);
	d = opened(DRIFT_LENGTH, 3, 1, NAN, 1, 0);
	ok(drift_add(d, (float[]){ 1 }, DRIFT_DIM, &v, &err) == NPU_EUSAGE,
	    "vectors that need too much memory are refused");
	drift_close(d);
}

/* ---- State ------------------------------------------------------------ */

/* Returns the state of a window of 3 and a history of 2 after five vectors. */
static struct buf
state(void)
{
	struct drift *d = opened(3, 2, 1, NAN, 1, 0);
	struct buf b = { 0 };

	drift_model(d, (const uint8_t *)"0123456789abcdef0123456789abcdef",
	    NULL);
	take(d, 1, 0);
	take(d, 0, 1);
	take(d, 1, 0);
	take(d, 3, 4);
	take(d, 4, 3);
	drift_encode(d, &b);
	drift_close(d);
	return b;
}

static int
decode(struct drift *d, const struct buf *b, struct npu_err *err)
{
	return drift_decode(d, (struct bytes){ (uint8_t *)b->p, b->n }, err);
}

static void
there_and_back(void)
{
	struct drift *d = opened(3, 2, 1, NAN, 1, 0);
	struct buf b = state(), again = { 0 };
	struct drift_verdict v;
	struct npu_err err;

	/* 56 + 3 * 2 * 4 + 2 * 8 + 32 */
	ok(b.n == 128 && decode(d, &b, NULL) == 0,
	    "a state of 128 bytes is decoded");
	drift_encode(d, &again);
	ok(again.n == b.n && memcmp(again.p, b.p, b.n) == 0,
	    "encoding the decoded state gives the same bytes");
	ok(drift_model(d, NULL, NULL) == 0 && drift_model(d,
	    (const uint8_t *)"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", &err) ==
	    NPU_EUSAGE && strcmp(err.msg, "belongs to model 787878787878..., "
	    "those before it to 303132333435...") == 0, "a decoded state "
	    "belongs to its model and refuses another model");
	/* The window is (1,0) (3,4) (4,3): 0.8, 0.96, 1. */
	v = take(d, 4, 3);
	ok(v.window == 3 && v.history == 2 && near(v.similarity, 2.76 / 3),
	    "a decoded state has the same window");
	drift_close(d);
	d = opened(1, 1, 1, NAN, 1, 0);
	ok(decode(d, &b, NULL) == 0 && (v = take(d, 3, 4)).window == 1 &&
	    near(v.similarity, 0.96) && v.history == 1 &&
	    near(v.median, (0.6 + 0.8 + 0.96) / 3),
	    "a state with a larger window keeps the last vectors");
	drift_close(d);
	d = opened(1, 1, 1, NAN, 1, 0);
	buf_clear(&again);
	drift_encode(d, &again);
	ok(again.n == 88 && decode(d, &again, NULL) == 0,
	    "a state before the first vector is encoded and decoded");
	drift_close(d);
	buf_free(&again);
	buf_free(&b);
}

/* Returns a state with two earlier windows: (1,0) twice, then (-1,0) several
 * times, then one odd vector. */
static struct buf
state_away(void)
{
	struct drift *d = opened(2, 10, 1, 0.5, NAN, 0);
	struct buf b = { 0 };

	take_many(d, 3, 1, 0);
	take_many(d, 3, -1, 0);
	take(d, 0, 1);
	drift_encode(d, &b);
	drift_close(d);
	return b;
}

static void
away_and_back(void)
{
	struct drift *d = opened(2, 10, 1, 0.5, NAN, 0);
	struct buf b = state_away(), again = { 0 };

	/* 56 + 2 * 8 + 6 * 8 + 56 + 4 * 8 + 32 */
	ok(b.n == 240 && decode(d, &b, NULL) == 0,
	    "a state with usual vectors is decoded");
	drift_encode(d, &again);
	ok(again.n == b.n && memcmp(again.p, b.p, b.n) == 0,
	    "encoding a decoded state with usual vectors gives the same bytes");
	ok(near(take(d, -1, 0).usual, 1) && near(take(d, 1, 0).usual, 1),
	    "after decoding, the same vectors are usual");
	drift_close(d);
	buf_free(&again);
	buf_free(&b);
}

struct damage {
	const char *says;
	size_t at, size;
	uint64_t value;
	bool sign;		/* with the right checksum */
};

static const struct damage damages[] = {
	{ "not a state of vec-drift", 7, 1, '2', true },
	{ "is damaged", 60, 1, 1, false },
	{ "is damaged", 127, 1, 1, false },
	{ "offset 20 is 3", 20, 4, 3, true },
	{ "truncated or too long: 128 bytes, not ", 20, 4, 1, true },
	{ "vectors of 1048577 elements", 8, 4, DRIFT_DIM + 1, true },
	{ "3 vectors of 0 elements", 8, 4, 0, true },
	{ "10001 vectors", 12, 4, DRIFT_LENGTH + 1, true },
	{ "10001 similarities", 16, 4, DRIFT_LENGTH + 1, true },
	{ "truncated or too long: 128 bytes, not 136", 12, 4, 4, true },
	{ "vector 1 has a squared length of 0", 56, 4, 0, true },
	{ "vector 2 has a squared length of nan", 64, 4, 0x7fc00000, true },
	{ "similarity 1 is 2", 80, 8, 0x4000000000000000, true },
	{ "similarity 2 is nan", 88, 8, 0x7ff8000000000000, true },
};

/* For state_away(): the counts begin at offset 120, the limits at offset
 * 152. */
static const struct damage more_damages[] = {
	{ "and seven others is 7, but must be 0", 148, 4, 7, true },
	{ "10001 since then", 128, 4, DRIFT_LENGTH + 1, true },
	{ "240 bytes, not 248", 120, 4, 3, true },
	{ "240 bytes, not 232", 124, 4, 1, true },
	{ "240 bytes, not 248", 132, 4, 1, true },
	{ "state 1 needs 10001 vectors", 136, 4, DRIFT_LENGTH + 1, true },
	{ "state 3 needs 10001 vectors", 144, 4, DRIFT_LENGTH + 1, true },
	{ "limit of state 1 is 2", 152, 8, 0x4000000000000000, true },
	{ "limit of state 2 is -inf", 160, 8, 0xfff0000000000000, true },
	{ "vector 3 has a squared length of 0", 176, 4, 0, true },
	{ "vector 6 has a squared length of 4", 200, 4, 0x40000000, true },
	{ "offset 20 is 3, but must be 0, 1 or 2", 20, 4, 3, true },
};

/* Returns a state as an earlier version wrote it, with four counts and two
 * states. */
static struct buf
state_earlier(void)
{
	struct buf now = state_away(), b = { 0 };
	uint8_t digest[SHA256_DIGEST_LENGTH];
	uint32_t one = 1;
	SHA2_CTX sha;

	buf_add(&b, now.p, 136);
	buf_add(&b, now.p + 176, 32);
	memcpy(b.p + 20, &one, sizeof(one));
	SHA256Init(&sha);
	SHA256Update(&sha, (uint8_t *)b.p, b.n);
	SHA256Final(digest, &sha);
	buf_add(&b, digest, sizeof(digest));
	buf_free(&now);
	return b;
}

static const struct damage earlier_damages[] = {
	{ "and three others is 7, but must be 0", 132, 4, 7, true },
	{ "200 bytes, not 208", 120, 4, 3, true },
	{ "vector 3 has a squared length of 0", 136, 4, 0, true },
};

static void
earlier(void)
{
	struct drift *d = opened(2, 10, 1, 0.5, NAN, 0);
	struct buf b = state_earlier();

	ok(b.n == 200 && decode(d, &b, NULL) == 0,
	    "a state of an earlier version is decoded");
	ok(near(take(d, -1, 0).usual, 1) && near(take(d, 1, 0).usual, 1),
	    "a state of an earlier version has the same usual vectors");
	drift_close(d);
	buf_free(&b);
}

static void
refused_states(const struct damage *g, size_t n, struct buf (*made)(void))
{
	for (; n-- > 0; g++) {
		struct drift *d = opened(3, 2, 1, NAN, 1, 0);
		struct buf b = made();
		struct npu_err err = { 0 };
		uint8_t *p = (uint8_t *)b.p;
		SHA2_CTX sha;

		memcpy(p + g->at, &g->value, g->size);
		SHA256Init(&sha);
		SHA256Update(&sha, p, b.n - 32);
		if (g->sign)
			SHA256Final(p + b.n - 32, &sha);
		if (!ok(decode(d, &b, &err) == NPU_EFORMAT &&
		    strstr(err.msg, g->says) != NULL,
		    "a damaged state is refused: %s", g->says))
			diag("%s", err.msg);
		drift_close(d);
		buf_free(&b);
	}
}

static void
cut_states(struct buf (*made)(void))
{
	struct drift *d = opened(3, 2, 1, NAN, 1, 0);
	struct buf b = made();
	size_t n = b.n, refusals = 0;

	for (b.n = 0; b.n < n; b.n++)
		refusals += decode(d, &b, NULL) == NPU_EFORMAT;
	ok(refusals == n, "a state that is truncated anywhere is refused");
	drift_close(d);
	buf_free(&b);
}

int
main(void)
{
	medians();
	similarities();
	alarms();
	both_alarm();
	bursts();
	lasting();
	bursts_of_states();
	usual();
	mads();
	refused();
	there_and_back();
	away_and_back();
	refused_states(damages, sizeof(damages) / sizeof(*damages), state);
	refused_states(more_damages, sizeof(more_damages) /
	    sizeof(*more_damages), state_away);
	refused_states(earlier_damages, sizeof(earlier_damages) /
	    sizeof(*earlier_damages), state_earlier);
	earlier();
	cut_states(state);
	cut_states(state_away);
	cut_states(state_earlier);
	return done();
}
