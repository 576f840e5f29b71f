// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "stats/drift_impl.h"
#include "stats/median.h"

int
drift_open(struct drift **drift, const struct drift_options *o,
    struct npu_err *err)
{
	struct drift *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	d->o = *o;
	d->last.ring.size = o->window;
	d->usual.ring.size = o->window;
	for (size_t i = 0; i < DRIFT_BEFORE; i++)
		d->before[i].ring.size = o->window;
	d->similarities.size = o->history;
	d->similarity = calloc(o->history, sizeof(*d->similarity));
	d->scratch = calloc(o->history, sizeof(*d->scratch));
	d->cosine = calloc(o->window, sizeof(*d->cosine));
	if (d->similarity == NULL || d->scratch == NULL ||
	    d->cosine == NULL) {
		drift_close(d);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	*drift = d;
	return 0;
}

void
drift_close(struct drift *d)
{
	if (d == NULL)
		return;
	free(d->similarity);
	free(d->scratch);
	free(d->cosine);
	free(d->unit);
	free(d->x);
	free(d);
}

int
drift_set_dim(struct drift *d, size_t dim, struct npu_err *err)
{
	size_t n = d->o.window;

	if (d->dim != 0 && dim != d->dim)
		return npu_fail(err, NPU_EUSAGE, "has %zu elements, and those "
		    "before it %zu", dim, d->dim);
	if (d->dim != 0)
		return 0;
	if (dim == 0 || dim > DRIFT_DIM ||
	    n > DRIFT_WINDOW_MAX / sizeof(float) / dim)
		return npu_fail(err, NPU_EUSAGE, "%zu vectors of %zu elements "
		    "are more than is kept", n, dim);
	free(d->unit);
	free(d->x);
	d->unit = calloc(DRIFT_WINDOWS * n * dim, sizeof(*d->unit));
	d->x = calloc(dim, sizeof(*d->x));
	if (d->unit == NULL || d->x == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	d->last.unit = d->unit;
	d->usual.unit = d->unit + n * dim;
	for (size_t i = 0; i < DRIFT_BEFORE; i++)
		d->before[i].unit = d->unit + (2 + i) * n * dim;
	d->dim = dim;
	return 0;
}

void
drift_push(const struct drift *d, struct drift_window *w, const float *x)
{
	memcpy(w->unit + ring_push(&w->ring) * d->dim, x, d->dim * sizeof(*x));
}

void
drift_copy(const struct drift *d, struct drift_window *to,
    const struct drift_window *from)
{
	to->ring = from->ring;
	memcpy(to->unit, from->unit,
	    from->ring.size * d->dim * sizeof(*to->unit));
}

/* ---- Comparing -------------------------------------------------------- */

/* Similarity of a vector to a window; all NAN for an empty window. */
struct likeness {
	double mean, median, nearest;	/* cosines */
	double higher;			/* the higher of mean and median */
};

/* Returns the cosine of unit vectors; limits it to -1 to 1 because of
 * rounding. */
static double
cosine(const float *a, const float *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)a[i] * (double)b[i];
	return sum > 1 ? 1 : sum < -1 ? -1 : sum;
}

static struct likeness
compare(const struct drift *d, const struct drift_window *w)
{
	struct likeness l = { NAN, NAN, NAN, NAN };
	size_t n = w->ring.n;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double c = cosine(d->x, window_at(d, w, i), d->dim);

		d->cosine[i] = c;
		sum += c;
		if (i == 0 || c > l.nearest)
			l.nearest = c;
	}
	if (n == 0)
		return l;
	l.mean = sum / (double)n;
	l.median = stats_median(d->cosine, n);
	l.higher = fmax(l.mean, l.median);
	return l;
}

/* Sets median and MAD of the history; returns the limit they give, or NAN. */
static double
look_back(const struct drift *d, struct drift_verdict *v)
{
	size_t n = d->similarities.n;
	double margin;

	if (n == 0)
		return NAN;
	for (size_t i = 0; i < n; i++)
		d->scratch[i] = d->similarity[ring_at(&d->similarities, i)];
	v->median = stats_median(d->scratch, n);
	v->mad = stats_mad(d->scratch, n, v->median);
	if (isnan(d->o.mads) || n < d->o.warmup)
		return NAN;
	margin = d->o.mads * v->mad;
	return v->median - (margin > d->o.floor ? margin : d->o.floor);
}

double
drift_limit(const struct drift *d)
{
	struct drift_verdict v;

	return look_back(d, &v);
}

/* Returns DRIFT_QUIET if the cosine or the limits are NAN, because a comparison
 * with NAN is false. */
static enum drift_alarm
alarm_of(const struct drift *d, double limit, double cosine)
{
	return cosine < d->o.below ? DRIFT_BELOW :
	    cosine < limit ? DRIFT_HISTORY : DRIFT_QUIET;
}

/*
 * Which vectors are usual.  An odd vector never becomes usual, and a limit that
 * odd vectors have lowered does not count: while vectors are unlike a state, a
 * vector joins this state only by the limit that was in force before them.  If
 * a whole window of vectors is unlike the usual vectors, and the last vector is
 * like the others of this window, the vectors of the window become the usual
 * ones.  This state is normal after as many further usual vectors as a window
 * or the history has.  A shorter burst therefore never causes a normal state to
 * be forgotten.
 */

/* Returns how many vectors make a new state normal. */
static size_t
trial(const struct drift *d)
{
	return d->o.window > d->o.history ? d->o.window : d->o.history;
}

/* Makes the last vectors usual. */
static void
change_usual(struct drift *d)
{
	struct drift_window *b = d->before, unused = b[0];

	if (b[0].ring.n > 0 && b[0].left == 0) {
		unused = b[1];
		b[1] = b[0];
	}
	b[0] = d->usual;
	d->usual = unused;
	drift_copy(d, &d->usual, &d->last);
	d->usual.left = trial(d);
}

/* Makes before[i] usual again, and forgets states that are not normal. */
static void
return_to(struct drift *d, size_t i)
{
	struct drift_window *b = d->before, was = d->usual;

	d->usual = b[i];
	b[1] = b[1 - i];
	b[0] = was;
	for (i = 0; i < DRIFT_BEFORE; i++)
		if (b[i].left > 0)
			b[i].ring.n = 0;
}

/* before: the state that d->x is like, or -1. */
static void
keep_usual(struct drift *d, bool usual, int before, bool last)
{
	if (usual) {
		drift_push(d, &d->usual, d->x);
		d->usual.left -= d->usual.left > 0;
		d->away = 0;
		return;
	}
	if (before >= 0)
		drift_push(d, &d->before[before], d->x);
	d->away += d->away < DRIFT_LENGTH;
	if (d->away < d->o.window || (before < 0 && !last))
		return;
	d->away = 0;
	if (before >= 0)
		return_to(d, (size_t)before);
	else
		change_usual(d);
}

/* Returns whether d->x is like the usual vectors.  Keeps the limit that was in
 * force when the first vector was unlike them. */
static bool
is_usual(struct drift *d, double limit, double higher)
{
	if (d->away == 0)
		d->usual.limit = limit;
	return alarm_of(d, d->usual.limit, higher) == DRIFT_QUIET;
}

/*
 * Compares with the states before: raises *higher to the highest result.
 * Returns the state that d->x is most like, or -1 if it is not like any state.
 */
static int
compare_before(const struct drift *d, double *higher)
{
	double most = NAN;
	int found = -1;

	for (int i = 0; i < DRIFT_BEFORE; i++) {
		const struct drift_window *w = &d->before[i];
		double h = compare(d, w).higher;

		*higher = fmax(*higher, h);
		if (w->ring.n > 0 && !(h <= most) &&
		    alarm_of(d, w->limit, h) == DRIFT_QUIET) {
			most = h;
			found = i;
		}
	}
	return found;
}

static void
judge(struct drift *d, struct drift_verdict *v)
{
	struct likeness last = compare(d, &d->last);
	double limit = look_back(d, v), higher = compare(d, &d->usual).higher;
	bool usual = is_usual(d, limit, higher);
	int before = compare_before(d, &higher);

	v->similarity = last.mean;
	v->median_cosine = last.median;
	v->nearest = last.nearest;
	v->usual = higher;
	/* A vector without similarity has no limit. */
	if (!isnan(v->similarity))
		v->limit = fmax(d->o.below, limit);
	v->alarm = alarm_of(d, limit, fmax(last.higher, v->usual));
	if (d->last.ring.n > 0)
		d->similarity[ring_push(&d->similarities)] = v->similarity;
	drift_push(d, &d->last, d->x);
	keep_usual(d, usual, before,
	    alarm_of(d, limit, last.higher) == DRIFT_QUIET);
}

int
drift_add(struct drift *d, const float *x, size_t dim,
    struct drift_verdict *v, struct npu_err *err)
{
	struct drift_verdict found = { .median = NAN, .mad = NAN,
	    .limit = NAN };
	int rc;

	if ((rc = drift_set_dim(d, dim, err)) < 0)
		return rc;
	memcpy(d->x, x, dim * sizeof(*x));
	if (npu_l2_normalise(d->x, dim, err) < 0)
		return npu_fail(err, NPU_EFORMAT, "has no direction: its "
		    "length is 0 or not finite");
	found.window = d->last.ring.n;
	found.history = d->similarities.n;
	judge(d, &found);
	*v = found;
	return 0;
}
