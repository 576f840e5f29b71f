// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "diagnose/activity_impl.h"
#include "diagnose/health/impl.h"
#include "host/platform.h"

#define MS UINT64_C(1000000)

enum { RETRY_S = 10 };		/* between searches for a device */

/* The share of a processor above which questions become rarer, and below which
 * they become more frequent.  The search for holders has its own limit. */
static const double most_self = 0.006, least_self = 0.002;

static uint64_t
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * ACTIVITY_SECOND + (uint64_t)t.tv_nsec;
}

/* ---- The driver -------------------------------------------------------- */

static bool
stat_node(const struct activity *a, struct stat *st)
{
	char *full;
	int rc;

	if (asprintf(&full, "%s%s", a->root, a->node) < 0)
		return false;
	rc = stat(full, st);
	free(full);
	return rc == 0;
}

/* Returns whether the node is still the open node.  A fake node is a file,
 * which may have been rewritten. */
static bool
is_same_node(const struct stat *x, const struct stat *y)
{
	return x->st_dev == y->st_dev && x->st_ino == y->st_ino &&
	    x->st_rdev == y->st_rdev && (!S_ISREG(x->st_mode) ||
	    (x->st_size == y->st_size &&
	    x->st_mtim.tv_sec == y->st_mtim.tv_sec &&
	    x->st_mtim.tv_nsec == y->st_mtim.tv_nsec));
}

static void
close_driver(struct activity *a)
{
	if (a->here)
		kmd_close(&a->kmd);
	a->here = false;
}

static void
find_device(struct activity *a)
{
	char name[SYS_NAME], alias[SYS_WORD];

	a->device[0] = '\0';
	a->device_ns = clock_ns();
	if (health_find_device(a->root, name, alias, &a->trouble))
		snprintf(a->device, sizeof(a->device),
		    "/sys/bus/platform/devices/%s", name);
}

/* Finds the node's path as shown in /proc/PID/fd. */
static void
find_real_node(struct activity *a)
{
	free(a->real_node);
	a->real_node = *a->root == '\0' ? realpath(a->node, NULL) :
	    strdup(a->node);
	if (a->real_node == NULL)
		host_note_error(&a->trouble, a->root, a->node, errno);
	a->search_ns = 0;
}

static int
open_driver(struct activity *a)
{
	struct kmd_cap cap;
	int rc;

	a->hidden[ACTIVITY_STATUS][0] = '\0';
	if (!stat_node(a, &a->identity))
		return npu_fail_detail(&a->gone, NPU_ENODEV, errno,
		    "%s%s: %s", a->root, a->node, strerror(errno));
	rc = kmd_open(&a->kmd, a->root, a->node, &a->gone);
	if (rc < 0 && (a->gone.detail == EACCES || a->gone.detail == EPERM))
		host_describe_readers(a->root, a->node,
		    a->hidden[ACTIVITY_STATUS], HEALTH_TEXT);
	if (rc < 0) {
		a->gone.code = NPU_ENODEV;	/* for any error */
		return rc;
	}
	if ((rc = kmd_query(&a->kmd, &cap, &a->gone)) < 0) {
		kmd_close(&a->kmd);
		npu_prefix(&a->gone, rc, "%s%s", a->root, a->node);
		a->gone.code = NPU_ENODEV;
		return rc;
	}
	a->here = true;
	if (kmd_version(&a->kmd, a->driver_version,
	    sizeof(a->driver_version), NULL) < 0)
		a->driver_version[0] = '\0';
	sampler_start(&a->sampler, a->step, a->seed++, clock_ns(), &a->kmd,
	    &cap);
	find_device(a);
	find_real_node(a);
	return 0;
}

uint64_t
activity_next(const struct activity *a)
{
	return a->here ? a->sampler.at : UINT64_MAX;
}

void
activity_sample(struct activity *a)
{
	if (a->here && sampler_sample(&a->sampler, &a->kmd, clock_ns(),
	    &a->gone) < 0)
		close_driver(a);
}

/* Closes a node that was removed, and opens a node that came back. */
static void
recheck_node(struct activity *a)
{
	struct stat st;

	if (a->here && (!stat_node(a, &st) || !is_same_node(&a->identity,
	    &st))) {
		npu_fail(&a->gone, NPU_ENODEV, "%s%s: it was removed",
		    a->root, a->node);
		close_driver(a);
	}
	if (!a->here)
		open_driver(a);
}

/* ---- Holders of the node ----------------------------------------------- */

static void
search_holders(struct activity *a)
{
	struct host_holders *h = &a->holders;
	uint64_t begin = cpu_ns(), took;

	a->holders_ns = clock_ns();
	host_list_holders(a->root, a->real_node, h, &a->trouble);
	took = cpu_ns() - begin;
	a->searched_ns += took;
	a->search_ns = a->holders_ns + ACTIVITY_RARE * took;
	a->has_holders = true;
	host_describe_hidden(h, a->hidden[ACTIVITY_HOLDERS], HEALTH_TEXT);
}

static void
read_holders(struct activity *a, struct activity_reading *r)
{
	if (!a->here)
		a->has_holders = false;
	else if (a->real_node != NULL && clock_ns() >= a->search_ns)
		search_holders(a);
	r->has_holders = a->has_holders;
	r->holders_age = (double)(clock_ns() - a->holders_ns) / 1e9;
	r->holders = a->holders;
	if (!a->has_holders)
		r->holders.n = r->holders.more = r->holders.hidden = 0;
}

static void
name_threads(struct activity *a, struct activity_reading *r)
{
	for (unsigned i = 0; i < r->counts.threads; i++) {
		struct activity_thread *t = &r->thread[i];
		struct npu_err err;
		uint64_t pid;

		*t = (struct activity_thread){
			.id = (pid_t)r->counts.thread[i].id,
			.busy = r->counts.thread[i].busy };
		if (t->id <= 0)
			continue;
		if (host_read_group(a->root, t->id, &pid, &err) == 0)
			t->pid = (pid_t)pid;
		else
			host_note(&a->trouble, &err);
		host_read_command(a->root, t->id, t->command, &a->trouble);
	}
}

/* ---- Readings ---------------------------------------------------------- */

/* Doubles or halves the time between questions, depending on the processor time
 * they took. */
static void
adapt_step(struct activity *a, uint64_t now)
{
	double self;

	if (now - a->judged_ns < ACTIVITY_SECOND)
		return;
	self = (double)(cpu_ns() - a->judged_self_ns - a->searched_ns) /
	    (double)(now - a->judged_ns);
	if (self > most_self && a->step < ACTIVITY_SLOW_MS * MS)
		a->step *= 2;
	else if (self < least_self && a->step > ACTIVITY_STEP_MS * MS)
		a->step /= 2;
	a->sampler.step = a->step;
	a->judged_ns = now;
	a->judged_self_ns = cpu_ns();
	a->searched_ns = 0;
}

void
activity_read(struct activity *a, struct activity_reading *r)
{
	struct activity_totals now;
	uint64_t self;

	memset(a->hidden, 0, ACTIVITY_HOLDERS * sizeof(a->hidden[0]));
	memcpy(&r->counts, &a->sampler.counts, sizeof(r->counts));
	sampler_clear(&a->sampler);
	recheck_node(a);
	if (a->device[0] == '\0' &&
	    clock_ns() - a->device_ns >= RETRY_S * ACTIVITY_SECOND)
		find_device(a);
	activity_totals(a, &now);
	r->seconds = (double)(now.ns - a->last.ns) / 1e9;
	r->active = activity_active(&a->last, &now);
	r->interrupts = activity_interrupts(&a->last, &now);
	a->last = now;
	r->mhz = activity_mhz(a);
	activity_power(a, r);
	activity_sensors(a, r);
	read_holders(a, r);
	name_threads(a, r);
	r->here = a->here;
	r->gone = a->gone;
	strcpy(r->driver_version, a->here ? a->driver_version : "");
	memcpy(r->hidden, a->hidden, sizeof(r->hidden));
	r->trouble = a->trouble;
	self = cpu_ns();
	r->self = (double)(self - a->self_ns) / 1e9 / r->seconds;
	a->self_ns = self;
	adapt_step(a, now.ns);
}

int
activity_open(struct activity **activity, const char *root, const char *node,
    uint64_t seed, struct npu_err *err)
{
	struct activity *a = calloc(1, sizeof(*a));
	int rc;

	if (a != NULL)
		a->interrupts = malloc(ACTIVITY_INTERRUPTS_SIZE);
	if (a == NULL || a->interrupts == NULL) {
		free(a);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	a->root = root;
	a->node = node;
	a->seed = seed;
	a->step = ACTIVITY_STEP_MS * MS;
	a->kmd.fd = -1;
	rc = open_driver(a);
	if (rc < 0 && a->hidden[ACTIVITY_STATUS][0] == '\0') {
		if (err != NULL)
			*err = a->gone;
		activity_close(a);
		return rc;
	}
	find_device(a);
	activity_totals(a, &a->last);
	a->self_ns = a->judged_self_ns = cpu_ns();
	a->judged_ns = a->last.ns;
	*activity = a;
	return 0;
}

void
activity_close(struct activity *a)
{
	if (a == NULL)
		return;
	close_driver(a);
	free(a->real_node);
	free(a->interrupts);
	free(a);
}
