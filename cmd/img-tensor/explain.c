// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "base/json.h"
#include "base/num.h"
#include "explain.h"
#include "tensor/tensor.h"
#include "tensors/describe.h"

static const char *const colours[] = { "red", "green", "blue" };

/* Returns the length of the shorter side after the resize and before the crop;
 * 0 without a crop, or if the length differs between pictures. */
static uint32_t
shorter_side(const struct prep_recipe *r)
{
	if (r->shorter != 0 || r->fit != FIT_CROP || r->width != r->height)
		return r->shorter;
	return r->width;
}

/* ---- As text ----------------------------------------------------------- */

static void
text_fit(struct buf *b, const struct prep_recipe *r)
{
	uint32_t shorter = shorter_side(r);

	buf_printf(b, "fit      %s: ", preprocess_fits[r->fit]);
	if (r->fit == FIT_STRETCH)
		buf_puts(b, "each side is scaled on its own\n");
	else if (r->fit == FIT_LETTERBOX)
		buf_printf(b, "the longer side fits, in the middle of %u %u %u"
		    "\n", r->pad[0], r->pad[1], r->pad[2]);
	else if (shorter == 0)
		buf_puts(b, "scaled to cover the input, then the middle is "
		    "taken\n");
	else
		buf_printf(b, "the shorter side becomes %" PRIu32 ", then the "
		    "middle is taken\n", shorter);
}

/* Formats v with the fewest digits that identify it, such as "1.93034". */
static const char *
format_number(float v, char s[40])
{
	num_format_float(v, s, 40);
	return s;
}

static void
text_formula(struct buf *b, const struct prep_recipe *r)
{
	char s[40], back[120];

	buf_printf(b, "value    x = (v / %s - mean) / std, in 32-bit floats\n",
	    format_number(r->divisor, s));
	if (npu_dtype_is_float(r->tensor.dtype)) {
		buf_printf(b, "stored   x as %s\n",
		    npu_dtype_name(r->tensor.dtype));
		return;
	}
	tensor_formula_back(&r->tensor, back, sizeof(back));
	buf_printf(b, "stored   %s, halves to even\n", back);
}

/* Adds a line with a channel's mean and deviation, and the values of black and
 * white in the tensor. */
static void
text_channel(struct buf *b, const struct prep *p, int c)
{
	const struct prep_recipe *r = prep_recipe(p);
	float x[2] = { prep_value(p, (unsigned)c, 0),
	    prep_value(p, (unsigned)c, 255) };
	char mean[40], std[40], ends[2][40];
	uint8_t q[16];

	buf_printf(b, "%-8s mean %s, std %s: x from %s to %s", colours[c],
	    format_number(r->mean[c], mean),
	    format_number(r->deviation[c], std),
	    format_number(x[0], ends[0]), format_number(x[1], ends[1]));
	if (!npu_dtype_is_float(r->tensor.dtype)) {
		npu_quantise(&r->tensor, x, 2, q, false, NULL, NULL);
		describe_stored(r->tensor.dtype, q, ends[0], sizeof(ends[0]));
		describe_stored(r->tensor.dtype, q +
		    npu_dtype_size(r->tensor.dtype), ends[1],
		    sizeof(ends[1]));
		buf_printf(b, ", q from %s to %s", ends[0], ends[1]);
	}
	buf_puts(b, "\n");
}

static void
explain_text(struct buf *b, const struct preprocess_options *c,
    const struct prep *p, bool fast)
{
	const struct prep_recipe *r = prep_recipe(p);
	char tensor[160];

	npu_tensor_format(&r->tensor, tensor, sizeof(tensor));
	buf_printf(b, "for      %s%s\n", c->preset != NULL ? c->preset :
	    "the options", c->guessed ? ", chosen by the model's range" : "");
	buf_printf(b, "picture  %s, transparency dropped\n", r->as_stored ?
	    "as it is stored, converted to RGB after the resize" :
	    "turned upright as EXIF says, RGB");
	if (fast)
		buf_puts(b, "fast     large JPEGs are decoded at a fraction of "
		    "their size\n");
	buf_printf(b, "size     %" PRIu32 " x %" PRIu32 "\n", r->width,
	    r->height);
	text_fit(b, r);
	buf_printf(b, "filter   %s, %sas Pillow 9.4 resizes\n",
	    preprocess_filters[r->filter], fast ? "" : "to the byte ");
	buf_printf(b, "order    %s\n", r->bgr ? "blue, green, red" :
	    "red, green, blue");
	buf_printf(b, "layout   %s\n", r->layout == LAYOUT_CHW ?
	    "CHW: plane after plane" : "HWC: pixel after pixel");
	text_formula(b, r);
	for (int i = 0; i < 3; i++)
		text_channel(b, p, i);
	buf_printf(b, "tensor   %s, %" PRIu64 " bytes\n", tensor,
	    r->tensor.size);
}

/* ---- As JSON ----------------------------------------------------------- */

static void
json_floats(struct json *j, const char *key, const float v[3])
{
	json_key(j, key), json_array(j);
	for (int i = 0; i < 3; i++)
		json_float(j, v[i]);
	json_end_array(j);
}

static void
explain_json(struct json *j, const struct preprocess_options *c,
    const struct prep_recipe *r, bool fast)
{
	uint32_t shorter = shorter_side(r);

	json_object(j);
	json_member_str(j, "schema", "img-tensor/1");
	json_member_str(j, "for", c->preset != NULL ? c->preset : "");
	json_key(j, "guessed"), json_bool(j, c->guessed);
	json_key(j, "fast"), json_bool(j, fast);
	json_member_uint(j, "width", r->width);
	json_member_uint(j, "height", r->height);
	json_member_str(j, "fit", preprocess_fits[r->fit]);
	json_key(j, "shorter");
	if (shorter != 0)
		json_uint(j, shorter);
	else
		json_null(j);
	json_key(j, "pad"), json_array(j);
	for (int i = 0; i < 3; i++)
		json_uint(j, r->pad[i]);
	json_end_array(j);
	json_member_str(j, "filter", preprocess_filters[r->filter]);
	json_key(j, "as_stored"), json_bool(j, r->as_stored);
	json_member_str(j, "order", preprocess_orders[r->bgr]);
	json_member_str(j, "layout", preprocess_layouts[r->layout]);
	json_key(j, "divisor"), json_float(j, r->divisor);
	json_floats(j, "mean", r->mean);
	json_floats(j, "std", r->deviation);
	json_member_str(j, "type", npu_dtype_name(r->tensor.dtype));
	json_key(j, "scale"), json_float(j, r->tensor.scale);
	json_key(j, "zero_point"), json_int(j, r->tensor.zero_point);
	describe_shape(j, &r->tensor);
	json_end_object(j);
	buf_puts(&j->out, "\n");
}

void
explain_recipe(struct buf *out, const struct preprocess_options *c,
    const struct prep *p, bool fast, bool as_json)
{
	struct json j = { 0 };

	if (!as_json) {
		explain_text(out, c, p, fast);
		return;
	}
	explain_json(&j, c, prep_recipe(p), fast);
	buf_add(out, j.out.p, j.out.n);
	out->failed |= j.out.failed;
	json_free(&j);
}
