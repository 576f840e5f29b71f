// SPDX-License-Identifier: Apache-2.0
/* nearest.c - see Pillow's src/libImaging/Geometry.c, ImagingScaleAffine(). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "image/kernels/pass.h"
#include "image/nearest.h"

struct nearest {
	void (*row)(void *arg, uint32_t y, const uint8_t *pixels);
	void *arg;
	uint32_t columns, rows;		/* the part's size */
	uint32_t *x, *y;		/* owned: source column and row of
					 * each */
	uint8_t *in, *out;		/* owned: one row each */
	uint32_t at, done;		/* rows read and rows written */
};

/* Pillow would need 15 GB for a picture of so many by 224 pixels. */
enum { MOST_STEPS = 1 << 24 };

/*
 * Returns the source positions of n pixels, starting with pixel first.  Steps
 * are added up, as in Pillow: near the border between two source pixels, this
 * rounding decides which of the two is taken.
 */
static uint32_t *
positions(uint32_t from, uint64_t to, uint64_t first, uint32_t n)
{
	double step = (double)(float)from / (double)to, at = step / 2;
	uint32_t *p = calloc(n, sizeof(*p));

	if (p == NULL)
		return NULL;
	if (first > MOST_STEPS)
		at += (double)first * step;
	else
		for (uint64_t i = 0; i < first; i++)
			at += step;
	for (uint32_t i = 0; i < n; i++) {
		p[i] = at < (double)from ? (uint32_t)at : from - 1;
		at += step;
	}
	return p;
}

int
nearest_open(struct nearest **out, const struct resample_spec *s,
    void (*row)(void *arg, uint32_t y, const uint8_t *pixels), void *arg,
    struct npu_err *err)
{
	struct nearest *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	r->row = row;
	r->arg = arg;
	r->columns = s->columns;
	r->rows = s->rows;
	r->x = positions(s->width, s->to_width, s->left, s->columns);
	r->y = positions(s->height, s->to_height, s->top, s->rows);
	r->in = malloc((size_t)s->width * 4 + PASS_SLACK);
	r->out = malloc((size_t)s->columns * 4 + PASS_SLACK);
	if (r->x != NULL && r->y != NULL && r->in != NULL && r->out != NULL) {
		*out = r;
		return 0;
	}
	nearest_close(r);
	return npu_fail(err, NPU_ESYSTEM, "out of memory for a picture of "
	    "%" PRIu32 " x %" PRIu32 " pixels", s->width, s->height);
}

uint8_t *
nearest_room(struct nearest *r)
{
	return r->in;
}

void
nearest_add_row(struct nearest *r)
{
	if (r->done < r->rows && r->y[r->done] == r->at)
		for (uint32_t i = 0; i < r->columns; i++)
			memcpy(r->out + (size_t)i * 4,
			    r->in + (size_t)r->x[i] * 4, 4);
	for (; r->done < r->rows && r->y[r->done] == r->at; r->done++)
		r->row(r->arg, r->done, r->out);
	r->at++;
}

void
nearest_close(struct nearest *r)
{
	if (r == NULL)
		return;
	free(r->x);
	free(r->y);
	free(r->in);
	free(r->out);
	free(r);
}
