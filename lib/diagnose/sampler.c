// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "diagnose/sampler.h"

enum { BITS = 32 };		/* cores of a cluster that have a bit */

/* ---- Times ------------------------------------------------------------- */

/* Returns a random number from 0 to n - 1, n < 2^32: the upper half of Knuth's
 * congruential generator (MMIX; The Art of Computer Programming 2, 3.3.4). */
static uint64_t
random_below(struct sampler *s, uint64_t n)
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	return (s->random >> 32) * n >> 32;
}

/* Chooses the next step whose time has not passed. */
static void
choose_time(struct sampler *s, uint64_t now)
{
	if (now > s->begin + s->step)
		s->begin += (now - s->begin) / s->step * s->step;
	else
		s->begin += s->step;
	s->at = s->begin + random_below(s, s->step);
	if (s->at <= now) {
		s->begin += s->step;
		s->at = s->begin + random_below(s, s->step);
	}
}

/* ---- Counts ------------------------------------------------------------ */

/* Cores can be distinguished only if there is a single partition. */
static void
name_cores(struct sampler_counts *c, const struct kmd_cap *cap)
{
	c->cores = 0;
	c->has_cores = cap->partitions == 1;
	for (uint32_t i = 0; i < cap->first_clusters; i++) {
		if (cap->cluster_cores[i] > BITS ||
		    cap->cluster_cores[i] > SAMPLER_CORES - c->cores) {
			c->has_cores = false;
			return;
		}
		for (uint32_t k = 0; k < cap->cluster_cores[i]; k++) {
			c->core[c->cores].cluster = i;
			c->core[c->cores++].core = k;
		}
	}
}

void
sampler_start(struct sampler *s, uint64_t step, uint64_t seed, uint64_t now,
    const struct kmd *k, const struct kmd_cap *cap)
{
	memset(s, 0, sizeof(*s));
	s->step = step;
	s->random = seed;
	s->begin = now;
	s->at = now + random_below(s, step);
	if (k->generation != KMD_200)
		return;
	name_cores(&s->counts, cap);
	s->counts.has_threads = true;
}

void
sampler_clear(struct sampler *s)
{
	struct sampler_counts *c = &s->counts;

	c->samples = c->busy = c->exceptions = 0;
	for (unsigned i = 0; i < c->cores; i++)
		c->core[i].busy = 0;
	c->threads = 0;
}

/* A core's bit is 0 while it is busy (kernel-driver 6).  If the driver does not
 * answer, it is not asked again. */
static void
ask_cores(struct sampler_counts *c, struct kmd *k)
{
	uint32_t v[3] = { 0, 0, 0 }, idle[KMD_PARTS] = { 0 };
	uint32_t cluster;

	for (unsigned i = 0; i < c->cores && c->has_cores; i++) {
		cluster = c->core[i].cluster;
		if (i > 0 && c->core[i - 1].cluster == cluster)
			continue;
		v[0] = cluster;
		c->has_cores = kmd_ask(k, KMD_CLUSTER_STATUS, v, sizeof(v),
		    NULL) == 0;
		idle[cluster] = v[2];
	}
	for (unsigned i = 0; i < c->cores && c->has_cores; i++)
		c->core[i].busy += (idle[c->core[i].cluster] >>
		    c->core[i].core & 1) == 0;
}

static void
count_thread(struct sampler_counts *c, uint32_t id)
{
	unsigned i = 0;

	while (i < c->threads && c->thread[i].id != id)
		i++;
	if (i == SAMPLER_THREADS)
		return;
	if (i == c->threads) {
		c->thread[i].id = id;
		c->thread[i].busy = 0;
		c->threads++;
	}
	c->thread[i].busy++;
}

/* A thread with several jobs may be listed several times. */
static void
ask_threads(struct sampler_counts *c, struct kmd *k)
{
	uint32_t id[32];
	unsigned n;

	memset(id, 0, sizeof(id));
	if (kmd_ask(k, KMD_JOB_THREADS, id, sizeof(id), NULL) < 0) {
		c->has_threads = false;
		return;
	}
	for (unsigned i = 0; i < 32; i++) {
		for (n = 0; n < i && id[n] != id[i]; n++)
			;
		if (n == i && id[i] != 0)
			count_thread(c, id[i]);
	}
}

int
sampler_sample(struct sampler *s, struct kmd *k, uint64_t now,
    struct npu_err *err)
{
	struct sampler_counts *c = &s->counts;
	uint32_t status = KMD_IDLE;
	int rc;

	choose_time(s, now);
	if ((rc = kmd_ask(k, KMD_HW_STATUS, &status, sizeof(status), err)) < 0)
		return rc;
	c->status = status;
	c->samples++;
	c->busy += status == KMD_BUSY;
	c->exceptions += status == KMD_EXCEPTION;
	if (c->has_cores)
		ask_cores(c, k);
	if (c->has_threads)
		ask_threads(c, k);
	return 0;
}
