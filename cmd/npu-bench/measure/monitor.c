// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "cmd.h"
#include "host/machine.h"
#include "host/process.h"
#include "monitor.h"
#include "stats/warning.h"

#define HOT_KELVIN 10		/* a rise of more, W-HOT */
#define DROP 0.05		/* a frequency that falls by more, W-HOT;
				   kernels do not measure better */
#define BUSY_CORES 0.05		/* of others, W-BUSY */

/* Several sensors and how often each was seen. */
struct series {
	struct bench_items items;
	unsigned seen[BENCH_ITEMS];
	bool follows[BENCH_ITEMS];	/* a clock that the load moves */
};

/* The ticks of a process; its last ones stay when it is gone. */
struct own {
	pid_t pid;		/* 0: this one */
	bool known;
	uint64_t begin, last;
};

struct watch {
	struct watch_plan plan;
	/* Power: which sensors, and how many they are. */
	bool chips;		/* of hwmon; else supplies */
	unsigned sensors;	/* 0: none */
	char power[64], no_power[128];
	double idle_busy, idle_watts;

	/* The window. */
	struct series temps, freqs;
	struct host_cpu cpu_begin, cpu_last;
	bool has_cpu;
	struct own *own;
	unsigned owns;
	uint64_t begin_ns, last_ns;
	uint64_t spent_ns;	/* processor time of ours */
	double joules, last_watts;	/* NAN: a sensor did not answer */
	char holder[64];

	struct host_items found, more;	/* just read */
	struct host_freqs clocks;
};

/* ---- Power ------------------------------------------------------------ */

static void
add_name(char *list, size_t size, const char *name)
{
	size_t at = strlen(list);

	snprintf(list + at, size - at, "%s%s", at > 0 ? ", " : "", name);
}

/* The sensors that are to be added up, into w->found. */
static void
read_sensors(struct watch *w)
{
	struct host_items *f = &w->found;
	size_t n = 0;

	f->n = 0;
	if (w->chips)
		host_read_power(w->plan.root, f, NULL);
	if (!w->chips || w->plan.power != NULL)
		host_read_supplies(w->plan.root, f, NULL);
	if (w->plan.power == NULL)
		return;
	for (size_t i = 0; i < f->n; i++)
		if (host_in_list(w->plan.power, f->item[i].name))
			f->item[n++] = f->item[i];
	f->n = n;
}

/* NAN unless all of them answer. */
static double
read_watts(struct watch *w)
{
	double sum = 0;

	if (w->sensors == 0)
		return NAN;
	read_sensors(w);
	for (size_t i = 0; i < w->found.n; i++)
		sum += w->found.item[i].value;
	return w->found.n == w->sensors ? sum : NAN;
}

/*
 * What is one sum without counting anything twice: the sensors that were named;
 * the only sensor of hwmon, for one of several may measure what others do, too;
 * or all supplies, which feed the machine side by side.
 */
static void
choose_sensors(struct watch *w)
{
	char names[sizeof(w->no_power)] = "";

	host_read_power(w->plan.root, &w->more, NULL);
	w->chips = w->more.n > 0;
	read_sensors(w);
	for (size_t i = 0; i < w->found.n; i++)
		add_name(names, sizeof(names), w->found.item[i].name);
	cmd_printable(names, strlen(names));
	w->sensors = (unsigned)w->found.n;
	if (w->sensors == 0 && w->plan.power != NULL) {
		snprintf(w->no_power, sizeof(w->no_power),
		    "no power sensor is called %s", w->plan.power);
	} else if (w->sensors == 0) {
		strcpy(w->no_power, "no power sensor in /sys/class/hwmon or "
		    "/sys/class/power_supply");
	} else if (w->sensors > 1 && w->chips && w->plan.power == NULL) {
		snprintf(w->no_power, sizeof(w->no_power), "%u sensors, and "
		    "one may be part of another (--power=LIST): %s",
		    w->sensors, names);
		w->sensors = 0;
	} else {
		snprintf(w->power, sizeof(w->power), "%s", names);
	}
}

/* ---- Series ----------------------------------------------------------- */

/* One more value of the sensor of that name; mean holds the sum so far. */
static void
add_value(struct series *s, const char *name, double v, bool follows)
{
	char printable[sizeof(s->items.item[0].name)];
	struct bench_item *t;
	unsigned i = 0;

	snprintf(printable, sizeof(printable), "%s", name);
	cmd_printable(printable, strlen(printable));
	while (i < s->items.n && strcmp(s->items.item[i].name, printable) != 0)
		i++;
	if (i == BENCH_ITEMS)
		return;
	t = &s->items.item[i];
	if (i == s->items.n) {
		*t = (struct bench_item){ .first = v, .min = v, .max = v };
		strcpy(t->name, printable);
		s->seen[i] = 0;
		s->follows[i] = follows;
		s->items.n++;
	}
	t->last = v;
	t->min = fmin(t->min, v);
	t->max = fmax(t->max, v);
	t->mean += v;
	s->seen[i]++;
}

static void
read_temps(struct watch *w)
{
	struct host_items *f = &w->found;

	f->n = 0;
	host_read_zones(w->plan.root, f, NULL);
	if (f->n == 0)
		host_read_hwmon(w->plan.root, f, NULL);
	for (size_t i = 0; i < f->n; i++)
		add_value(&w->temps, f->item[i].name, f->item[i].value, false);
}

static void
read_freqs(struct watch *w)
{
	host_read_freqs(w->plan.root, &w->clocks, NULL);
	for (size_t i = 0; i < w->clocks.n; i++) {
		const struct host_freq *q = &w->clocks.freq[i];

		if (!isnan(q->mhz))
			add_value(&w->freqs, q->name, q->mhz,
			    host_follows_load(q->governor));
	}
}

static void
take_items(const struct series *s, struct bench_items *out)
{
	*out = s->items;
	for (unsigned i = 0; i < out->n; i++)
		out->item[i].mean /= s->seen[i];
}

/* W-HOT.  A clock that follows the load drops when it has nothing to do. */
static bool
is_hot(const struct watch *w)
{
	for (unsigned i = 0; i < w->temps.items.n; i++) {
		const struct bench_item *t = &w->temps.items.item[i];

		if (t->max > t->first + HOT_KELVIN)
			return true;
	}
	for (unsigned i = 0; i < w->freqs.items.n; i++) {
		const struct bench_item *t = &w->freqs.items.item[i];

		if (!w->freqs.follows[i] && t->min < t->first * (1 - DROP))
			return true;
	}
	return false;
}

/* ---- Processors ------------------------------------------------------- */

static void
read_own(struct watch *w, bool first)
{
	for (unsigned i = 0; i < w->owns; i++) {
		struct own *o = &w->own[i];
		uint64_t ticks;

		if (host_read_ticks(w->plan.root, o->pid, &ticks, NULL) < 0)
			continue;
		if (first) {
			o->known = true;
			o->begin = ticks;
		}
		o->last = ticks;
	}
}

/* Processors that neither the run's processes nor this one kept busy. */
static double
others(const struct watch *w, const struct host_span *s)
{
	double own = 0;

	for (unsigned i = 0; i < w->owns; i++)
		if (w->own[i].known && w->own[i].last > w->own[i].begin)
			own += (double)(w->own[i].last - w->own[i].begin);
	return fmax(0, s->processes - own) / (s->all / w->cpu_last.count);
}

static void
take_processors(const struct watch *w, struct bench_watched *out)
{
	struct host_span s = { 0, 0, 0 };

	if (w->has_cpu)
		s = host_cpu_span(&w->cpu_begin, &w->cpu_last);
	out->busy = s.all > 0 ? s.busy / s.all : NAN;
	out->others = s.all > 0 ? others(w, &s) : NAN;
}

/* ---- The window ------------------------------------------------------- */

static uint64_t
spent(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Power first: its moment is the one that is known. */
static void
look(struct watch *w, bool first)
{
	uint64_t before = spent(), now = clock_ns();
	double watts = read_watts(w);

	if (!first)
		w->joules += (double)(now - w->last_ns) / 1e9 *
		    (watts + w->last_watts) / 2;
	w->last_ns = now;
	w->last_watts = watts;
	read_own(w, first);
	w->has_cpu = (first || w->has_cpu) &&
	    host_read_cpu(w->plan.root, &w->cpu_last, NULL) == 0;
	if (first)
		w->cpu_begin = w->cpu_last;
	read_temps(w);
	read_freqs(w);
	w->spent_ns += spent() - before;
}

void
watch_begin(struct watch *w, const pid_t *pids, unsigned n)
{
	w->own = cmd_realloc(w->own, (n + 1) * sizeof(*w->own));
	w->owns = n + 1;
	for (unsigned i = 0; i < n; i++)
		w->own[i] = (struct own){ .pid = pids[i] };
	w->own[n] = (struct own){ .pid = 0 };
	w->temps.items.n = w->freqs.items.n = 0;
	w->joules = 0;
	w->spent_ns = 0;
	w->holder[0] = '\0';
	if (w->plan.node != NULL)
		host_find_holder(w->plan.root, w->plan.node, pids, n,
		    w->holder, sizeof(w->holder));
	look(w, true);
	w->begin_ns = w->last_ns;
}

void
watch_tick(struct watch *w)
{
	look(w, false);
}

/* Who has the device open now, for those who came later. */
static void
find_holder(struct watch *w)
{
	pid_t *pids = cmd_alloc(w->owns * sizeof(*pids));

	for (unsigned i = 0; i < w->owns; i++)
		pids[i] = w->own[i].pid;
	host_find_holder(w->plan.root, w->plan.node, pids, w->owns,
	    w->holder, sizeof(w->holder));
	free(pids);
}

static void
take_power(const struct watch *w, double seconds, struct bench_watched *out)
{
	out->joules = out->watts = NAN;
	strcpy(out->power, w->power);
	strcpy(out->no_power, w->no_power);
	if (w->sensors == 0)
		return;
	out->joules = w->joules;
	out->watts = w->joules / seconds;
	if (isnan(w->joules)) {
		out->power[0] = '\0';
		snprintf(out->no_power, sizeof(out->no_power),
		    "did not always answer: %s", w->power);
	}
}

void
watch_end(struct watch *w, struct bench_watched *out)
{
	double seconds;

	look(w, false);
	seconds = (double)(w->last_ns - w->begin_ns) / 1e9;
	if (w->plan.node != NULL && w->holder[0] == '\0')
		find_holder(w);
	*out = (struct bench_watched){ .hot = is_hot(w),
	    .idle_busy = w->idle_busy, .idle_watts = w->idle_watts };
	take_items(&w->temps, &out->temps);
	take_items(&w->freqs, &out->freqs);
	take_processors(w, out);
	take_power(w, seconds, out);
	out->watch_cores = (double)w->spent_ns / 1e9 / seconds;
	strcpy(out->holder, w->holder);
	cmd_printable(out->holder, strlen(out->holder));
}

/* ---- Before and after ------------------------------------------------- */

struct watch *
watch_open(const struct watch_plan *plan)
{
	struct watch *w = cmd_alloc(sizeof(*w));

	w->plan = *plan;
	w->idle_busy = w->idle_watts = NAN;
	choose_sensors(w);
	return w;
}

void
watch_close(struct watch *w)
{
	if (w != NULL)
		free(w->own);
	free(w);
}

bool
watch_has_power(const struct watch *w)
{
	return w->sensors > 0;
}

void
watch_idle(struct watch *w, uint64_t ns)
{
	uint64_t step = WATCH_TICK_MS * UINT64_C(1000000), left;
	struct bench_watched seen;
	struct timespec t;

	watch_begin(w, NULL, 0);
	while (w->last_ns - w->begin_ns < ns && !cmd_stop) {
		left = ns - (w->last_ns - w->begin_ns);
		left = left < step ? left : step;
		t.tv_sec = (time_t)(left / 1000000000);
		t.tv_nsec = (long)(left % 1000000000);
		nanosleep(&t, NULL);
		watch_tick(w);
	}
	watch_end(w, &seen);
	w->idle_busy = seen.busy;
	w->idle_watts = seen.watts;
}

/* A comparison with NAN is false: what is not known is no reason to warn. */
unsigned
watch_warnings(const struct bench_host *h, const struct bench_watched *s)
{
	unsigned found = 0;

	if (h->governor[0] != '\0' && strcmp(h->governor, "performance") != 0)
		found |= 1u << WARNING_GOV;
	if (s->hot)
		found |= 1u << WARNING_HOT;
	if (s->others > BUSY_CORES || s->holder[0] != '\0')
		found |= 1u << WARNING_BUSY;
	return found;
}
