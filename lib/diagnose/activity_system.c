// SPDX-License-Identifier: Apache-2.0
/* Reads the NPU's activity from files of /proc and /sys. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "diagnose/activity_impl.h"
#include "host/platform.h"
#include "host/proc.h"

enum { PATHS = 2 * SYS_PATH };

/* ---- Files ------------------------------------------------------------- */

/* Reads less than size bytes.  Negative: the value is unknown, perhaps because
 * it is hidden. */
static int
read_file(struct activity *a, enum activity_hidden what, const char *path,
    char *text, size_t size)
{
	struct npu_err err = { .msg = "" };
	int n = host_read_file(a->root, path, text, size, &err);

	if (n < 0 && (err.detail == EACCES || err.detail == EPERM))
		host_describe_readers(a->root, path, a->hidden[what],
		    sizeof(a->hidden[what]));
	else if (n < 0)
		host_note(&a->trouble, &err);
	return n;
}

/* Returns the number, or -1 if it is unknown. */
static int64_t
read_number(struct activity *a, enum activity_hidden what, const char *path)
{
	char text[SYS_WORD];
	int n = read_file(a, what, path, text, sizeof(text));
	int64_t v;

	if (n < 0 || host_parse_number((struct bytes){ (uint8_t *)text,
	    (size_t)n }, &v, NULL) < 0 || v < 0)
		return -1;
	return v;
}

static int64_t
read_device_number(struct activity *a, enum activity_hidden what,
    const char *file)
{
	char path[PATHS];

	if (a->device[0] == '\0')
		return -1;
	snprintf(path, sizeof(path), "%s/%s", a->device, file);
	return read_number(a, what, path);
}

/* Returns the frequency of the device's clock, which may have any name. */
double
activity_mhz(struct activity *a)
{
	struct sys_names names;
	char path[PATHS];
	int64_t hz;

	if (a->device[0] == '\0')
		return NAN;
	snprintf(path, sizeof(path), "%s/devfreq", a->device);
	sys_list_names(a->root, path, &names, &a->trouble);
	if (names.n == 0)
		return NAN;
	snprintf(path, sizeof(path), "%s/devfreq/%s/cur_freq", a->device,
	    names.v[0]);
	hz = read_number(a, ACTIVITY_MHZ, path);
	return hz >= 0 ? (double)hz / 1e6 : NAN;
}

void
activity_power(struct activity *a, struct activity_reading *r)
{
	char path[PATHS], word[SYS_WORD];

	r->power[0] = '\0';
	if (a->device[0] == '\0')
		return;
	snprintf(path, sizeof(path), "%s/power/runtime_status", a->device);
	if (read_file(a, ACTIVITY_POWER, path, word, sizeof(word)) < 0)
		return;
	word[strcspn(word, "\n")] = '\0';
	snprintf(r->power, sizeof(r->power), "%.31s", word);
}

static int64_t
read_interrupts(struct activity *a)
{
	uint64_t count;
	int n = read_file(a, ACTIVITY_INTERRUPTS, "/proc/interrupts",
	    a->interrupts, ACTIVITY_INTERRUPTS_SIZE);

	if (n < 0 || host_parse_interrupts((struct bytes){
	    (uint8_t *)a->interrupts, (size_t)n }, "aipu", &count, NULL) < 0 ||
	    count > INT64_MAX)
		return -1;
	return (int64_t)count;
}

void
activity_totals(struct activity *a, struct activity_totals *t)
{
	t->ns = clock_ns();
	t->active_ms = read_device_number(a, ACTIVITY_POWER,
	    "power/runtime_active_time");
	t->suspended_ms = read_device_number(a, ACTIVITY_POWER,
	    "power/runtime_suspended_time");
	t->interrupts = read_interrupts(a);
}

double
activity_active(const struct activity_totals *a,
    const struct activity_totals *b)
{
	double on, off;

	if (a->active_ms < 0 || a->suspended_ms < 0 ||
	    b->active_ms < a->active_ms || b->suspended_ms < a->suspended_ms)
		return NAN;
	on = (double)(b->active_ms - a->active_ms);
	off = (double)(b->suspended_ms - a->suspended_ms);
	return on + off > 0 ? on / (on + off) : NAN;
}

double
activity_interrupts(const struct activity_totals *a,
    const struct activity_totals *b)
{
	if (a->interrupts < 0 || b->interrupts < a->interrupts ||
	    b->ns <= a->ns)
		return NAN;
	return (double)(b->interrupts - a->interrupts) /
	    ((double)(b->ns - a->ns) / 1e9);
}

/* ---- Temperature and power --------------------------------------------- */

/* Returns the sensor with NPU in its name, or else any.  If there are several,
 * the greatest value decides.  Returns NULL without a sensor. */
static const struct host_item *
best_sensor(const struct host_items *all)
{
	const struct host_item *best = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct host_item *s = &all->item[i];
		bool is = strcasestr(s->name, "npu") != NULL;
		bool was = best != NULL &&
		    strcasestr(best->name, "npu") != NULL;

		if (best == NULL || is > was ||
		    (is == was && s->value > best->value))
			best = s;
	}
	return best;
}

static void
take(const struct host_items *all, char name[HOST_NAME], double *value)
{
	const struct host_item *best = best_sensor(all);

	strcpy(name, best != NULL ? best->name : "");
	*value = best != NULL ? best->value : NAN;
}

/* Reads sensors at most once per second, because some are slow firmware. */
void
activity_sensors(struct activity *a, struct activity_reading *r)
{
	uint64_t now = clock_ns();

	if (a->sensors_ns == 0 || now - a->sensors_ns >= ACTIVITY_SECOND) {
		a->temps.n = a->powers.n = 0;
		host_read_zones(a->root, &a->temps, &a->trouble);
		if (a->temps.n == 0)
			host_read_hwmon(a->root, &a->temps, &a->trouble);
		host_read_power(a->root, &a->powers, &a->trouble);
		a->sensors_ns = now;
	}
	take(&a->temps, r->sensor, &r->celsius);
	take(&a->powers, r->power_sensor, &r->watts);
}
