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

#define HOT_KELVIN 10		/* a larger rise causes W-HOT */
#define DROP 0.05		/* a frequency that falls by more causes
				   W-HOT; kernels measure no better */
#define BUSY_CORES 0.05		/* a higher load by other processes causes
				   W-BUSY */

/* Readings of several sensors. */
struct series {
	struct bench_sensors items;
	unsigned seen[BENCH_SENSORS];	/* number of readings */
	bool follows[BENCH_SENSORS];	/* the frequency follows the load */
};

/* The clock ticks of a process; after its exit, the last ones stay. */
struct process_ticks {
	pid_t pid;		/* 0: this process */
	bool known;
	uint64_t begin, last;
};

struct monitor {
	struct monitor_options options;
	/* Power. */
	bool chips;		/* sensors are from hwmon; else supplies */
	unsigned sensors;	/* 0: not measured */
	char power[64], no_power[128];
	double idle_busy, idle_watts;

	/* The window. */
	struct series temps, freqs;
	struct host_cpu cpu_begin, cpu_last;
	bool has_cpu;
	struct process_ticks *process;
	unsigned processes;
	uint64_t begin_ns, last_ns;
	uint64_t spent_ns;	/* processor time used by the monitor itself */
	double joules, last_watts;	/* NAN: a sensor could not be read */
	char holder[64];

	struct host_items found, more;	/* scratch buffers */
	struct host_freqs clocks;
};

/* ---- Power ------------------------------------------------------------ */

static void
add_name(char *list, size_t size, const char *name)
{
	size_t at = strlen(list);

	snprintf(list + at, size - at, "%s%s", at > 0 ? ", " : "", name);
}

/* Reads the sensors to be added up into m->found. */
static void
read_sensors(struct monitor *m)
{
	struct host_items *f = &m->found;
	size_t n = 0;

	f->n = 0;
	if (m->chips)
		host_read_power(m->options.root, f, NULL);
	if (!m->chips || m->options.power != NULL)
		host_read_supplies(m->options.root, f, NULL);
	if (m->options.power == NULL)
		return;
	for (size_t i = 0; i < f->n; i++)
		if (host_in_list(m->options.power, f->item[i].name))
			f->item[n++] = f->item[i];
	f->n = n;
}

/* Returns their sum; NAN unless all sensors could be read. */
static double
read_watts(struct monitor *m)
{
	double sum = 0;

	if (m->sensors == 0)
		return NAN;
	read_sensors(m);
	for (size_t i = 0; i < m->found.n; i++)
		sum += m->found.item[i].value;
	return m->found.n == m->sensors ? sum : NAN;
}

/*
 * Chooses sensors whose sum counts nothing twice: those that --power names;
 * else the only sensor of hwmon, because with several, one may be a part of
 * another; else all supplies, which feed the machine in parallel.
 */
static void
choose_sensors(struct monitor *m)
{
	char names[sizeof(m->no_power)] = "";

	host_read_power(m->options.root, &m->more, NULL);
	m->chips = m->more.n > 0;
	read_sensors(m);
	for (size_t i = 0; i < m->found.n; i++)
		add_name(names, sizeof(names), m->found.item[i].name);
	cmd_printable(names, strlen(names));
	m->sensors = (unsigned)m->found.n;
	if (m->sensors == 0 && m->options.power != NULL) {
		snprintf(m->no_power, sizeof(m->no_power),
		    "no power sensor is called %s", m->options.power);
	} else if (m->sensors == 0) {
		strcpy(m->no_power, "no power sensor in /sys/class/hwmon or "
		    "/sys/class/power_supply");
	} else if (m->sensors > 1 && m->chips && m->options.power == NULL) {
		snprintf(m->no_power, sizeof(m->no_power), "%u sensors, and "
		    "one may be part of another (--power=LIST): %s",
		    m->sensors, names);
		m->sensors = 0;
	} else {
		snprintf(m->power, sizeof(m->power), "%s", names);
	}
}

/* ---- Series ----------------------------------------------------------- */

/* Adds a reading of the sensor with that name; mean contains the sum so far. */
static void
add_reading(struct series *s, const char *name, double v, bool follows)
{
	char printable[sizeof(s->items.item[0].name)];
	struct bench_sensor *t;
	unsigned i = 0;

	snprintf(printable, sizeof(printable), "%s", name);
	cmd_printable(printable, strlen(printable));
	while (i < s->items.n && strcmp(s->items.item[i].name, printable) != 0)
		i++;
	if (i == BENCH_SENSORS)
		return;
	t = &s->items.item[i];
	if (i == s->items.n) {
		*t = (struct bench_sensor){ .first = v, .min = v, .max = v };
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
read_temps(struct monitor *m)
{
	struct host_items *f = &m->found;

	f->n = 0;
	host_read_zones(m->options.root, f, NULL);
	if (f->n == 0)
		host_read_hwmon(m->options.root, f, NULL);
	for (size_t i = 0; i < f->n; i++)
		add_reading(&m->temps, f->item[i].name, f->item[i].value,
		    false);
}

static void
read_freqs(struct monitor *m)
{
	host_read_freqs(m->options.root, &m->clocks, NULL);
	for (size_t i = 0; i < m->clocks.n; i++) {
		const struct host_freq *q = &m->clocks.freq[i];

		if (!isnan(q->mhz))
			add_reading(&m->freqs, q->name, q->mhz,
			    host_follows_load(q->governor));
	}
}

static void
store_sensors(const struct series *s, struct bench_sensors *out)
{
	*out = s->items;
	for (unsigned i = 0; i < out->n; i++)
		out->item[i].mean /= s->seen[i];
}

/*
 * Checks for W-HOT.  A frequency that follows the load also drops without load.
 */
static bool
is_hot(const struct monitor *m)
{
	for (unsigned i = 0; i < m->temps.items.n; i++) {
		const struct bench_sensor *t = &m->temps.items.item[i];

		if (t->max > t->first + HOT_KELVIN)
			return true;
	}
	for (unsigned i = 0; i < m->freqs.items.n; i++) {
		const struct bench_sensor *t = &m->freqs.items.item[i];

		if (!m->freqs.follows[i] && t->min < t->first * (1 - DROP))
			return true;
	}
	return false;
}

/* ---- Processors ------------------------------------------------------- */

static void
read_process_ticks(struct monitor *m, bool first)
{
	for (unsigned i = 0; i < m->processes; i++) {
		struct process_ticks *p = &m->process[i];
		uint64_t ticks;

		if (host_read_ticks(m->options.root, p->pid, &ticks, NULL) < 0)
			continue;
		if (first) {
			p->known = true;
			p->begin = ticks;
		}
		p->last = ticks;
	}
}

/* Returns the processors kept busy by neither the workers nor this process. */
static double
others_cores(const struct monitor *m, const struct host_span *s)
{
	double ours = 0;

	for (unsigned i = 0; i < m->processes; i++) {
		const struct process_ticks *p = &m->process[i];

		if (p->known && p->last > p->begin)
			ours += (double)(p->last - p->begin);
	}
	return fmax(0, s->processes - ours) / (s->all / m->cpu_last.count);
}

static void
store_processors(const struct monitor *m, struct bench_readings *out)
{
	struct host_span s = { 0, 0, 0 };

	if (m->has_cpu)
		s = host_cpu_span(&m->cpu_begin, &m->cpu_last);
	out->busy = s.all > 0 ? s.busy / s.all : NAN;
	out->others = s.all > 0 ? others_cores(m, &s) : NAN;
}

/* ---- The window ------------------------------------------------------- */

static uint64_t
own_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Power first: its reading must match the recorded time. */
static void
sample(struct monitor *m, bool first)
{
	uint64_t before = own_cpu_ns(), now = clock_ns();
	double watts = read_watts(m);

	if (!first)
		m->joules += (double)(now - m->last_ns) / 1e9 *
		    (watts + m->last_watts) / 2;
	m->last_ns = now;
	m->last_watts = watts;
	read_process_ticks(m, first);
	m->has_cpu = (first || m->has_cpu) &&
	    host_read_cpu(m->options.root, &m->cpu_last, NULL) == 0;
	if (first)
		m->cpu_begin = m->cpu_last;
	read_temps(m);
	read_freqs(m);
	m->spent_ns += own_cpu_ns() - before;
}

void
monitor_begin(struct monitor *m, const pid_t *pids, unsigned n)
{
	m->process = cmd_realloc(m->process, (n + 1) * sizeof(*m->process));
	m->processes = n + 1;
	for (unsigned i = 0; i < n; i++)
		m->process[i] = (struct process_ticks){ .pid = pids[i] };
	m->process[n] = (struct process_ticks){ .pid = 0 };
	m->temps.items.n = m->freqs.items.n = 0;
	m->joules = 0;
	m->spent_ns = 0;
	m->holder[0] = '\0';
	if (m->options.node != NULL)
		host_find_holder(m->options.root, m->options.node, pids, n,
		    m->holder, sizeof(m->holder));
	sample(m, true);
	m->begin_ns = m->last_ns;
}

void
monitor_tick(struct monitor *m)
{
	sample(m, false);
}

/* Finds another process that has the device open now, if the first search found
 * none. */
static void
find_holder(struct monitor *m)
{
	pid_t *pids = cmd_alloc(m->processes * sizeof(*pids));

	for (unsigned i = 0; i < m->processes; i++)
		pids[i] = m->process[i].pid;
	host_find_holder(m->options.root, m->options.node, pids, m->processes,
	    m->holder, sizeof(m->holder));
	free(pids);
}

static void
store_power(const struct monitor *m, double seconds, struct bench_readings *out)
{
	out->joules = out->watts = NAN;
	strcpy(out->power, m->power);
	strcpy(out->no_power, m->no_power);
	if (m->sensors == 0)
		return;
	out->joules = m->joules;
	out->watts = m->joules / seconds;
	if (isnan(m->joules)) {
		out->power[0] = '\0';
		snprintf(out->no_power, sizeof(out->no_power),
		    "did not always answer: %s", m->power);
	}
}

void
monitor_end(struct monitor *m, struct bench_readings *out)
{
	double seconds;

	sample(m, false);
	seconds = (double)(m->last_ns - m->begin_ns) / 1e9;
	if (m->options.node != NULL && m->holder[0] == '\0')
		find_holder(m);
	*out = (struct bench_readings){ .hot = is_hot(m),
	    .idle_busy = m->idle_busy, .idle_watts = m->idle_watts };
	store_sensors(&m->temps, &out->temps);
	store_sensors(&m->freqs, &out->freqs);
	store_processors(m, out);
	store_power(m, seconds, out);
	out->monitor_cores = (double)m->spent_ns / 1e9 / seconds;
	strcpy(out->holder, m->holder);
	cmd_printable(out->holder, strlen(out->holder));
}

/* ---- Public functions ------------------------------------------------- */

struct monitor *
monitor_open(const struct monitor_options *options)
{
	struct monitor *m = cmd_alloc(sizeof(*m));

	m->options = *options;
	m->idle_busy = m->idle_watts = NAN;
	choose_sensors(m);
	return m;
}

void
monitor_close(struct monitor *m)
{
	if (m != NULL)
		free(m->process);
	free(m);
}

bool
monitor_has_power(const struct monitor *m)
{
	return m->sensors > 0;
}

void
monitor_idle(struct monitor *m, uint64_t ns)
{
	uint64_t step = MONITOR_TICK_MS * UINT64_C(1000000), left;
	struct bench_readings seen;
	struct timespec t;

	monitor_begin(m, NULL, 0);
	while (m->last_ns - m->begin_ns < ns && !cmd_stop) {
		left = ns - (m->last_ns - m->begin_ns);
		left = left < step ? left : step;
		t.tv_sec = (time_t)(left / 1000000000);
		t.tv_nsec = (long)(left % 1000000000);
		nanosleep(&t, NULL);
		monitor_tick(m);
	}
	monitor_end(m, &seen);
	m->idle_busy = seen.busy;
	m->idle_watts = seen.watts;
}

/* A comparison with NAN is false: unknown values do not cause warnings. */
unsigned
monitor_warnings(const struct bench_machine *m, const struct bench_readings *s)
{
	unsigned found = 0;

	if (m->governor[0] != '\0' && strcmp(m->governor, "performance") != 0)
		found |= 1u << WARNING_GOV;
	if (s->hot)
		found |= 1u << WARNING_HOT;
	if (s->others > BUSY_CORES || s->holder[0] != '\0')
		found |= 1u << WARNING_BUSY;
	return found;
}
