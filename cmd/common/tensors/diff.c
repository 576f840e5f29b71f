// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "diff.h"
#include "tensor/cosine.h"

/* Number of elements whose deviations are computed from the same mean.  A
 * double holds the sum of BLOCK equal floats without rounding. */
enum { BLOCK = 1024 };

/* For each measure: its name in --tol and in text, its key in JSON, its format
 * in text, and the limits that it can have. */
static const struct {
	const char *name, *key, *unit;
	int digits;
	bool at_most;		/* the limit is a maximum */
	double least, most;
} measures[DIFF_MEASURES] = {
	[DIFF_MAX] = { "max", "max", "", 7, true, 0, 1e300 },
	[DIFF_RMS] = { "rms", "rms", "", 7, true, 0, 1e300 },
	[DIFF_COS] = { "cos", "cos", "", 9, false, -1, 1 },
	[DIFF_SQNR] = { "sqnr", "sqnr_db", " dB", 4, false, -1000, 1e300 },
	[DIFF_CORR] = { "corr", "corr", "", 9, false, -1, 1 },
	[DIFF_MAE] = { "mae", "mae", "", 7, true, 0, 1e300 },
};

void
tolerance_parse(struct tolerance *t, const char *arg)
{
	char *copy = strdup(arg), *rest = copy, *one, *number;
	size_t m, len;

	if (copy == NULL)
		cmd_die("out of memory");
	while ((one = strsep(&rest, ",")) != NULL) {
		number = strchr(one, ':');
		len = number != NULL ? (size_t)(number - one) : 0;
		for (m = 0; number != NULL && m < DIFF_MEASURES; m++)
			if (strlen(measures[m].name) == len &&
			    memcmp(one, measures[m].name, len) == 0)
				break;
		if (number == NULL)
			m = DIFF_MAX;
		if (m == DIFF_MEASURES)
			cmd_usage("--tol: '%s' is not max:, rms:, cos:, sqnr:, "
			    "corr: or mae: and a number", one);
		t->limit[m] = cmd_double("--tol", number != NULL ?
		    number + 1 : one, measures[m].least, measures[m].most);
		t->has[m] = true;
	}
	free(copy);
}

static void
add_differences(struct diff_sums *s, const float *a, const float *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double x = (double)a[i], y = (double)r[i];
		/* Equal infinities do not differ; a NaN on one side differs by
		 * infinity. */
		double d = x == y || (isnan(x) && isnan(y)) ? 0 : fabs(x - y);

		if (isnan(d))
			d = INFINITY;
		if (d > s->max) {
			s->max = d;
			s->max_at = s->n + i;
		}
		s->absolute += d;
		s->error += d * d;
		s->a += x * x;
		s->r += y * y;
		s->ar += x * y;
	}
}

/*
 * Adds the deviations of at most BLOCK elements from their means, then moves
 * them to the means of all elements (Chan, Golub and LeVeque, 1983).  A
 * difference of large sums would lose the digits of numbers far from 0.  As the
 * sum of equal floats is exact here, constants deviate by exactly 0.
 */
static void
add_deviations(struct diff_sums *s, const float *a, const float *r, size_t n)
{
	double before = (double)s->n, share = (double)n / (before + (double)n);
	double mean_a = 0, mean_r = 0, x, y;

	for (size_t i = 0; i < n; i++) {
		mean_a += (double)a[i];
		mean_r += (double)r[i];
	}
	mean_a /= (double)n;
	mean_r /= (double)n;
	for (size_t i = 0; i < n; i++) {
		x = (double)a[i] - mean_a;
		y = (double)r[i] - mean_r;
		s->dev_a += x * x;
		s->dev_r += y * y;
		s->dev_ar += x * y;
	}
	x = mean_a - s->mean_a;
	y = mean_r - s->mean_r;
	s->dev_a += x * x * before * share;
	s->dev_r += y * y * before * share;
	s->dev_ar += x * y * before * share;
	s->mean_a += x * share;
	s->mean_r += y * share;
}

void
diff_add(struct diff_sums *s, const float *a, const float *r, size_t n)
{
	for (size_t m; n > 0; a += m, r += m, n -= m) {
		m = n < BLOCK ? n : BLOCK;
		add_differences(s, a, r, m);
		add_deviations(s, a, r, m);
		s->n += m;
	}
}

void
diff_measure(const struct diff_sums *s, double m[DIFF_MEASURES])
{
	m[DIFF_MAX] = s->max;
	m[DIFF_RMS] = sqrt(s->error / (double)s->n);
	if (s->a == 0 || s->r == 0)
		m[DIFF_COS] = s->a == s->r ? 1 : 0;
	else
		m[DIFF_COS] = cosine(s->ar, s->a, s->r);
	m[DIFF_SQNR] = s->error == 0 ? INFINITY :
	    10 * log10(s->r / s->error);
	m[DIFF_CORR] = s->dev_a == 0 || s->dev_r == 0 ? (double)NAN :
	    cosine(s->dev_ar, s->dev_a, s->dev_r);
	m[DIFF_MAE] = s->absolute / (double)s->n;
}

bool
tolerance_met(const struct tolerance *t, const struct diff_sums *s)
{
	double m[DIFF_MEASURES];

	diff_measure(s, m);
	/* Equal constants agree, although their correlation is undefined. */
	if (s->error == 0 && s->dev_a == 0)
		m[DIFF_CORR] = 1;
	/* The condition is written such that NaN never passes. */
	for (size_t i = 0; i < DIFF_MEASURES; i++) {
		if (!t->has[i])
			continue;
		if (measures[i].at_most ? !(m[i] <= t->limit[i]) :
		    !(m[i] >= t->limit[i]))
			return false;
	}
	return true;
}

void
diff_text(const struct diff_sums *s, char text[DIFF_TEXT])
{
	double m[DIFF_MEASURES];
	size_t n = 0;

	diff_measure(s, m);
	for (size_t i = 0; i < DIFF_MEASURES; i++) {
		/* printf() shows a NaN's sign, which means nothing. */
		n += (size_t)snprintf(text + n, DIFF_TEXT - n, "%s%s %.*g%s",
		    i > 0 ? ", " : "", measures[i].name, measures[i].digits,
		    isnan(m[i]) ? (double)NAN : m[i], measures[i].unit);
		if (i == DIFF_MAX)
			n += (size_t)snprintf(text + n, DIFF_TEXT - n,
			    " at %" PRIu64, s->max_at);
	}
}

void
diff_json(struct json *j, const struct diff_sums *s, uint64_t max_at)
{
	double m[DIFF_MEASURES];

	diff_measure(s, m);
	json_key(j, "elements"), json_uint(j, s->n);
	for (size_t i = 0; i < DIFF_MEASURES; i++) {
		json_key(j, measures[i].key), json_double(j, m[i]);
		if (i == DIFF_MAX)
			json_key(j, "max_at"), json_uint(j, max_at);
	}
	json_key(j, "exact"), json_bool(j, s->error == 0);
}

static void
put_text(struct output *o, const struct real_reader *a,
    const struct diff_sums *s, bool good)
{
	struct buf b = { 0 };
	char text[DIFF_TEXT];

	diff_text(s, text);
	buf_printf(&b, "%" PRIu64 ".%u  %s%s\n", a->s.frame, a->s.label.index,
	    text, good ? "" : ", beyond tolerance");
	cmd_write_buf(o, &b);
}

static void
put_jsonl(struct output *o, const struct real_reader *a,
    const struct diff_sums *s, bool good)
{
	struct json j = { 0 };

	json_object(&j);
	json_key(&j, "schema"), json_str(&j, "npu-diff/1");
	json_key(&j, "frame"), json_uint(&j, a->s.frame);
	json_key(&j, "tensor"), json_uint(&j, a->s.label.index);
	diff_json(&j, s, s->max_at);
	json_key(&j, "within"), json_bool(&j, good);
	json_end_object(&j);
	buf_puts(&j.out, "\n");
	cmd_write_buf(o, &j.out);
}

static void
sum_up(struct real_reader *a, struct real_reader *b, struct diff_sums *s)
{
	static float x[REAL_READER_PIECE], y[REAL_READER_PIECE];
	size_t n, m;

	*s = (struct diff_sums){ 0 };
	do {
		n = real_reader_read(a, x);
		m = real_reader_read(b, y);
		if (n != m)
			real_reader_die(a, "%s elements than in %s",
			    n > m ? "more" : "fewer", b->s.name);
		diff_add(s, x, y, n);
	} while (n > 0);
}

bool
diff(struct output *o, struct real_reader *a, struct real_reader *b,
    const struct tolerance *t, bool jsonl)
{
	struct diff_sums s;
	bool more, all = true, good;

	while ((more = real_reader_next(a)) == real_reader_next(b) && more) {
		sum_up(a, b, &s);
		good = tolerance_met(t, &s);
		all = all && good;
		(jsonl ? put_jsonl : put_text)(o, a, &s, good);
		cmd_end_record(o);
	}
	if (more)
		real_reader_die(a, "%s has fewer tensors", b->s.name);
	/* Both streams ended, or only a: b then has a current tensor. */
	if (b->s.left > 0 || b->s.open_end)
		real_reader_die(b, "%s has fewer tensors", a->s.name);
	return all;
}
