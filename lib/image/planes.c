// SPDX-License-Identifier: Apache-2.0
/*
 * Goes across the rows as they are stored first, then along them.  A picture
 * that is stored sideways is produced column by column.  The order of the
 * passes does not matter, because at most 1/256 is rounded off between them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "image/kernels/pass.h"
#include "image/orient.h"
#include "image/picture.h"
#include "image/planes.h"
#include "image/ycc.h"

enum {
	MOST_KEPT = 4 << 20,		/* bytes of kept bands */
	HALF = PICTURE_BAND / 2,	/* rows of Cb and Cr in a band */
	LINE = 64,
};

/* Y; or Cb and Cr, which share their taps. */
enum { LUMA, CHROMA, LATTICES };

struct planes {
	void (*row)(void *arg, uint32_t y, const uint8_t *pixels);
	void *arg;
	uint32_t columns, rows;		/* size of the part */
	bool turned;			/* stored sideways */

	struct axis across;
	uint64_t from;			/* the first wanted sample across */
	uint32_t samples, done;		/* number of samples, and of samples
					 * done in the order of the rows */
	struct taps taps[LATTICES];	/* of the next sample, s16; k: owned */

	size_t stride;			/* bytes in a row of a band */
	uint8_t *kept;			/* bands */
	uint32_t room, have;		/* bands that fit in kept, and bands
					 * read so far */
	const uint8_t **row_at;		/* the rows of a window across */
	int16_t *s16[LATTICES];		/* one line */

	struct ycc_windows along[LATTICES];
	float *values[3];		/* Y, Cb, Cr of a line */
	uint32_t *pixels;		/* of a line */
	uint8_t *part;			/* the whole part, if turned */
};

/* ---- Reading bands, writing lines -------------------------------------- */

/* Returns the number across of the next sample; done counts in row order. */
static uint32_t
wanted(const struct planes *p)
{
	return p->across.mirrored ? p->samples - 1 - p->done : p->done;
}

static uint32_t
half(uint32_t n)
{
	return n / 2 + n % 2;
}

/* Computes the s16 taps of sample at, without weights of 0. */
static void
both_taps(const struct axis *a, uint64_t at, struct taps t[LATTICES])
{
	axis_taps(a, at, &t[LUMA]);
	taps_halve(&t[LUMA], half(a->from), &t[CHROMA]);
	for (int i = 0; i < LATTICES; i++) {
		taps_to_s16(&t[i]);
		taps_trim(&t[i]);
	}
}

/* Computes the taps of the next sample, unless all samples are done. */
static void
next_taps(struct planes *p)
{
	if (p->done < p->samples)
		both_taps(&p->across, p->from + wanted(p), p->taps);
}

/* Returns row i of Y, or of Cb and Cr.  The kept bands form a ring buffer. */
static const uint8_t *
kept(const struct planes *p, int lattice, uint32_t i)
{
	uint32_t each = lattice == LUMA ? PICTURE_BAND : HALF;
	size_t row = (size_t)(i / each % p->room) * PICTURE_BAND_ROWS +
	    i % each + (lattice == LUMA ? 0 : PICTURE_BAND);

	return p->kept + row * p->stride;
}

static void
go_across(struct planes *p, int lattice)
{
	const struct taps *t = &p->taps[lattice];

	for (uint32_t i = 0; i < t->n; i++)
		p->row_at[i] = kept(p, lattice, t->first + i);
	pass_across_s16(p->row_at, t->k, t->n, p->stride, p->s16[lattice]);
}

/* Stores the complete p->pixels as a column of the part. */
static void
put_column(struct planes *p)
{
	uint8_t *to = p->part + (size_t)wanted(p) * 4;

	for (uint32_t y = 0; y < p->rows; y++)
		memcpy(to + (size_t)y * p->columns * 4, &p->pixels[y], 4);
	for (uint32_t y = 0; p->done + 1 == p->samples && y < p->rows; y++)
		p->row(p->arg, y, p->part + (size_t)y * p->columns * 4);
}

static void
put_line(struct planes *p)
{
	const struct ycc_windows *chroma = &p->along[CHROMA];

	for (int i = 0; i < LATTICES; i++)
		go_across(p, i);
	ycc_along(&p->along[LUMA], p->s16[LUMA], p->values[0]);
	ycc_along(chroma, p->s16[CHROMA], p->values[1]);
	ycc_along(chroma, p->s16[CHROMA] + p->stride / 2, p->values[2]);
	ycc_write(p->values[0], p->values[1], p->values[2], chroma->n,
	    p->pixels);
	if (p->turned)
		put_column(p);
	else
		p->row(p->arg, wanted(p), (const uint8_t *)p->pixels);
}

/* Returns whether all rows that the next sample needs were read. */
static bool
is_due(const struct planes *p)
{
	const struct taps *luma = &p->taps[LUMA], *chroma = &p->taps[CHROMA];

	return (luma->first + luma->n - 1) / PICTURE_BAND < p->have &&
	    (chroma->first + chroma->n - 1) / HALF < p->have;
}

uint8_t *
planes_room(struct planes *p, size_t *stride)
{
	*stride = p->stride;
	return p->kept + (size_t)(p->have % p->room) * PICTURE_BAND_ROWS *
	    p->stride;
}

void
planes_add_band(struct planes *p)
{
	p->have++;
	while (p->done < p->samples && is_due(p)) {
		put_line(p);
		p->done++;
		next_taps(p);
	}
}

/* ---- Open and close ---------------------------------------------------- */

static struct axis
across_of(const struct resample_spec *s)
{
	struct orient o = orient(s->orientation);

	return (struct axis){ s->filter, s->height, o.swap ? s->to_width :
	    s->to_height, o.flip_y };
}

static struct axis
along_of(const struct resample_spec *s)
{
	struct orient o = orient(s->orientation);

	return (struct axis){ s->filter, s->width, o.swap ? s->to_height :
	    s->to_width, o.flip_x };
}

static size_t
stride_of(const struct resample_spec *s)
{
	return ((size_t)s->width + PICTURE_STRIDE - 1) / PICTURE_STRIDE *
	    PICTURE_STRIDE;
}

/* Returns the number of bands to keep.  Windows of Cb and Cr cover 2 more rows
 * of pixels on both sides, and may begin anywhere in a band. */
static size_t
bands_of(const struct resample_spec *s)
{
	struct axis across = across_of(s);

	return (axis_most(&across) + 4) / PICTURE_BAND + 2;
}

bool
planes_fit(const struct resample_spec *s)
{
	return s->filter != FILTER_BICUBIC &&
	    bands_of(s) * PICTURE_BAND_ROWS * stride_of(s) <= MOST_KEPT;
}

/* Allocates n zero bytes, aligned so that a load of LINE bytes touches only one
 * cache line. */
static void *
zeros(size_t n)
{
	size_t whole = (n + LINE - 1) / LINE * LINE;
	void *p = aligned_alloc(LINE, whole);

	return p == NULL ? NULL : memset(p, 0, whole);
}

static bool
taps_room(const struct axis *a, struct taps t[LATTICES])
{
	size_t most = axis_most(a);

	t[LUMA].k = calloc(most, sizeof(*t->k));
	t[CHROMA].k = calloc(most / 2 + 2, sizeof(*t->k));
	return t[LUMA].k != NULL && t[CHROMA].k != NULL;
}

static void
taps_free(struct taps t[LATTICES])
{
	for (int i = 0; i < LATTICES; i++)
		free(t[i].k);
}

static size_t
groups_of(size_t weights)
{
	return (weights + YCC_GROUP - 1) / YCC_GROUP;
}

/* Allocates windows for n samples with at most most weights each. */
static bool
windows_room(size_t most, uint32_t n, struct ycc_windows w[LATTICES])
{
	bool good = true;

	for (int j = 0; j < LATTICES; j++) {
		w[j].n = ((size_t)n + YCC_SAMPLES - 1) / YCC_SAMPLES *
		    YCC_SAMPLES;
		w[j].groups = groups_of(j == LUMA ? most : most / 2 + 2);
		w[j].first = calloc(w[j].n, sizeof(*w[j].first));
		w[j].k = zeros(w[j].n * w[j].groups * YCC_GROUP *
		    sizeof(*w[j].k));
		good &= w[j].first != NULL && w[j].k != NULL;
	}
	return good;
}

/* Reduces each window to groups groups, the number that the widest window
 * needs. */
static void
narrow(struct ycc_windows *w, size_t groups)
{
	size_t from = w->groups * YCC_GROUP, to = groups * YCC_GROUP;

	for (size_t i = 1; i < w->n; i++)
		memmove(w->k + i * to, w->k + i * from, to * sizeof(*w->k));
	w->groups = groups;
}

static bool
make_windows(const struct axis *a, uint64_t from, uint32_t n,
    struct ycc_windows w[LATTICES])
{
	struct taps t[LATTICES];
	size_t widest[LATTICES] = { 0 };
	bool good = taps_room(a, t) && windows_room(axis_most(a), n, w);
	int16_t *k;

	for (uint32_t i = 0; good && i < n; i++) {
		both_taps(a, from + i, t);
		for (int j = 0; j < LATTICES; j++) {
			w[j].first[i] = t[j].first;
			k = w[j].k + i * w[j].groups * YCC_GROUP;
			for (uint32_t l = 0; l < t[j].n; l++)
				k[l] = (int16_t)t[j].k[l];
			if (t[j].n > widest[j])
				widest[j] = t[j].n;
		}
	}
	for (int j = 0; good && j < LATTICES; j++)
		narrow(&w[j], groups_of(widest[j]));
	taps_free(t);
	return good;
}

static bool
get_memory(struct planes *p)
{
	size_t n = p->along[LUMA].n, beyond;
	bool good = taps_room(&p->across, p->taps);

	good &= (p->kept = zeros((size_t)p->room * PICTURE_BAND_ROWS *
	    p->stride)) != NULL;
	good &= (p->row_at = calloc(axis_most(&p->across) + 2,
	    sizeof(*p->row_at))) != NULL;
	for (int i = 0; i < LATTICES; i++) {
		beyond = p->along[i].groups * YCC_GROUP;
		good &= (p->s16[i] = zeros((p->stride + beyond) *
		    sizeof(*p->s16[i]))) != NULL;
	}
	for (int i = 0; i < 3; i++)
		good &= (p->values[i] = calloc(n, sizeof(float))) != NULL;
	good &= (p->pixels = calloc(n, sizeof(*p->pixels))) != NULL;
	if (p->turned)
		good &= (p->part = malloc((size_t)p->columns * p->rows * 4)) !=
		    NULL;
	return good;
}

int
planes_open(struct planes **out, const struct resample_spec *s,
    void (*row)(void *arg, uint32_t y, const uint8_t *pixels), void *arg,
    struct npu_err *err)
{
	struct planes *p = calloc(1, sizeof(*p));
	struct axis along = along_of(s);
	bool turned = orient(s->orientation).swap;

	if (p == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	p->row = row;
	p->arg = arg;
	p->columns = s->columns;
	p->rows = s->rows;
	p->turned = turned;
	p->across = across_of(s);
	p->from = turned ? s->left : s->top;
	p->samples = turned ? s->columns : s->rows;
	p->stride = stride_of(s);
	p->room = (uint32_t)bands_of(s);
	if (!make_windows(&along, turned ? s->top : s->left,
	    turned ? s->rows : s->columns, p->along) || !get_memory(p)) {
		planes_close(p);
		return npu_fail(err, NPU_ESYSTEM, "out of memory for a "
		    "picture of %" PRIu32 " x %" PRIu32 " pixels", s->width,
		    s->height);
	}
	next_taps(p);
	*out = p;
	return 0;
}

void
planes_close(struct planes *p)
{
	if (p == NULL)
		return;
	taps_free(p->taps);
	free(p->kept);
	free(p->row_at);
	for (int i = 0; i < LATTICES; i++) {
		free(p->s16[i]);
		free(p->along[i].first);
		free(p->along[i].k);
	}
	for (int i = 0; i < 3; i++)
		free(p->values[i]);
	free(p->pixels);
	free(p->part);
	free(p);
}
