// SPDX-License-Identifier: Apache-2.0
/* outputs_lost.c - compares outputs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "outputs_lost.h"

static bool
is_rounded(const struct output_lost *o)
{
	return o->activation != NULL && o->activation->own.scale > 0;
}

static size_t
steps(const struct output_lost *o)
{
	return (size_t)(o->activation->own.high - o->activation->own.low) + 1;
}

void
output_lost_begin(struct output_lost *o, const struct npu_tensor *t,
    const struct activation *a)
{
	*o = (struct output_lost){ .activation = a, .least = 1 };
	snprintf(o->name, sizeof(o->name), "%s", t->name);
	if (is_rounded(o))
		o->level = cmd_alloc(steps(o) * sizeof(*o->level));
	o->exact = cmd_alloc(t->size);
	o->rounded = cmd_alloc(t->size);
}

void
output_lost_free(struct output_lost *o)
{
	buf_free(&o->cosines);
	free(o->level);
	free(o->exact);
	free(o->rounded);
}

/* Marks the steps of the numbers. */
static void
count_steps(struct output_lost *o, size_t n)
{
	const struct rounding *r = &o->activation->own;

	for (size_t i = 0; i < n; i++) {
		double step = rint((double)o->rounded[i] * r->scale);

		if (!(step >= r->low && step <= r->high))
			continue;
		o->saturated += step != 0 && (step == r->low ||
		    step == r->high);
		o->level[(size_t)(step - r->low)] = true;
	}
}

/* Two outputs of zeros are alike.  Returns NAN for an output with NaN. */
static double
cosine(double xx, double yy, double xy)
{
	if (isnan(xx) || isnan(yy))
		return NAN;
	if (xx > 0 && yy > 0)
		return xy / sqrt(xx * yy);
	return xx > 0 || yy > 0 ? 0 : 1;
}

void
output_lost_add(struct output_lost *o, const struct npu_tensor *t,
    const void *exact, const void *rounded)
{
	size_t n = npu_tensor_count(t);
	double xx = 0, yy = 0, xy = 0, c;

	memcpy(o->exact, exact, t->size);
	memcpy(o->rounded, rounded, t->size);
	for (size_t i = 0; i < n; i++) {
		double x = (double)o->exact[i], y = (double)o->rounded[i];

		xx += x * x;
		yy += y * y;
		xy += x * y;
		o->noise += (x - y) * (x - y);
	}
	c = cosine(xx, yy, xy);
	o->signal += xx;
	buf_add(&o->cosines, &c, sizeof(c));
	o->cosine += c;
	if (!(c >= o->least))
		o->least = c;
	o->elements += n;
	o->runs++;
	if (is_rounded(o))
		count_steps(o, n);
}

uint64_t
output_lost_distinct(const struct output_lost *o, uint64_t *most)
{
	uint64_t n = 0;

	if (!is_rounded(o))
		return 0;
	for (size_t i = 0; i < steps(o); i++)
		n += o->level[i];
	*most = o->elements < steps(o) ? o->elements : steps(o);
	return n;
}
