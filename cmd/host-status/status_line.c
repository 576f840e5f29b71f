// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "host/smmu.h"
#include "status_line.h"

/* ---- Text ------------------------------------------------------------- */

/* The values from which on a number is yellow, orange and red. */
struct level {
	double from[3];
};

static const struct level busy = { { 60, 80, 90 } };	/* percent */
static const struct level loaded = { { 0.7, 1, 2 } };	/* per processor */
static const struct level hot = { { 60, 75, 90 } };	/* degrees Celsius */
static const struct level full = { { 80, 90, 95 } };	/* percent */

static const char *
colour(const struct level *l, double v)
{
	static const char *const names[] = { "green", "yellow", "orange",
	    "red" };
	int i = 0;

	while (i < 3 && v >= l->from[i])
		i++;
	return names[i];
}

/* Adds a name as one word: spaces, control characters and bytes that are not
 * UTF-8 become '_'. */
static void
add_word(struct buf *b, const char *s)
{
	size_t n = strlen(s), k;
	uint32_t c;

	for (; n > 0; s += k, n -= k) {
		k = utf8_decode(s, n, &c);
		if (k == 0 || c <= 0x20 || (c >= 0x7f && c <= 0xa0)) {
			buf_puts(b, "_");
			k += k == 0;
		} else {
			buf_add(b, s, k);
		}
	}
}

/* Adds a value as a number such as "2.4%"; with l, as a colour such as "green";
 * "?" for NAN.  The colour is that for v / for_each. */
static void
add_value(struct buf *b, const char *form, double v, const struct level *l,
    double for_each)
{
	if (isnan(v))
		buf_puts(b, "?");
	else if (l != NULL)
		buf_puts(b, colour(l, v / for_each));
	else
		buf_printf(b, form, v);
}

static void
add_items(struct buf *b, const struct host_items *items, const char *form,
    const struct level *l)
{
	for (size_t i = 0; i < items->n; i++) {
		double v = items->item[i].value;

		buf_puts(b, i > 0 ? ", " : "");
		add_word(b, items->item[i].name);
		buf_puts(b, " ");
		/* Avoid "-0". */
		add_value(b, form, v < 0 && v >= -.5 ? 0 : v, l, 1);
	}
}

static void
add_text(struct buf *b, const struct status_line *line, bool levels)
{
	buf_puts(b, "host ");
	add_word(b, line->name[0] != '\0' ? line->name : "?");
	buf_puts(b, " cpu ");
	add_value(b, "%.1f%%", line->cpu, levels ? &busy : NULL, 1);
	buf_puts(b, " ram ");
	add_value(b, "%.1f%%", line->ram, levels ? &busy : NULL, 1);
	buf_puts(b, " load ");
	add_value(b, "%.2f", line->load, levels ? &loaded : NULL, line->cpus);
	buf_puts(b, " temps [");
	add_items(b, &line->temps, "%.0f\u00b0C", levels ? &hot : NULL);
	buf_puts(b, "] disks [");
	add_items(b, &line->disks, "%.1f%%", levels ? &full : NULL);
	buf_puts(b, line->has_disks ? "]" : "?]");
	/* Only a storm is shown: the line is short, and other machines do not
	 * have an SMMU. */
	if (line->smmu > HOST_SMMU_STORM && levels)
		buf_puts(b, " smmu red");
	else if (line->smmu > HOST_SMMU_STORM)
		buf_printf(b, " smmu %.0f/s", line->smmu);
	buf_puts(b, "\n");
}

/* ---- JSON ------------------------------------------------------------- */

/* Returns v rounded as "%.1f" prints it. */
static double
round_to_tenths(double v)
{
	char text[40];

	snprintf(text, sizeof(text), "%.1f", v);
	return strtod(text, NULL);
}

static void
add_list(struct json *j, const struct host_items *items, const char *name,
    const char *value, bool round)
{
	json_array(j);
	for (size_t i = 0; i < items->n; i++) {
		double v = items->item[i].value;

		json_object(j);
		json_member_str(j, name, items->item[i].name);
		json_key(j, value);
		json_double(j, round ? round_to_tenths(v) : v);
		json_end_object(j);
	}
	json_end_array(j);
}

static void
add_json(struct buf *b, const struct status_line *line)
{
	struct json j = { 0 };
	char utc[32];
	struct tm tm;

	gmtime_r(&line->time, &tm);
	strftime(utc, sizeof(utc), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_object(&j);
	json_member_str(&j, "schema", "host-status/1");
	json_member_str(&j, "time", utc);
	json_member_str(&j, "host", line->name);
	json_key(&j, "cpu_percent");
	json_double(&j, round_to_tenths(line->cpu));
	json_key(&j, "ram_percent");
	json_double(&j, round_to_tenths(line->ram));
	json_key(&j, "load");
	json_double(&j, line->load);
	json_key(&j, "temps");
	add_list(&j, &line->temps, "name", "celsius", false);
	json_key(&j, "disks");
	if (line->has_disks)
		add_list(&j, &line->disks, "mount", "percent", true);
	else
		json_null(&j);
	json_key(&j, "smmu_events_per_s");
	json_double(&j, round_to_tenths(line->smmu));
	json_end_object(&j);
	*b = j.out;
	buf_puts(b, "\n");
}

void
status_line_write(struct output *out, const struct status_line_options *o,
    const struct status_line *line)
{
	struct buf b = { 0 };

	if (o->jsonl)
		add_json(&b, line);
	else
		add_text(&b, line, o->levels);
	cmd_write_buf(out, &b);
	cmd_end_record(out);
}
