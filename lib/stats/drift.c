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
	d->vectors.size = o->window;
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
	if (d->dim != 0 && dim != d->dim)
		return npu_fail(err, NPU_EUSAGE, "has %zu elements, and those "
		    "before it %zu", dim, d->dim);
	if (d->dim != 0)
		return 0;
	if (dim == 0 || dim > DRIFT_DIM || d->vectors.size >
	    DRIFT_STATE_MAX / 2 / sizeof(float) / dim)
		return npu_fail(err, NPU_EUSAGE, "%zu vectors of %zu elements "
		    "are more than is kept", d->vectors.size, dim);
	free(d->unit);
	free(d->x);
	d->unit = calloc(d->vectors.size * dim, sizeof(*d->unit));
	d->x = calloc(dim, sizeof(*d->x));
	if (d->unit == NULL || d->x == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	d->dim = dim;
	return 0;
}

/* ---- Comparing -------------------------------------------------------- */

/* The cosine of unit vectors, except for rounding. */
static double
cosine(const float *a, const float *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)a[i] * (double)b[i];
	return sum > 1 ? 1 : sum < -1 ? -1 : sum;
}

static void
compare(const struct drift *d, struct drift_verdict *v)
{
	size_t n = d->vectors.n;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double c = cosine(d->x, d->unit +
		    ring_at(&d->vectors, i) * d->dim, d->dim);

		d->cosine[i] = c;
		sum += c;
		if (i == 0 || c > v->nearest)
			v->nearest = c;
	}
	if (n == 0)
		return;
	v->similarity = sum / (double)n;
	v->median_cosine = stats_median(d->cosine, n);
}

/* Median and MAD; returns the limit that follows, or NAN. */
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

static void
judge(const struct drift *d, struct drift_verdict *v)
{
	double limit = look_back(d, v);
	double higher = fmax(v->similarity, v->median_cosine);

	/* A vector without similarity has no limit.  fmax() ignores a NAN; a
	 * comparison with one is false. */
	if (!isnan(v->similarity))
		v->limit = fmax(d->o.below, limit);
	if (higher < d->o.below)
		v->alarm = DRIFT_BELOW;
	else if (higher < limit)
		v->alarm = DRIFT_HISTORY;
}

int
drift_add(struct drift *d, const float *x, size_t dim,
    struct drift_verdict *v, struct npu_err *err)
{
	struct drift_verdict found = { .similarity = NAN, .nearest = NAN,
	    .median_cosine = NAN, .median = NAN, .mad = NAN, .limit = NAN };
	int rc;

	if ((rc = drift_set_dim(d, dim, err)) < 0)
		return rc;
	memcpy(d->x, x, dim * sizeof(*x));
	if (npu_l2_normalise(d->x, dim, err) < 0)
		return npu_fail(err, NPU_EFORMAT, "has no direction: its "
		    "length is 0 or not finite");
	found.window = d->vectors.n;
	found.history = d->similarities.n;
	compare(d, &found);
	judge(d, &found);
	if (d->vectors.n > 0)
		d->similarity[ring_push(&d->similarities)] =
		    found.similarity;
	memcpy(d->unit + ring_push(&d->vectors) * dim, d->x,
	    dim * sizeof(*d->x));
	*v = found;
	return 0;
}
