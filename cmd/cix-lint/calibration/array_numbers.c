// SPDX-License-Identifier: Apache-2.0
/* array_numbers.c - checks the numbers in calibration data. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "calibration.h"
#include "cix-lint/model/inputs.h"
#include "cix-lint/model/port_text.h"
#include "cmd.h"
#include "input_use.h"

/* The numbers of one input. */
struct input_numbers {
	const struct calibration *c;
	const struct calibrated_input *in;
	const struct sample_array *array;
	struct sample_range range;
};

static void
report(const struct input_numbers *n, enum level level, char *message,
    char *fix)
{
	calibration_report(n->c, RULE_CALIBRATION, level,
	    shown_name(n->in->name), message, fix);
}

/* Returns whether the model takes floats. */
static bool
takes_floats(const struct input_numbers *n)
{
	return n->in->port == NULL || npu_dtype_is_float(n->in->port->dtype);
}

static bool
takes_integers(const struct input_numbers *n)
{
	return n->in->port != NULL && n->in->port->dtype != NPU_NONE &&
	    !npu_dtype_is_float(n->in->port->dtype);
}

/* ---- Numbers that are wrong for any model -------------------------------- */

static void
check_finite(const struct input_numbers *n)
{
	const struct sample_range *r = &n->range;
	const bool trimmed = *calibration_value(n->c,
	    "trim_infinity_before_statistic") != '\0';

	if (r->nan > 0)
		report(n, LEVEL_WARNING, cmd_text("%" PRIu64 " of %" PRIu64
		    " numbers %s NaN, first in sample %" PRIu64, r->nan, r->n,
		    r->nan == 1 ? "is" : "are", r->first_bad),
		    cmd_copy("leave these samples out: one NaN spoils the "
		    "ranges of all activations"));
	if (r->infinite > 0 && !trimmed)
		report(n, LEVEL_WARNING, cmd_text("%" PRIu64 " of %" PRIu64
		    " numbers %s infinite%s", r->infinite, r->n,
		    r->infinite == 1 ? "is" : "are", r->nan == 0 ?
		    ", or too large for float32" : ""),
		    cmd_copy("write a finite number in place of each: the "
		    "range of this input becomes infinite"));
}

/* Data of one number is not of real use; an input of several, such as a mask,
 * may well be constant. */
static void
check_constant(const struct input_numbers *n)
{
	const struct sample_range *r = &n->range;

	if (r->n < 2 || r->nan + r->infinite > 0 || r->min != r->max ||
	    (n->c->n_inputs > 1 && (r->min != 0 || takes_integers(n))))
		return;
	report(n, LEVEL_WARNING, cmd_text("all %" PRIu64 " numbers%s are %g",
	    r->n, r->n < n->array->form.elements ? " that were read" : "",
	    (double)r->min), cmd_copy("save inputs as in real use: the "
	    "compiler finds the ranges of activations with these"));
}

/* ---- Numbers that are wrong for this model ------------------------------- */

/* Returns whether the numbers look like pictures of 0 to 255. */
static bool
is_unscaled(const struct input_numbers *n)
{
	const struct sample_range *r = &n->range;
	const struct npy_array *a = &n->array->form;
	bool whole = r->not_whole == 0 && r->max > 2;
	/* A picture that was resized does not have whole numbers. */
	bool resized = a->ndim == 4 && r->max > 128 && (a->dim[1] == 3 ||
	    a->dim[3] == 3);

	return takes_floats(n) && a->ndim >= 3 && r->nan + r->infinite == 0 &&
	    r->min >= 0 && r->max <= 255 && r->min < r->max &&
	    (whole || resized);
}

static void
check_scale(const struct input_numbers *n, const struct input_use *u)
{
	if (!is_unscaled(n) || u->scaled)
		return;
	report(n, LEVEL_WARNING, cmd_text("the numbers are from %g to %g%s, as "
	    "in pictures that are not normalised; models usually take 0 to 1, "
	    "or numbers around 0", (double)n->range.min, (double)n->range.max,
	    n->range.not_whole == 0 ? ", all whole" : ""),
	    cmd_copy("save the data as the model takes it, for example "
	    "array / 255; if it takes 0 to 255, write # cix-lint: off "
	    "calibration"));
}

static void
check_indices(const struct input_numbers *n, const struct input_use *u)
{
	const double rows = (double)u->rows;
	char *table;

	if (u->rows == 0 || n->range.n == 0 ||
	    (n->range.max < rows && n->range.min >= -rows))
		return;
	table = shown_name(u->table);
	report(n, LEVEL_ERROR, cmd_text("the numbers are from %g to %g, and "
	    "the table '%s' has %" PRIu64 " rows", (double)n->range.min,
	    (double)n->range.max, table, u->rows), cmd_text("save ids from 0 "
	    "to %" PRIu64, u->rows - 1));
	free(table);
}

static void
check_whole(const struct input_numbers *n)
{
	if (takes_integers(n) && n->range.not_whole > 0)
		report(n, LEVEL_WARNING, cmd_text("%" PRIu64 " of %" PRIu64
		    " numbers are not whole, and the input is %s",
		    n->range.not_whole, n->range.n,
		    onnx_port_type(n->in->port)), cmd_copy("save the numbers "
		    "that the model takes, as integers"));
}

/* Reads the graph only if the numbers need it. */
static void
check_use(const struct input_numbers *n)
{
	struct onnx_graph g = { .node = NULL };
	struct input_use u;
	struct npu_err err;

	if (!is_unscaled(n) && !takes_integers(n))
		return;
	if (onnx_graph_read(&g, n->c->l->bytes.file, &err) < 0)
		cmd_die("%s: %s", n->c->l->model_path, err.msg);
	u = input_use_find(&g, n->in->name);
	check_scale(n, &u);
	check_indices(n, &u);
	onnx_graph_free(&g);
}

static void
check_input(struct calibration *c, const struct calibrated_input *in)
{
	struct input_numbers n = { .c = c, .in = in,
	    .array = &c->data.array[in->array] };
	struct npu_err err;

	if (samples_range(&c->data, in->array, &n.range, &err) < 0) {
		report(&n, LEVEL_ERROR, cmd_text("'%s': %s", c->key->value,
		    err.msg), cmd_copy("save the data again"));
		return;
	}
	check_finite(&n);
	check_constant(&n);
	check_whole(&n);
	check_use(&n);
}

void
check_array_numbers(struct calibration *c)
{
	for (size_t i = 0; i < c->n_inputs && i < MOST_INPUTS; i++)
		check_input(c, &c->input[i]);
}
