// SPDX-License-Identifier: Apache-2.0
/* json_lines.c - writes npu-top's outputs as lines of JSON, of fields, or as
 * rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cmd.h"
#include "delimited.h"
#include "stats/beta.h"
#include "top.h"

/* ---- The busy share ---------------------------------------------------- */

/* Returns the share at which k or fewer of n have the probability p. */
static double
solve(unsigned k, unsigned n, double p)
{
	double low = 0, high = 1, q;

	for (int i = 0; i < 40; i++) {
		q = (low + high) / 2;
		if (binomial_at_most(k, n, 1 - q, q) > p)
			low = q;
		else
			high = q;
	}
	return (low + high) / 2;
}

/* Computes the limits of Clopper and Pearson: shares beyond them give as few,
 * or as many, with a probability of 2.5 % at most. */
void
top_compute_share(struct top_output *t)
{
	unsigned k = t->r->counts.busy, n = t->r->counts.samples;

	t->busy = t->low = t->high = NAN;
	if (n == 0)
		return;
	t->busy = (double)k / n;
	t->low = k == 0 ? 0 : solve(k - 1, n, 0.975);
	t->high = k == n ? 1 : solve(k, n, 0.025);
}

/* ---- Fields ------------------------------------------------------------ */

struct json_field {
	const char *name;
	enum { TEXT, NUMBER, TRUTH } kind;
	enum activity_hidden hidden;	/* ACTIVITY_HIDDEN: never */
	const char *text;		/* "": unknown */
	double number;			/* NAN: unknown */
	int decimals;
};

enum { FIELDS = 21, TIME = 40 };

static const char *const hidden_names[ACTIVITY_HIDDEN] = {
	[ACTIVITY_STATUS] = "status",
	[ACTIVITY_MHZ] = "mhz",
	[ACTIVITY_POWER] = "power",
	[ACTIVITY_INTERRUPTS] = "interrupts",
	[ACTIVITY_HOLDERS] = "holders",
};

static const char *
status_name(const struct sampler_counts *c)
{
	static const char *const names[] = { "idle", "busy", "exception" };

	return c->samples > 0 && c->status < 3 ? names[c->status] : "";
}

static void
list_fields(const struct top_output *t, struct json_field f[FIELDS])
{
	const struct activity_reading *r = t->r;
	const struct sampler_counts *c = &r->counts;
	const int never = ACTIVITY_HIDDEN, driver = ACTIVITY_STATUS;
	const struct json_field all[FIELDS] = {
		{ "seconds", NUMBER, never, "", r->seconds, 3 },
		{ "node", TEXT, never, t->node, 0, 0 },
		{ "here", TRUTH, never, "", r->here, 0 },
		{ "gone", TEXT, never, r->here ? "" : r->gone.msg, 0, 0 },
		{ "driver_version", TEXT, driver, r->driver_version, 0, 0 },
		{ "samples", NUMBER, driver, "", c->samples, 0 },
		{ "exceptions", NUMBER, driver, "", c->exceptions, 0 },
		{ "status", TEXT, driver, status_name(c), 0, 0 },
		{ "busy", NUMBER, driver, "", t->busy, 4 },
		{ "busy_low", NUMBER, driver, "", t->low, 4 },
		{ "busy_high", NUMBER, driver, "", t->high, 4 },
		{ "mhz", NUMBER, ACTIVITY_MHZ, "", r->mhz, 3 },
		{ "power_status", TEXT, ACTIVITY_POWER, r->power, 0, 0 },
		{ "active", NUMBER, ACTIVITY_POWER, "", r->active, 4 },
		{ "interrupts_per_second", NUMBER, ACTIVITY_INTERRUPTS, "",
		    r->interrupts, 1 },
		{ "sensor", TEXT, never, r->sensor, 0, 0 },
		{ "celsius", NUMBER, never, "", r->celsius, 3 },
		{ "power_sensor", TEXT, never, r->power_sensor, 0, 0 },
		{ "watts", NUMBER, never, "", r->watts, 3 },
		{ "holders_age", NUMBER, never, "",
		    r->has_holders ? r->holders_age : NAN, 1 },
		{ "self", NUMBER, never, "", r->self, 5 },
	};

	memcpy(f, all, sizeof(all));
}

static void
format_time(const struct timespec *t, char text[TIME])
{
	char seconds[24];
	struct tm tm;

	gmtime_r(&t->tv_sec, &tm);
	strftime(seconds, sizeof(seconds), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text, TIME, "%s.%03ldZ", seconds, t->tv_nsec / 1000000);
}

/* ---- JSON -------------------------------------------------------------- */

static void
json_number(struct json *j, const char *name, double v, int decimals)
{
	double unit = pow(10, decimals);

	json_key(j, name);
	json_double(j, round(v * unit) / unit);
}

static double
share(unsigned busy, unsigned samples)
{
	return samples > 0 ? (double)busy / samples : NAN;
}

static void
json_cores(struct json *j, const struct sampler_counts *c)
{
	json_key(j, "cores");
	if (!c->has_cores) {
		json_null(j);
		return;
	}
	json_array(j);
	for (unsigned i = 0; i < c->cores; i++) {
		json_object(j);
		json_member_uint(j, "cluster", c->core[i].cluster);
		json_member_uint(j, "core", c->core[i].core);
		json_number(j, "busy", share(c->core[i].busy, c->samples), 4);
		json_end_object(j);
	}
	json_end_array(j);
}

static void
json_threads(struct json *j, const struct activity_reading *r)
{
	json_key(j, "threads");
	if (!r->counts.has_threads) {
		json_null(j);
		return;
	}
	json_array(j);
	for (unsigned i = 0; i < r->counts.threads; i++) {
		const struct activity_thread *t = &r->thread[i];

		json_object(j);
		json_key(j, "thread");
		json_int(j, t->id);
		json_member_count(j, "pid", (uint64_t)t->pid);
		json_member_str(j, "command", t->command);
		json_number(j, "busy", share(t->busy, r->counts.samples), 4);
		json_end_object(j);
	}
	json_end_array(j);
}

static void
json_holders(struct json *j, const struct activity_reading *r)
{
	json_key(j, "holders");
	if (!r->has_holders) {
		json_null(j);
		return;
	}
	json_array(j);
	for (size_t i = 0; i < r->holders.n; i++) {
		json_object(j);
		json_key(j, "pid");
		json_int(j, r->holders.holder[i].pid);
		json_member_str(j, "command", r->holders.holder[i].name);
		json_end_object(j);
	}
	json_end_array(j);
}

static void
json_field(struct json *j, const struct json_field *f)
{
	if (f->kind == NUMBER) {
		json_number(j, f->name, f->number, f->decimals);
	} else if (f->kind == TEXT) {
		json_member_str(j, f->name, f->text);
	} else {
		json_key(j, f->name);
		json_bool(j, f->number != 0);
	}
}

void
top_add_json(struct buf *b, const struct top_output *t)
{
	struct json j = { 0 };
	struct json_field f[FIELDS];
	char time[TIME];

	list_fields(t, f);
	format_time(&t->time, time);
	json_object(&j);
	json_member_str(&j, "schema", "npu-top/1");
	json_member_str(&j, "time", time);
	for (int i = 0; i < FIELDS; i++)
		json_field(&j, &f[i]);
	json_cores(&j, &t->r->counts);
	json_threads(&j, t->r);
	json_holders(&j, t->r);
	json_key(&j, "hidden");
	json_object(&j);
	for (int i = 0; i < ACTIVITY_HIDDEN; i++)
		if (t->r->hidden[i][0] != '\0')
			json_member_str(&j, hidden_names[i], t->r->hidden[i]);
	json_end_object(&j);
	json_end_object(&j);
	buf_add(b, j.out.p, j.out.n);
	b->failed |= j.out.failed;
	buf_puts(b, "\n");
	json_free(&j);
}

/* ---- Plain ------------------------------------------------------------- */

/* Adds a line; control characters in value are replaced. */
static void
add_line(struct buf *b, const char *time, const char *name, const char *state,
    const char *value)
{
	char text[HOST_NAME + HEALTH_TEXT];

	snprintf(text, sizeof(text), "%s", value);
	cmd_printable(text, strlen(text));
	buf_printf(b, "%s\t%s\t%s\t%s\n", time, name, state, text);
}

static void
plain_field(struct buf *b, const char *time, const struct json_field *f,
    const struct activity_reading *r)
{
	bool known = f->kind == TEXT ? *f->text != '\0' : !isnan(f->number);
	char value[HOST_NAME];

	if (f->hidden != ACTIVITY_HIDDEN && r->hidden[f->hidden][0] != '\0') {
		add_line(b, time, f->name, "hidden", r->hidden[f->hidden]);
		return;
	}
	if (!known)
		value[0] = '\0';
	else if (f->kind == TEXT)
		snprintf(value, sizeof(value), "%s", f->text);
	else if (f->kind == TRUTH)
		strcpy(value, f->number != 0 ? "true" : "false");
	else
		snprintf(value, sizeof(value), "%.*f", f->decimals, f->number);
	add_line(b, time, f->name, known ? "known" : "unknown", value);
}

static void
plain_users(struct buf *b, const char *time, const struct activity_reading *r)
{
	const struct sampler_counts *c = &r->counts;
	char name[40], value[HOST_NAME + 40];

	for (unsigned i = 0; c->has_threads && i < c->threads; i++) {
		const struct activity_thread *t = &r->thread[i];

		snprintf(name, sizeof(name), "thread.%ld", (long)t->id);
		snprintf(value, sizeof(value), "%.4f %ld %s",
		    share(t->busy, c->samples), (long)t->pid,
		    t->command[0] != '\0' ? t->command : "?");
		add_line(b, time, name, "known", value);
	}
	for (size_t i = 0; r->has_holders && i < r->holders.n; i++) {
		snprintf(name, sizeof(name), "holder.%ld",
		    (long)r->holders.holder[i].pid);
		add_line(b, time, name, "known", r->holders.holder[i].name);
	}
	if (r->hidden[ACTIVITY_HOLDERS][0] != '\0')
		add_line(b, time, "holders", "hidden",
		    r->hidden[ACTIVITY_HOLDERS]);
}

void
top_add_plain(struct buf *b, const struct top_output *t)
{
	const struct sampler_counts *c = &t->r->counts;
	struct json_field f[FIELDS];
	char time[TIME], name[40], value[40];

	list_fields(t, f);
	format_time(&t->time, time);
	for (int i = 0; i < FIELDS; i++)
		plain_field(b, time, &f[i], t->r);
	for (unsigned i = 0; c->has_cores && i < c->cores; i++) {
		snprintf(name, sizeof(name), "core.%u.%u", c->core[i].cluster,
		    c->core[i].core);
		snprintf(value, sizeof(value), "%.4f",
		    share(c->core[i].busy, c->samples));
		add_line(b, time, name, c->samples > 0 ? "known" : "unknown",
		    c->samples > 0 ? value : "");
	}
	plain_users(b, time, t->r);
}

/* ---- Rows -------------------------------------------------------------- */

void
top_add_rows_head(struct buf *b, char separator)
{
	static const struct activity_reading none;
	struct json_field f[FIELDS];

	list_fields(&(struct top_output){ .r = &none, .node = "" }, f);
	buf_printf(b, "time%ccluster%ccore%ccore_busy", separator, separator,
	    separator);
	for (int i = 0; i < FIELDS; i++)
		buf_printf(b, "%c%s", separator, f[i].name);
	buf_puts(b, "\n");
}

/* Unknown and hidden values are empty. */
static void
row_field(struct buf *b, char separator, const struct json_field *f)
{
	buf_printf(b, "%c", separator);
	if (f->kind == TRUTH)
		buf_puts(b, f->number != 0 ? "true" : "false");
	else if (f->kind == NUMBER && !isnan(f->number))
		buf_printf(b, "%.*f", f->decimals, f->number);
	else if (f->kind == TEXT && separator == ',')
		csv_text(b, f->text);
	else if (f->kind == TEXT)
		tsv_text(b, f->text);
}

void
top_add_rows(struct buf *b, const struct top_output *t, char separator)
{
	const struct sampler_counts *c = &t->r->counts;
	unsigned rows = c->has_cores && c->cores > 0 ? c->cores : 1;
	struct json_field f[FIELDS];
	char time[TIME];

	list_fields(t, f);
	format_time(&t->time, time);
	for (unsigned i = 0; i < rows; i++) {
		buf_printf(b, "%s%c", time, separator);
		if (c->has_cores && c->cores > 0)
			buf_printf(b, "%u%c%u", c->core[i].cluster, separator,
			    c->core[i].core);
		else
			buf_printf(b, "%c", separator);
		buf_printf(b, "%c", separator);
		if (c->has_cores && c->cores > 0 && c->samples > 0)
			buf_printf(b, "%.4f", share(c->core[i].busy,
			    c->samples));
		for (int k = 0; k < FIELDS; k++)
			row_field(b, separator, &f[k]);
		buf_puts(b, "\n");
	}
}
