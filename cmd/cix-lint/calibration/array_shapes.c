// SPDX-License-Identifier: Apache-2.0
/* array_shapes.c - compares the shapes of calibration data with the inputs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "calibration.h"
#include "cix-lint/model/port_text.h"
#include "cmd.h"

enum { FEW = 4 };		/* samples; fewer are noted */

/* A shape that an input may have; a dimension below 1 is open. */
struct wanted_shape {
	uint32_t ndim;
	const int64_t *dim;
};

/* ---- Texts --------------------------------------------------------------- */

/* Adds the sizes from axis first on, as in [4,3,8,8]. */
static void
put_array_shape(struct buf *b, const struct npy_array *a, uint32_t first)
{
	buf_puts(b, "[");
	for (uint32_t i = first; i < a->ndim; i++)
		buf_printf(b, "%s%" PRIu64, i > first ? "," : "", a->dim[i]);
	buf_puts(b, "]");
}

static void
put_size(struct buf *b, int64_t size)
{
	if (size > 0)
		buf_printf(b, "%" PRId64, size);
	else
		buf_puts(b, "?");
}

/* Adds the shape of the whole array, as in [N,3,8,8]. */
static void
put_wanted(struct buf *b, const struct wanted_shape *w, const char *first)
{
	buf_printf(b, "[%s", first);
	for (uint32_t i = 1; i < w->ndim; i++) {
		buf_puts(b, ",");
		put_size(b, w->dim[i]);
	}
	buf_puts(b, "]");
}

static char *
take_text(struct buf *b)
{
	char *text = cmd_text("%.*s", (int)b->n, b->n > 0 ? b->p : "");

	buf_free(b);
	return text;
}

/* ---- Shapes -------------------------------------------------------------- */

static bool
size_fits(uint64_t size, int64_t wanted)
{
	return wanted < 1 || size == (uint64_t)wanted;
}

/* Returns whether the sizes after the first are the sizes of the input, when
 * the layout has put its axes in order. */
static bool
sizes_fit(const struct npy_array *a, const struct wanted_shape *w,
    enum dataset_layout layout)
{
	static const unsigned to_hwc[] = { 0, 2, 3, 1 };
	static const unsigned to_chw[] = { 0, 3, 1, 2 };

	if (a->ndim != w->ndim ||
	    (layout != LAYOUT_AS_IT_IS && w->ndim != 4))
		return false;
	for (uint32_t i = 1; i < w->ndim; i++) {
		unsigned from = layout == LAYOUT_CHW_TO_HWC ? to_hwc[i] :
		    layout == LAYOUT_HWC_TO_CHW ? to_chw[i] : i;

		if (!size_fits(a->dim[from], w->dim[i]))
			return false;
	}
	return true;
}

/* Returns whether the array, from axis first on, has exactly this shape. */
static bool
is_whole(const struct npy_array *a, const struct wanted_shape *w,
    uint32_t first)
{
	if (a->ndim != w->ndim + first)
		return false;
	for (uint32_t i = 0; i < w->ndim; i++)
		if (!size_fits(a->dim[i + first], w->dim[i]))
			return false;
	return true;
}

/* Returns whether the parser may change the order of axes of inputs. */
static bool
is_channels_last(const struct calibration *c)
{
	static const char *const keys[] = { "input_data_format",
		"input_layout" };
	const char *value;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		value = ini_value(&c->l->ini, "Parser", keys[i]);
		if (value != NULL && strcasestr(value, "NHWC") != NULL)
			return true;
	}
	return false;
}

static bool
fits(const struct calibration *c, const struct npy_array *a,
    const struct wanted_shape *w)
{
	if (sizes_fit(a, w, c->class->layout == LAYOUT_ONE_SAMPLE ?
	    LAYOUT_AS_IT_IS : c->class->layout) || (w->ndim < 2 &&
	    is_whole(a, w, 1)))
		return true;
	if (c->class->layout == LAYOUT_ONE_SAMPLE)
		return is_whole(a, w, 0);
	if (c->class->layout == LAYOUT_AS_IT_IS && is_channels_last(c) &&
	    (sizes_fit(a, w, LAYOUT_CHW_TO_HWC) ||
	    sizes_fit(a, w, LAYOUT_HWC_TO_CHW)))
		return true;
	return strcasecmp(calibration_value(c, "without_batch_dim"), "true")
	    == 0 && is_whole(a, w, 1);
}

/* Returns whether the array fits input_shape or the model: if these differ,
 * that is another finding. */
static bool
fits_input(const struct calibration *c, const struct calibrated_input *in)
{
	const struct npy_array *a = &c->data.array[in->array].form;
	const struct onnx_port *p = in->port;
	const bool shaped = p != NULL && p->shaped;

	if (in->listed != NULL && fits(c, a, &(struct wanted_shape){
	    in->listed->ndim, in->listed->dim }))
		return true;
	if (shaped)
		return fits(c, a, &(struct wanted_shape){ p->ndim, p->dim });
	return in->listed == NULL;
}

bool
arrays_fit(const struct calibration *c)
{
	for (size_t i = 0; i < c->n_inputs; i++)
		if (!fits_input(c, &c->input[i]))
			return false;
	return true;
}

/* Adds the sizes of one sample as the arguments of reshape(). */
static void
put_reshape(struct buf *b, const struct wanted_shape *w)
{
	buf_puts(b, "save array.reshape(-1");
	for (uint32_t i = 1; i < w->ndim; i++)
		buf_printf(b, ", %" PRId64, w->dim[i]);
	buf_puts(b, "), if the numbers are in this order");
}

/* Returns whether the array's samples have as many numbers as the input. */
static bool
same_count(const struct sample_array *a, const struct wanted_shape *w)
{
	uint64_t n = 1;

	for (uint32_t i = 1; i < w->ndim; i++) {
		if (w->dim[i] < 1 || (uint64_t)w->dim[i] > NPU_MAX_PAYLOAD / n)
			return false;
		n *= (uint64_t)w->dim[i];
	}
	return w->ndim > 0 && a->row == n;
}

static char *
shape_fix(const struct calibration *c, const struct sample_array *a,
    const struct wanted_shape *w)
{
	const bool plain = strcmp(c->class->name, "numpydataset") == 0;
	struct buf b = { 0 };

	if (w->ndim > 1 && a->form.ndim == w->ndim + 1 && a->form.dim[1] == 1
	    && is_whole(&a->form, w, 1)) {
		buf_puts(&b, "save array.squeeze(1): the compiler adds the "
		    "axis of the batch");
	} else if (w->ndim > 1 && is_whole(&a->form, &(struct wanted_shape){
	    w->ndim - 1, w->dim + 1 }, 0)) {
		buf_puts(&b, "save array[None], with an axis of samples in "
		    "front");
	} else if (sizes_fit(&a->form, w, LAYOUT_HWC_TO_CHW)) {
		buf_printf(&b, "save array.transpose(0, 3, 1, 2)%s", plain ?
		    ", or write dataset = numpynhwc2nchwdataset" : "");
	} else if (sizes_fit(&a->form, w, LAYOUT_CHW_TO_HWC)) {
		buf_printf(&b, "save array.transpose(0, 2, 3, 1)%s", plain ?
		    ", or write dataset = numpynchw2nhwcdataset" : "");
	} else if (same_count(a, w)) {
		put_reshape(&b, w);
	} else {
		buf_puts(&b, "save samples as ");
		put_wanted(&b, w, "N");
		buf_puts(&b, ", where N is their number");
	}
	return take_text(&b);
}

static void
report_shape(const struct calibration *c, const struct calibrated_input *in)
{
	const struct sample_array *a = &c->data.array[in->array];
	struct wanted_shape w = { 0 };
	struct buf b = { 0 };
	char *name;

	if (in->listed != NULL)
		w = (struct wanted_shape){ in->listed->ndim, in->listed->dim };
	else if (in->port != NULL)
		w = (struct wanted_shape){ in->port->ndim, in->port->dim };
	buf_puts(&b, "the array ");
	if (c->data.archive) {
		name = shown_name((struct bytes){ (const void *)a->member.name,
		    strlen(a->member.name) });
		buf_printf(&b, "'%s' ", name);
		free(name);
	}
	buf_puts(&b, "has the shape ");
	put_array_shape(&b, &a->form, 0);
	buf_puts(&b, ", and the input takes ");
	put_wanted(&b, &w, "N");
	if (c->class->layout == LAYOUT_HWC_TO_CHW ||
	    c->class->layout == LAYOUT_CHW_TO_HWC)
		buf_printf(&b, " after %s has moved the channels",
		    c->class->name);
	calibration_report(c, RULE_CALIBRATION, LEVEL_ERROR,
	    shown_name(in->name), take_text(&b), shape_fix(c, a, &w));
}

/* ---- Samples ------------------------------------------------------------- */

static void
report_count(const struct calibration *c, const struct calibrated_input *in,
    uint64_t first)
{
	uint64_t n = c->data.array[in->array].samples;

	if (n == first || n == 0 || first == 0)
		return;
	calibration_report(c, RULE_CALIBRATION, n < first ? LEVEL_ERROR :
	    LEVEL_WARNING, shown_name(in->name), cmd_text("%" PRIu64
	    " sample%s of this input, and %" PRIu64 " of '%.*s'", n,
	    num_plural(n), first, (int)c->input[0].name.n,
	    (const char *)c->input[0].name.p), cmd_copy("save the same number "
	    "of samples for each input"));
}

static void
check_empty(const struct calibration *c)
{
	for (size_t i = 0; i < c->n_inputs; i++)
		if (c->data.array[c->input[i].array].form.elements == 0)
			calibration_report(c, RULE_CALIBRATION, LEVEL_ERROR,
			    shown_name(c->input[i].name), cmd_copy("the array "
			    "is empty: it has 0 samples"), cmd_copy("save at "
			    "least one sample, or better a hundred"));
}

static void
check_counts(const struct calibration *c)
{
	uint64_t first = c->data.array[c->input[0].array].samples;

	for (size_t i = 1; i < c->n_inputs; i++)
		report_count(c, &c->input[i], first);
	if (first > 0 && first < FEW && arrays_fit(c))
		calibration_report(c, RULE_CALIBRATION, LEVEL_NOTE, NULL,
		    cmd_text("%" PRIu64 " sample%s: the ranges of activations "
		    "are found with these alone", first, num_plural(first)),
		    cmd_copy("save a hundred samples of different kinds"));
}

void
check_array_shapes(struct calibration *c)
{
	const char *axis = calibration_value(c, "data_batch_dim");
	/* The samples may be along another axis, or there is just one. */
	bool other = *axis != '\0' && strcmp(axis, "0") != 0;

	check_empty(c);
	if (!other && c->class->layout != LAYOUT_ONE_SAMPLE)
		check_counts(c);
	for (size_t i = 0; i < c->n_inputs && !other; i++)
		if (c->data.array[c->input[i].array].form.elements > 0 &&
		    !fits_input(c, &c->input[i]))
			report_shape(c, &c->input[i]);
}
