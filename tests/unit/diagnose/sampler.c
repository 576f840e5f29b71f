// SPDX-License-Identifier: Apache-2.0
/* Measures the busy share of patterns of work whose share is known.  The test
 * has its own clock, and hours take no time. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "diagnose/sampler.h"
#include "stats/beta.h"
#include "tap.h"

#define MS UINT64_C(1000000)

enum {
	STEP = 10,		/* ms */
	LATE_US = 60,		/* the delay of a processor that wakes up */
};

/* A driver whose NPU is busy for a part of each period. */
struct driver {
	uint64_t now, period, busy;	/* ns */
	uint32_t cluster[2];	/* core_status of each cluster */
	uint32_t threads[32];
	int refuses;		/* number of the refused request; 0: none */
	int error;		/* errno of all requests */
	unsigned asked[32];	/* number of requests, by request number */
};

static int
driver_ioctl(void *arg, int fd, unsigned long request, void *answer)
{
	struct driver *d = arg;
	uint32_t *v = answer;
	int nr = request & 31;

	(void)fd;
	d->asked[nr]++;
	if (d->error != 0 || nr == d->refuses) {
		errno = d->error != 0 ? d->error : ENOTTY;
		return -1;
	}
	if (nr == 10)
		*v = d->now % d->period < d->busy ? KMD_BUSY : KMD_IDLE;
	else if (nr == 24)
		v[2] = d->cluster[v[0] & 1];
	else if (nr == 25)
		memcpy(v, d->threads, sizeof(d->threads));
	return 0;
}

static const struct kmd_cap one = { .partitions = 1, .first_clusters = 1,
    .cluster_cores = { 3 } };

static struct kmd
kmd_of(struct driver *d, enum kmd_generation g)
{
	return (struct kmd){ .fd = -1, .generation = g,
	    .ioctl = driver_ioctl, .arg = d };
}

/* ---- Shares ------------------------------------------------------------ */

/* Returns true if p is within the 95 % limits that npu-top prints for 'busy' of
 * n samples. */
static bool
is_within(double p, unsigned busy, unsigned n)
{
	return binomial_at_most(busy, n, 1 - p, p) >= 0.025 &&
	    (busy == 0 || 1 - binomial_at_most(busy - 1, n, 1 - p, p) >=
	    0.025);
}

/*
 * Samples a pattern in windows of half a second.  *mean is the mean of their
 * shares, *within the fraction of the windows whose limits contain the true
 * share.
 */
static void
measure(uint64_t period, uint64_t busy, uint64_t seed, double *mean,
    double *within)
{
	enum { WINDOWS = 1000, WINDOW = 500 };
	struct driver d = { .now = 12345 * MS, .period = period,
	    .busy = busy };
	struct kmd k = kmd_of(&d, KMD_424);
	double p = (double)busy / (double)period, sum = 0, good = 0;
	uint64_t end = d.now;
	struct sampler s;

	sampler_start(&s, STEP * MS, seed, d.now, &k, &one);
	for (int i = 0; i < WINDOWS; i++) {
		end += WINDOW * MS;
		while (s.at < end) {
			d.now = s.at + LATE_US * 1000;
			sampler_sample(&s, &k, d.now, NULL);
		}
		sum += (double)s.counts.busy / s.counts.samples;
		good += is_within(p, s.counts.busy, s.counts.samples);
		sampler_clear(&s);
	}
	*mean = sum / WINDOWS;
	*within = good / WINDOWS;
}

/* Periods in us: the windows, the steps, parts and multiples of the steps, and
 * other periods. */
static const struct {
	uint64_t period, busy;
} patterns[] = {
	{ 500000, 125000 }, { 500000, 5000 }, { 250000, 200000 },
	{ 10000, 2500 }, { 10000, 9000 }, { 5000, 1250 }, { 20000, 10000 },
	{ 30000, 1000 }, { 15500, 15000 }, { 1000, 300 }, { 33333, 11111 },
	{ 1000000, 500000 }, { 9990, 4995 }, { 100000, 100000 },
};

static void
shares(void)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		double p = (double)patterns[i].busy /
		    (double)patterns[i].period, mean, within;
		/* Five standard deviations of 50000 samples. */
		double error = 5 * sqrt(p * (1 - p) / 50000) + 1e-9;

		measure(patterns[i].period * 1000, patterns[i].busy * 1000,
		    i + 1, &mean, &within);
		if (!ok(fabs(mean - p) <= error,
		    "the measured share is right: %llu us of every %llu",
		    (unsigned long long)patterns[i].busy,
		    (unsigned long long)patterns[i].period))
			diag("%g instead of %g", mean, p);
		/* In a part of a long period, the share is different. */
		if (patterns[i].period > 500000 || p == 1)
			continue;
		if (!ok(within >= 0.95, "at least 95 %% of the windows have "
		    "limits with the true share"))
			diag("the fraction is %g", within);
	}
}

static void
seeds(void)
{
	double mean[2], within;

	measure(3333333, 1111111, 1, &mean[0], &within);
	measure(3333333, 1111111, 2, &mean[1], &within);
	ok(mean[0] != mean[1], "another seed gives other sampling times");
}

/* ---- Times ------------------------------------------------------------- */

static void
times(void)
{
	struct driver d = { .now = 7 * MS, .period = 1, .busy = 1 };
	struct kmd k = kmd_of(&d, KMD_424);
	unsigned wrong = 0;
	struct sampler s;

	sampler_start(&s, STEP * MS, 1, d.now, &k, &one);
	for (uint64_t i = 0; i < 10000; i++) {
		wrong += s.at < (7 + STEP * i) * MS ||
		    s.at >= (7 + STEP * (i + 1)) * MS;
		d.now = s.at;
		sampler_sample(&s, &k, d.now, NULL);
	}
	ok(wrong == 0, "the driver is asked once in each step");
	d.now = s.at + 3600000 * MS;
	sampler_sample(&s, &k, d.now, NULL);
	ok(s.counts.samples == 10001 && s.at > d.now &&
	    s.at < d.now + 2 * STEP * MS, "missed samples are skipped");
}

/* ---- Cores and threads ------------------------------------------------- */

static void
cores(void)
{
	struct driver d = { .period = 1, .cluster = { 5, ~1u } };
	struct kmd k = kmd_of(&d, KMD_200);
	struct kmd_cap two = { .partitions = 1, .first_clusters = 2,
	    .cluster_cores = { 3, 1 } };
	struct sampler_counts *c;
	struct sampler s;

	sampler_start(&s, STEP * MS, 1, 0, &k, &two);
	c = &s.counts;
	for (int i = 0; i < 10; i++) {
		d.cluster[0] = i < 4 ? 5 : 7;	/* core 1 busy, then none */
		sampler_sample(&s, &k, s.at, NULL);
	}
	ok(c->has_cores && c->cores == 4 && c->core[0].busy == 0 &&
	    c->core[1].busy == 4 && c->core[2].busy == 0 &&
	    c->core[3].busy == 10,
	    "a bit of 0 in core_status means a busy core");
	ok(c->core[2].cluster == 0 && c->core[2].core == 2 &&
	    c->core[3].cluster == 1 && c->core[3].core == 0 &&
	    d.asked[24] == 20, "the driver is asked for each cluster");
	sampler_clear(&s);
	ok(c->samples == 0 && c->core[3].busy == 0 && c->cores == 4,
	    "sampler_clear() sets all counts to 0");
	d.refuses = 24;
	sampler_sample(&s, &k, s.at, NULL);
	sampler_sample(&s, &k, s.at, NULL);
	ok(!c->has_cores && c->samples == 2 && d.asked[24] == 21,
	    "a driver without core_status is asked for it once");
}

static void
no_cores(void)
{
	struct driver d = { .period = 1 };
	struct kmd k = kmd_of(&d, KMD_424);
	struct kmd_cap cap = one;
	struct sampler s;

	sampler_start(&s, STEP * MS, 1, 0, &k, &one);
	sampler_sample(&s, &k, s.at, NULL);
	ok(!s.counts.has_cores && !s.counts.has_threads &&
	    d.asked[24] == 0 && d.asked[25] == 0,
	    "an older driver, in which requests 24 and 25 differ, is not "
	    "asked");
	k.generation = KMD_200;
	cap.partitions = 2;
	sampler_start(&s, STEP * MS, 1, 0, &k, &cap);
	ok(!s.counts.has_cores, "with two partitions, cores are not counted");
	cap = (struct kmd_cap){ .partitions = 1, .first_clusters = 1,
	    .cluster_cores = { 33 } };
	sampler_start(&s, STEP * MS, 1, 0, &k, &cap);
	ok(!s.counts.has_cores, "with 33 cores in a cluster, which has 32 "
	    "bits, cores are not counted");
	cap = (struct kmd_cap){ .partitions = 1, .first_clusters = 3,
	    .cluster_cores = { 32, 32, 1 } };
	sampler_start(&s, STEP * MS, 1, 0, &k, &cap);
	ok(!s.counts.has_cores && s.counts.cores <= SAMPLER_CORES,
	    "with 65 cores in all, cores are not counted");
}

static void
threads(void)
{
	struct driver d = { .period = 1, .threads = { 0, 70, 71, 70 } };
	struct kmd k = kmd_of(&d, KMD_200);
	struct sampler_counts *c;
	struct sampler s;

	sampler_start(&s, STEP * MS, 1, 0, &k, &one);
	c = &s.counts;
	sampler_sample(&s, &k, s.at, NULL);
	d.threads[2] = 0;
	sampler_sample(&s, &k, s.at, NULL);
	ok(c->has_threads && c->threads == 2 && c->thread[0].id == 70 &&
	    c->thread[0].busy == 2 && c->thread[1].id == 71 &&
	    c->thread[1].busy == 1, "each thread is counted once in a sample");
	for (uint32_t i = 0; i < 100; i++) {
		d.threads[0] = 1000 + i;
		sampler_sample(&s, &k, s.at, NULL);
	}
	ok(c->threads == SAMPLER_THREADS && c->thread[0].busy == 102 &&
	    c->thread[63].id == 1061, "only the first 64 threads are kept");
	d.refuses = 25;
	sampler_sample(&s, &k, s.at, NULL);
	sampler_sample(&s, &k, s.at, NULL);
	ok(!c->has_threads && c->samples == 104 && d.asked[25] == 103,
	    "a driver that does not list its threads is asked once");
}

static void
failures(void)
{
	struct driver d = { .period = 1, .error = EIO };
	struct kmd k = kmd_of(&d, KMD_200);
	struct npu_err err = { .msg = "" };
	struct sampler s;

	sampler_start(&s, STEP * MS, 1, 0, &k, &one);
	ok(sampler_sample(&s, &k, s.at, &err) == NPU_EDEVICE &&
	    err.detail == EIO && s.counts.samples == 0 && d.asked[24] == 0,
	    "a failed query is not counted as a sample");
}

int
main(void)
{
	shares();
	seeds();
	times();
	cores();
	no_cores();
	threads();
	failures();
	return done();
}
