// SPDX-License-Identifier: Apache-2.0
/* array_order.c - which array of the calibration data is for which input. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "calibration.h"
#include "cix-lint/model/inputs.h"
#include "cix-lint/model/port_text.h"
#include "cmd.h"

/* ---- Numbers of arrays --------------------------------------------------- */

/* Returns whether the class can read a file of this kind. */
static bool
class_reads(const struct calibration *c)
{
	const bool one = c->class->file == DATASET_ARRAY;

	if (c->data.archive != one)
		return true;
	return !one && strcmp(c->class->name,
	    "tensorfromnumpymultiinputdataset") == 0;
}

static void
report_kind(const struct calibration *c)
{
	if (c->data.archive)
		calibration_report(c, RULE_DATASET, LEVEL_ERROR,
		    cmd_copy("dataset"), cmd_text("%s reads a .npy, and '%s' "
		    "is a .npz", c->class->name, c->key->value),
		    cmd_copy("save the array with numpy.save(), or write "
		    "dataset = numpymultiinputdataset"));
	else
		calibration_report(c, RULE_DATASET, LEVEL_ERROR,
		    cmd_copy("dataset"), cmd_text("%s reads a .npz, and '%s' "
		    "is a .npy", c->class->name, c->key->value),
		    cmd_copy(c->n_inputs > 1 ? "save the arrays of all inputs "
		    "with numpy.savez()" : "save the array with "
		    "numpy.savez(), or write dataset = numpydataset"));
}

static void
report_number(const struct calibration *c)
{
	calibration_report(c, RULE_CALIBRATION, LEVEL_ERROR, NULL,
	    cmd_text("'%s' has %zu array%s, and the model takes %zu input%s",
	    c->key->value, c->n_arrays, num_plural(c->n_arrays), c->n_inputs,
	    num_plural(c->n_inputs)), cmd_copy("save one array for each input "
	    "of the model"));
}

/* ---- Which array is for which input -------------------------------------- */

/* Returns the indexes of the inputs, sorted by name. */
static size_t *
sort_inputs(const struct calibration *c)
{
	size_t *order = cmd_alloc(c->n_inputs * sizeof(*order)), at;

	for (size_t i = 0; i < c->n_inputs; i++) {
		for (at = i; at > 0 && bytes_compare(
		    c->input[order[at - 1]].name, c->input[i].name) > 0; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	return order;
}

/* Returns whether each input has an array with its name, and sets these. */
static bool
assign_by_name(struct calibration *c)
{
	for (size_t i = 0; i < c->n_inputs; i++)
		if ((c->input[i].array = samples_find(&c->data,
		    c->input[i].name)) == c->data.n)
			return false;
	return true;
}

/* Without names, the order of the arrays is the configuration's or, if only
 * that fits, the order of the names. */
static void
assign_by_order(struct calibration *c)
{
	size_t *order;

	for (size_t i = 0; i < c->n_inputs; i++)
		c->input[i].array = c->array[i];
	if (arrays_fit(c))
		return;
	order = sort_inputs(c);
	for (size_t i = 0; i < c->n_inputs; i++)
		c->input[order[i]].array = c->array[i];
	if (!arrays_fit(c))
		for (size_t i = 0; i < c->n_inputs; i++)
			c->input[i].array = c->array[i];
	free(order);
}

bool
check_arrays(struct calibration *c)
{
	/* check_class() has reported one array for several inputs. */
	const bool reported = c->class->file == DATASET_ARRAY &&
	    c->n_inputs > 1;

	if (c->n_inputs == 0)
		return false;
	if (!class_reads(c) && !reported)
		report_kind(c);
	if (c->n_arrays != c->n_inputs) {
		if (!reported && (c->data.archive || class_reads(c)))
			report_number(c);
		return false;
	}
	if (!c->data.archive || !assign_by_name(c))
		assign_by_order(c);
	return true;
}

/* ---- The order of the parser --------------------------------------------- */

/* Returns the input whose array is the n-th of the file. */
static size_t
input_of(const struct calibration *c, size_t n)
{
	size_t i = 0;

	while (i + 1 < c->n_inputs && c->input[i].array != c->array[n])
		i++;
	return i;
}

static void
put_name(struct buf *b, const struct calibration *c, size_t i, size_t n)
{
	char *name = shown_name(c->input[i].name);

	buf_printf(b, "%s%s", n > 0 ? ", " : "", name);
	free(name);
}

static void
report_order(const struct calibration *c, const size_t *sorted, bool same)
{
	struct buf own = { 0 }, names = { 0 };

	for (size_t n = 0; n < c->n_inputs && n < MOST_INPUTS; n++) {
		put_name(&own, c, input_of(c, n), n);
		put_name(&names, c, sorted[n], n);
	}
	calibration_report(c, RULE_INPUT_ORDER, same ? LEVEL_NOTE :
	    LEVEL_WARNING, NULL, cmd_text("the data is for the inputs in the "
	    "order %.*s, and the parser may %s %.*s", (int)own.n, own.p, same ?
	    "change this order; sorted by name it is" : "sort them by name:",
	    (int)names.n, names.p), cmd_text("look up the order of the inputs "
	    "in the parsed IR (input_tensors in the .txt file of the parser), "
	    "and save the arrays in that order"));
	buf_free(&own);
	buf_free(&names);
}

/* The compiler takes the arrays in the order of the file, whatever their names
 * are, for the inputs in the order of the parser. */
void
check_array_order(struct calibration *c)
{
	size_t *sorted;
	bool same = true;

	if (c->n_inputs < 2)
		return;
	sorted = sort_inputs(c);
	for (size_t n = 0; n < c->n_inputs; n++)
		same &= input_of(c, n) == sorted[n];
	report_order(c, sorted, same);
	free(sorted);
}
