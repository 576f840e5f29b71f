// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic.h"

/* Returns the length of x[0..n), or 0 if x does not have a direction: it is
 * NULL, zero or not finite. */
static double
vector_length(const float *x, uint32_t n)
{
	double square = 0;

	for (uint32_t i = 0; x != NULL && i < n; i++)
		square += (double)x[i] * (double)x[i];
	return isfinite(square) ? sqrt(square) : 0;
}

static void
add_vector(struct arithmetic *a, const char *name, const struct vector *row,
    double sign)
{
	double norm = vector_length(row->x, row->dim);

	if (norm == 0)
		cmd_die("%s: vector %s: %s", name, vector_name(row),
		    row->error != NULL ? row->error : "it has no direction");
	if (a->dim == 0) {
		a->name = name;
		a->dim = row->dim;
		a->sum = cmd_alloc(a->dim * sizeof(*a->sum));
		a->x = cmd_alloc(a->dim * sizeof(*a->x));
	}
	if (row->dim != a->dim)
		cmd_die("%s: vectors of %u numbers cannot be added "
		    "to vectors of %s, which have %u", name, row->dim, a->name,
		    a->dim);
	for (uint32_t i = 0; i < a->dim; i++)
		a->sum[i] += sign * ((double)row->x[i] / norm);
}

void
arithmetic_read(struct arithmetic *a, struct search *s, const char *path,
    bool subtract)
{
	const struct vector_reader_options options = { 0 };
	struct vector_reader v = { 0 };
	struct vector row;
	struct npu_err err;
	int rc;

	vector_reader_open(&v, path, &options);
	while ((rc = vector_reader_next(&v, &row, &err)) > 0) {
		search_check_space(s, v.name, &row);
		add_vector(a, v.name, &row, subtract ? -1 : 1);
	}
	if (rc < 0)
		cmd_die_err(v.name, &err);
	if (v.number == 0)
		cmd_die("%s: contains no vectors", v.name);
	vector_reader_close(&v);
}

void
arithmetic_apply(struct arithmetic *a, const char *name, struct vector *row)
{
	double norm = vector_length(row->x, row->dim), square = 0;
	bool cancels;
	double *y;

	if (a->dim == 0 || norm == 0)
		return;		/* the search reports a bad query */
	if (row->dim != a->dim)
		cmd_die("%s: vectors of %u numbers cannot be added "
		    "to vectors of %s, which have %u", name, row->dim, a->name,
		    a->dim);
	y = cmd_alloc(a->dim * sizeof(*y));
	for (uint32_t i = 0; i < a->dim; i++) {
		y[i] = (double)row->x[i] / norm + a->sum[i];
		square += y[i] * y[i];
	}
	/* If vectors cancel each other out, rounding errors remain. */
	cancels = square < 1e-12;
	for (uint32_t i = 0; i < a->dim; i++)
		a->x[i] = cancels ? 0 : (float)(y[i] / sqrt(square));
	free(y);
	row->x = a->x;
	if (cancels)
		row->error = "after --plus and --minus it is zero and has no "
		    "direction";
}

void
arithmetic_free(struct arithmetic *a)
{
	free(a->sum);
	free(a->x);
}
