// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "stats/gate.h"
#include "stats/student.h"

/* The mean of several numbers, and the square of its standard error. */
struct sample {
	double mean, error;
};

/* Returns the sample of ln(x[i]), or of ln(x[i] / of[i]). */
static struct sample
sample_of(const double *x, const double *of, size_t n)
{
	struct sample s = { 0, 0 };

	for (size_t i = 0; i < n; i++)
		s.mean += log(of == NULL ? x[i] : x[i] / of[i]) / (double)n;
	for (size_t i = 0; i < n; i++) {
		double d = log(of == NULL ? x[i] : x[i] / of[i]) - s.mean;

		s.error += d * d;
	}
	s.error /= (double)n * (double)(n - 1);
	return s;
}

/* Returns whether the numbers have logarithms and a deviation. */
static bool
usable(const double *x, size_t n)
{
	if (n < GATE_LEAST)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!(x[i] > 0 && isfinite(x[i])))
			return false;
	return true;
}

/* before: ln of the metric before. */
static void
judge(struct gate_result *r, const struct gate_rule *rule, double mean,
    double error, double before)
{
	double sign = rule->higher ? -1 : 1, was = exp(before), t, most;

	t = student_quantile(1 - 0.05 / rule->metrics, r->df);
	r->change = sign * mean;
	r->low = r->change - t * sqrt(error);
	r->high = r->change + t * sqrt(error);
	r->delta = sign * was * expm1(mean);
	/* How much the metric became worse at most, in its unit. */
	most = sign * was * expm1(sign * r->high);
	if (r->low > r->limit && r->delta > rule->floor)
		r->verdict = GATE_REGRESSION;
	else if (r->high <= r->limit || most <= rule->floor)
		r->verdict = GATE_PASS;
}

static struct gate_result
nothing(const struct gate_rule *rule)
{
	return (struct gate_result){ GATE_NONE, .change = NAN, .low = NAN,
	    .high = NAN, .limit = log1p(rule->regress), .delta = NAN,
	    .df = NAN, .higher = rule->higher };
}

void
gate_pairs(const double *a, const double *b, size_t n,
    const struct gate_rule *rule, struct gate_result *r)
{
	struct sample d;

	*r = nothing(rule);
	if (!usable(a, n) || !usable(b, n))
		return;
	d = sample_of(b, a, n);
	r->df = (double)n - 1;
	judge(r, rule, d.mean, d.error, sample_of(a, NULL, n).mean);
}

void
gate_baseline(const double *stored, size_t n_stored, const double *fresh,
    size_t n_fresh, const struct gate_rule *rule, struct gate_result *r)
{
	struct sample a, b;
	double error;

	*r = nothing(rule);
	if (!usable(stored, n_stored) || !usable(fresh, n_fresh))
		return;
	a = sample_of(stored, NULL, n_stored);
	b = sample_of(fresh, NULL, n_fresh);
	error = a.error + b.error;
	/* Welch and Satterthwaite; if nothing varies, any number is right. */
	r->df = error == 0 ? (double)(n_stored + n_fresh - 2) :
	    error * error / (a.error * a.error / (double)(n_stored - 1) +
	    b.error * b.error / (double)(n_fresh - 1));
	judge(r, rule, b.mean - a.mean, error, a.mean);
}

void
gate_line_of(const struct gate_result *r, struct gate_line *line)
{
	double sign = r->higher ? -1 : 1;
	/* The bound that decides the verdict, or comes nearest to a verdict. */
	bool low = r->verdict == GATE_REGRESSION ||
	    (r->verdict == GATE_NONE && r->change > r->limit);

	line->change = expm1(sign * r->change);
	line->bound = expm1(sign * (low ? r->low : r->high));
	line->limit = expm1(sign * r->limit);
	line->at_least = low != r->higher;
}
