// SPDX-License-Identifier: Apache-2.0
/*
 * Two axes: along a row as stored, and across the rows.  An upright picture is
 * resized along each row when the row arrives, and the results are kept until
 * the pass across them.  A picture that is stored sideways has its columns in
 * the rows.  Its rows are kept as they arrive, go through the pass across them
 * first, which is Pillow's first pass, then through the pass along, and become
 * columns.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "image/kernels/pass.h"
#include "image/kernels/pass_float.h"
#include "image/orient.h"
#include "image/resample.h"

enum {
	BATCH = 8,		/* rows at once */
	BATCH_BYTES = 1 << 20,	/* approximate limit; above it a batch has fewer
				 * rows */
	MOST_KEPT = 4 << 20,	/* bytes of rows; above it sums are kept */
	SUMS = 8,		/* samples whose windows share a row: at most 2
				 * * 2 for the filter's width, and the ends */
};

/* A sample across whose sum is not complete. */
struct output_sample {
	struct taps taps;	/* k: owned */
	void *sum;		/* of the rows that are dropped; int32_t, or
				 * float if floats; owned, or NULL */
	bool begun;
};

struct resample {
	void (*row)(void *arg, uint32_t y, const uint8_t *pixels);
	void *arg;
	uint32_t columns, rows;		/* size of the part */
	bool turned;			/* stored sideways */
	bool floats;			/* floats between the passes */

	uint32_t width;			/* pixels in a stored row */
	uint32_t lowest, highest;	/* range of the pixels that are used */
	struct windows along;
	uint8_t *batch;			/* stored rows, unless turned */
	unsigned batch_rows;
	float *column;			/* if turned and floats: not rounded */

	struct axis across;
	uint64_t from;			/* the first wanted sample across */
	uint32_t samples, done;		/* number of samples, and of samples
					 * done in the order of the rows */
	uint32_t made;			/* samples that have taps */
	struct output_sample sample[SUMS];
	uint32_t sample_slots;		/* SUMS, or 1 if rows are kept */
	uint8_t *kept;			/* rows for the pass across */
	const uint8_t **row_at;		/* the rows of a window */
	size_t stride;			/* bytes in a kept row */
	size_t skip, line;		/* offset in a row, and number, of the
					 * values that are used */
	uint32_t room;			/* rows that fit in kept */
	uint32_t base, have;		/* number of the first kept row, and
					 * number of kept rows */

	void *lines[PASS_ROWS];		/* results of the pass across */
	uint32_t waiting;		/* lines not yet stored, if turned */
	uint8_t *part;			/* the whole part, if turned */
	uint8_t *scrap;			/* for unwanted results */
};

/* ---- Writing rows ------------------------------------------------------ */

/* Returns the number across of sample i, where i counts in the order of the
 * rows. */
static uint32_t
wanted(const struct resample *r, uint32_t i)
{
	return r->across.mirrored ? r->samples - 1 - i : i;
}

/* Passes along the last r->waiting lines. */
static void
lines_along(struct resample *r, uint8_t *const out[PASS_ROWS])
{
	const uint8_t *line[PASS_ROWS];

	for (uint32_t i = 0; i < PASS_ROWS; i++)
		line[i] = r->lines[i < r->waiting ? i : 0];
	if (!r->floats) {
		pass_along(&r->along, line, out);
		return;
	}
	for (uint32_t i = 0; i < r->waiting; i++) {
		pass_float_along(&r->along, r->lines[i], r->column);
		pass_float_write(r->column, (size_t)r->rows * 4, out[i]);
	}
}

/* Stores the waiting lines as columns of the part. */
static void
put_columns(struct resample *r)
{
	uint8_t *out[PASS_ROWS], *to;

	for (uint32_t i = 0; i < PASS_ROWS; i++)
		out[i] = r->scrap + (size_t)i * r->rows * 4;
	lines_along(r, out);
	for (uint32_t i = 0; i < r->waiting; i++) {
		to = r->part + (size_t)wanted(r, r->done - r->waiting + i) * 4;
		for (uint32_t y = 0; y < r->rows; y++)
			memcpy(to + (size_t)y * r->columns * 4,
			    out[i] + (size_t)y * 4, 4);
	}
	r->waiting = 0;
}

/* Hands on lines[waiting], which is complete. */
static void
put_line(struct resample *r)
{
	r->done++;
	if (!r->turned) {
		if (r->floats)
			pass_float_write(r->lines[0], r->line, r->lines[0]);
		r->row(r->arg, wanted(r, r->done - 1), r->lines[0]);
		return;
	}
	r->waiting++;
	if (r->waiting == PASS_ROWS || r->done == r->samples)
		put_columns(r);
	for (uint32_t y = 0; r->done == r->samples && y < r->rows; y++)
		r->row(r->arg, y, r->part + (size_t)y * r->columns * 4);
}

/* ---- Across ------------------------------------------------------------ */

/* Returns sample i, which is among the next sample_slots samples. */
static struct output_sample *
sample_of(struct resample *r, uint32_t i)
{
	struct output_sample *p = &r->sample[i % r->sample_slots];

	if (i < r->made)
		return p;
	axis_taps(&r->across, r->from + wanted(r, i), &p->taps);
	p->begun = false;
	r->made = i + 1;
	return p;
}

/* Returns the address of row i.  The kept rows form a ring buffer. */
static uint8_t *
kept(const struct resample *r, uint32_t i)
{
	return r->kept + (size_t)(i % r->room) * r->stride;
}

/* Adds the kept rows to the sums of p.  last: no rows follow; convert to
 * bytes. */
static void
sum_up(struct resample *r, struct output_sample *p, bool last)
{
	uint32_t first = p->taps.first > r->base ? p->taps.first : r->base;
	uint32_t end = p->taps.first + p->taps.n, n;
	const int32_t *k = p->taps.k + (first - p->taps.first);

	if (end > r->base + r->have)
		end = r->base + r->have;
	n = end > first ? end - first : 0;
	for (uint32_t i = 0; i < n; i++)
		r->row_at[i] = kept(r, first + i) + r->skip;
	if (r->floats && !r->turned)
		pass_float_across(r->row_at, k, n, r->line,
		    p->begun ? p->sum : NULL, last ? r->lines[0] : p->sum);
	else
		pass_across(r->row_at, k, n, r->line, p->begun ? p->sum : NULL,
		    !last ? p->sum : r->floats ? r->lines[r->waiting] : NULL,
		    r->lines[r->waiting]);
	if (r->floats && r->turned && last)
		pass_float_read(r->lines[r->waiting], r->line, 0,
		    r->lines[r->waiting]);
	p->begun = true;
}

/* Computes all samples whose rows are complete. */
static void
go_across(struct resample *r)
{
	uint32_t here = r->base + r->have;
	struct output_sample *p;

	while (r->done < r->samples) {
		p = sample_of(r, r->done);
		if (p->taps.n > 0 && p->taps.first + p->taps.n > here)
			break;
		sum_up(r, p, true);
		put_line(r);
	}
	if (r->sample_slots == 1)
		return;
	for (uint32_t i = r->done; i < r->samples && i < r->done + SUMS; i++) {
		p = sample_of(r, i);
		if (p->taps.first >= here)
			break;
		sum_up(r, p, false);
	}
	r->base = here;
	r->have = 0;
}

/* Drops the rows that no later sample needs. */
static void
drop(struct resample *r)
{
	uint32_t n = r->have, first;

	if (r->done < r->samples) {
		first = sample_of(r, r->done)->taps.first;
		n = first - r->base;	/* windows begin in rising order */
		if (n > r->have)
			n = r->have;
	}
	r->base += n;
	r->have -= n;
}

/* ---- Reading rows ------------------------------------------------------ */

/* Passes along at most PASS_ROWS rows of the batch and keeps the results. */
static void
go_along(struct resample *r, const uint8_t *rows, unsigned n)
{
	const uint8_t *row[PASS_ROWS];
	uint8_t *out[PASS_ROWS];
	int32_t *sums[PASS_ROWS];

	if (r->have + n > r->room)
		drop(r);
	for (unsigned i = 0; i < PASS_ROWS; i++) {
		row[i] = rows + ((size_t)(i < n ? i : 0) * r->width +
		    r->lowest) * 4;
		out[i] = i < n ? kept(r, r->base + r->have + i) : r->scrap;
		sums[i] = (void *)out[i];
	}
	if (!r->floats)
		pass_along(&r->along, row, out);
	else
		pass_along_sums(&r->along, row, sums);
	for (unsigned i = 0; r->floats && i < n; i++)
		pass_float_read(sums[i], r->line, 1 << (TAPS_BITS - 1),
		    (void *)sums[i]);
	r->have += n;
}

uint8_t *
resample_room(struct resample *r, unsigned *most)
{
	size_t at;

	if (!r->turned) {
		*most = r->batch_rows;
		return r->batch;
	}
	if (r->have == r->room)
		drop(r);
	at = (r->base + r->have) % r->room;
	*most = r->room - (at > r->have ? at : r->have);
	return r->kept + at * r->stride;
}

void
resample_add_rows(struct resample *r, unsigned n)
{
	unsigned some;

	if (r->turned) {
		r->have += n;
		go_across(r);
		return;
	}
	for (unsigned i = 0; i < n && r->done < r->samples; i += some) {
		some = n - i < PASS_ROWS ? n - i : PASS_ROWS;
		if (r->have == 0 && r->base + some <=
		    sample_of(r, r->done)->taps.first) {
			r->base += some;	/* above the wanted part */
			continue;
		}
		go_along(r, r->batch + (size_t)i * r->width * 4, some);
		go_across(r);
	}
}

/* ---- Open and close ---------------------------------------------------- */

/* Computes the windows of n samples, starting with sample from. */
static int
make_windows(struct resample *r, const struct axis *a, uint64_t from,
    uint32_t n)
{
	struct windows *w = &r->along;
	size_t most = axis_most(a), used = 0, padded;
	struct taps t;

	w->n = n;
	w->first = calloc(n, sizeof(*w->first));
	w->count = calloc(n, sizeof(*w->count));
	w->k = malloc((n * most + n * (size_t)PASS_QUAD) * sizeof(*w->k));
	if (w->first == NULL || w->count == NULL || w->k == NULL)
		return -1;
	r->lowest = r->width;
	for (uint32_t i = 0; i < n; i++) {
		t.k = w->k + used;
		axis_taps(a, from + i, &t);
		taps_trim(&t);
		padded = pass_padded(t.n);
		for (size_t k = t.n; k < padded; k++)
			t.k[k] = 0;
		w->first[i] = t.first;
		w->count[i] = t.n;
		used += padded;
		if (t.first < r->lowest)
			r->lowest = t.first;
		if (t.first + t.n > r->highest)
			r->highest = t.first + t.n;
	}
	for (uint32_t i = 0; i < n; i++)
		w->first[i] -= r->lowest;
	return pass_prepare(w);
}

/* Decides whether rows or sums are kept for the pass across, and how many. */
static void
plan_across(struct resample *r, const struct resample_spec *spec)
{
	size_t most = axis_most(&r->across), height = r->across.from;

	r->line = (size_t)(r->turned ? r->highest - r->lowest : r->columns) *
	    4;
	r->stride = r->line;
	if (r->turned) {
		r->stride = (size_t)r->width * 4;
		r->skip = (size_t)r->lowest * 4;
	} else if (r->floats) {
		r->stride *= sizeof(float);
	}
	r->batch_rows = BATCH;
	while (r->batch_rows > 1 &&
	    (size_t)spec->width * 4 * r->batch_rows > BATCH_BYTES)
		r->batch_rows /= 2;
	r->sample_slots = 1;
	if (r->across.from > r->across.to && most * r->stride > MOST_KEPT) {
		r->sample_slots = SUMS;
		r->room = BATCH;
		return;
	}
	most += r->turned ? BATCH : PASS_ROWS;
	r->room = (uint32_t)(most < height ? most : height);
}

static bool
get_memory(struct resample *r)
{
	size_t most = axis_most(&r->across);
	size_t lines = r->turned ? PASS_ROWS : 1;
	size_t value = r->floats ? sizeof(float) : 1;
	bool good = true;

	if (r->floats)
		good &= (r->column = malloc((size_t)r->along.n * 4 *
		    sizeof(float))) != NULL;
	if (!r->turned)
		good &= (r->batch = malloc((size_t)r->width * 4 *
		    r->batch_rows + PASS_SLACK)) != NULL;
	good &= (r->kept = malloc(r->stride * r->room + PASS_SLACK)) != NULL;
	good &= (r->row_at = calloc(r->room, sizeof(*r->row_at))) != NULL;
	for (size_t i = 0; i < lines; i++)
		good &= (r->lines[i] = malloc((r->line + PASS_SLACK) *
		    value)) != NULL;
	for (size_t i = 0; i < r->sample_slots; i++) {
		good &= (r->sample[i].taps.k = calloc(most,
		    sizeof(*r->sample[i].taps.k))) != NULL;
		if (r->sample_slots > 1)
			good &= (r->sample[i].sum = calloc(r->line + PASS_SLACK,
			    sizeof(float))) != NULL;
	}
	if (r->turned)
		good &= (r->part = malloc((size_t)r->columns * r->rows * 4)) !=
		    NULL;
	good &= (r->scrap = malloc((size_t)r->along.n * 4 * PASS_ROWS *
	    value)) !=
	    NULL;
	return good;
}

int
resample_open(struct resample **out, const struct resample_spec *s,
    void (*row)(void *arg, uint32_t y, const uint8_t *pixels), void *arg,
    struct npu_err *err)
{
	struct resample *r = calloc(1, sizeof(*r));
	struct orient o = orient(s->orientation);
	bool turned = o.swap;
	struct axis along = { s->filter, s->width, turned ? s->to_height :
	    s->to_width, o.flip_x };

	if (r == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	r->row = row;
	r->arg = arg;
	r->columns = s->columns;
	r->rows = s->rows;
	r->turned = turned;
	r->floats = s->floats;
	r->width = s->width;
	r->across = (struct axis){ s->filter, s->height, turned ? s->to_width :
	    s->to_height, o.flip_y };
	r->from = turned ? s->left : s->top;
	r->samples = turned ? s->columns : s->rows;
	if (make_windows(r, &along, turned ? s->top : s->left,
	    turned ? s->rows : s->columns) < 0)
		goto fail;
	plan_across(r, s);
	if (!get_memory(r))
		goto fail;
	*out = r;
	return 0;
fail:
	resample_close(r);
	return npu_fail(err, NPU_ESYSTEM, "out of memory for a picture of "
	    "%" PRIu32 " x %" PRIu32 " pixels", s->width, s->height);
}

void
resample_close(struct resample *r)
{
	if (r == NULL)
		return;
	free(r->along.first);
	free(r->along.count);
	free(r->along.k);
	free(r->along.split);
	free(r->along.bias);
	free(r->batch);
	free(r->column);
	for (size_t i = 0; i < SUMS; i++) {
		free(r->sample[i].taps.k);
		free(r->sample[i].sum);
	}
	free(r->kept);
	free(r->row_at);
	for (size_t i = 0; i < PASS_ROWS; i++)
		free(r->lines[i]);
	free(r->part);
	free(r->scrap);
	free(r);
}
