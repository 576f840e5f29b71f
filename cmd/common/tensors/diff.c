// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "diff.h"
#include "tensor/cosine.h"

static const char *const names[DIFF_MEASURES] = { "max", "rms", "cos",
    "sqnr" };

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
			if (strlen(names[m]) == len &&
			    memcmp(one, names[m], len) == 0)
				break;
		if (number == NULL)
			m = DIFF_MAX;
		if (m == DIFF_MEASURES)
			cmd_usage("--tol: '%s' is not max:, rms:, cos: or "
			    "sqnr: and a number", one);
		t->limit[m] = cmd_double("--tol", number != NULL ?
		    number + 1 : one, m < DIFF_COS ? 0 : m == DIFF_COS ? -1 :
		    -1000, m == DIFF_COS ? 1 : 1e300);
		t->has[m] = true;
	}
	free(copy);
}

void
diff_add(struct diff_sums *s, const float *a, const float *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double x = (double)a[i], y = (double)r[i];
		/* Equal infinities do not differ; a lone NaN does, by
		 * infinity. */
		double d = x == y || (isnan(x) && isnan(y)) ? 0 : fabs(x - y);

		if (isnan(d))
			d = INFINITY;
		if (d > s->max) {
			s->max = d;
			s->max_at = s->n + i;
		}
		s->error += d * d;
		s->a += x * x;
		s->r += y * y;
		s->ar += x * y;
	}
	s->n += n;
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
}

/* Written such that NaN never passes. */
bool
tolerance_met(const struct tolerance *t, const double m[DIFF_MEASURES])
{
	for (size_t i = 0; i < DIFF_MEASURES; i++) {
		if (!t->has[i])
			continue;
		if (i < DIFF_COS ? !(m[i] <= t->limit[i]) :
		    !(m[i] >= t->limit[i]))
			return false;
	}
	return true;
}

static void
put_text(struct output *o, const struct real_reader *a,
    const struct diff_sums *s, const double m[DIFF_MEASURES], bool good)
{
	struct buf b = { 0 };
	double shown[DIFF_MEASURES];

	/* printf() shows the sign of a NaN, which means nothing. */
	for (int i = 0; i < DIFF_MEASURES; i++)
		shown[i] = isnan(m[i]) ? (double)NAN : m[i];
	buf_printf(&b, "%" PRIu64 ".%u  max %.7g at %" PRIu64 ", rms %.7g, "
	    "cos %.9g, sqnr %.4g dB%s\n", a->s.frame, a->s.label.index,
	    shown[DIFF_MAX], s->max_at, shown[DIFF_RMS], shown[DIFF_COS],
	    shown[DIFF_SQNR], good ? "" : ", beyond tolerance");
	cmd_write_buf(o, &b);
}

static void
put_jsonl(struct output *o, const struct real_reader *a,
    const struct diff_sums *s, const double m[DIFF_MEASURES], bool good)
{
	struct json j = { 0 };

	json_object(&j);
	json_key(&j, "schema"), json_str(&j, "npu-diff/1");
	json_key(&j, "frame"), json_uint(&j, a->s.frame);
	json_key(&j, "tensor"), json_uint(&j, a->s.label.index);
	json_key(&j, "elements"), json_uint(&j, s->n);
	json_key(&j, "max"), json_double(&j, m[DIFF_MAX]);
	json_key(&j, "max_at"), json_uint(&j, s->max_at);
	json_key(&j, "rms"), json_double(&j, m[DIFF_RMS]);
	json_key(&j, "cos"), json_double(&j, m[DIFF_COS]);
	json_key(&j, "sqnr_db"), json_double(&j, m[DIFF_SQNR]);
	json_key(&j, "exact"), json_bool(&j, s->error == 0);
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
	double m[DIFF_MEASURES];
	struct diff_sums s;
	bool more, all = true, good;

	while ((more = real_reader_next(a)) == real_reader_next(b) && more) {
		sum_up(a, b, &s);
		diff_measure(&s, m);
		good = tolerance_met(t, m);
		all = all && good;
		(jsonl ? put_jsonl : put_text)(o, a, &s, m, good);
		cmd_end_record(o);
	}
	if (more)
		real_reader_die(a, "%s has fewer tensors", b->s.name);
	/* Both ended, or only a: then b has a tensor at hand. */
	if (b->s.left > 0 || b->s.open_end)
		real_reader_die(b, "%s has fewer tensors", a->s.name);
	return all;
}
