// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "describe.h"
#include "real_writer.h"
#include "stream.h"
#include "tensor/npy.h"
#include "tensor/tensor.h"

const char *const real_formats[] = { "label", "raw", "npy", "jsonl", "text",
    NULL };

enum real_format
real_format_parse(const char *arg)
{
	return REAL_LABEL + cmd_choice("--format", arg, real_formats);
}

/* {"schema":...,"frame":1,"tensor":0,"shape":[2],"data":[ */
static void
begin_jsonl(struct real_writer *v, const struct npu_label *l, uint64_t frame)
{
	struct json j = { 0 };
	char schema[64];

	snprintf(schema, sizeof(schema), "%s/1", program.name);
	json_object(&j);
	json_key(&j, "schema"), json_str(&j, schema);
	json_key(&j, "frame"), json_uint(&j, v->before + frame);
	json_key(&j, "tensor"), json_uint(&j, l->index);
	show_shape(&j, &l->tensor);
	json_key(&j, "data"), json_array(&j);
	cmd_write_buf(v->o, &j.out);
}

void
real_writer_begin(struct real_writer *v, const struct npu_label *l,
    uint64_t frame)
{
	struct buf b = { 0 };
	struct npu_err err;

	v->first = true;
	switch (v->format) {
	case REAL_LABEL:
		stream_put_label(v->o, l);
		break;
	case REAL_NPY:
		if (npy_encode(&l->tensor, &b, &err) < 0)
			cmd_die("%s", err.msg);
		cmd_write_buf(v->o, &b);
		break;
	case REAL_JSONL:
		begin_jsonl(v, l, frame);
		break;
	default:
		break;
	}
}

/* JSON has no NaN and no infinity; text has both. */
static const char *
number(const struct real_writer *v, float x, char *s, size_t n)
{
	if (v->format == REAL_JSONL && !isfinite(x))
		return "null";
	num_format_float(x, s, n);
	return s;
}

void
real_writer_put(struct real_writer *v, const float *x, size_t n)
{
	const char *between = v->format == REAL_JSONL ? "," : " ", *s;
	char text[40];

	if (v->format < REAL_JSONL) {
		cmd_write(v->o, x, n * sizeof(*x));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (!v->first)
			cmd_write(v->o, between, 1);
		v->first = false;
		s = number(v, x[i], text, sizeof(text));
		cmd_write(v->o, s, strlen(s));
	}
}

void
real_writer_end(struct real_writer *v)
{
	if (v->format == REAL_JSONL)
		cmd_write(v->o, "]}\n", 3);
	else if (v->format == REAL_TEXT)
		cmd_write(v->o, "\n", 1);
}

/* ---- Summed up -------------------------------------------------------- */

void
summary_add(struct value_range *s, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double v = (double)x[i];

		if (isnan(v)) {
			s->nan++;
			continue;
		}
		if (s->n == 0 || v < s->min)
			s->min = v;
		if (s->n == 0 || v > s->max)
			s->max = v;
		s->n++;
		s->sum += v;
		s->squares += v * v;
	}
}

/*
 * The first and the last stored value of t's type, side by side in q: what
 * infinity is clipped to, asked of the one place that knows.  False for types
 * without ends.
 */
static bool
ends(const struct npu_tensor *t, uint8_t q[16])
{
	const float far[2] = { -INFINITY, INFINITY };

	return !npu_dtype_is_float(t->dtype) &&
	    npu_quantise(t, far, 2, q, false, NULL, NULL) == 0;
}

void
summary_stored(struct value_range *s, uint32_t dtype, const void *q, size_t n)
{
	const struct npu_tensor t = { .dtype = dtype, .scale = 1 };
	size_t size = npu_dtype_size(dtype);
	const uint8_t *p = q;
	uint8_t end[16];
	uint16_t v = 0;

	if (size > sizeof(v) || !ends(&t, end))
		return;
	if (s->seen == NULL)
		s->seen = cmd_alloc(65536);
	s->has_levels = true;
	for (size_t i = 0; i < n; i++, p += size) {
		memcpy(&v, p, size);
		s->seen[v] = 1;
		s->at_ends += memcmp(p, end, size) == 0 ||
		    memcmp(p, end + size, size) == 0;
	}
}

void
summary_say(const struct value_range *s, const char *what)
{
	char rest[160] = "";
	unsigned levels = 0;
	double n = (double)s->n;

	for (unsigned i = 0; s->has_levels && i < 65536; i++)
		levels += s->seen[i];
	if (s->has_levels)
		snprintf(rest, sizeof(rest), ", %u levels, %" PRIu64 " at the "
		    "ends of the range", levels, s->at_ends);
	if (s->nan > 0)
		snprintf(rest + strlen(rest), sizeof(rest) - strlen(rest),
		    ", %" PRIu64 " NaN", s->nan);
	if (s->n == 0) {
		cmd_warn("%s: no elements%s", what, rest);
		return;
	}
	cmd_warn("%s: %" PRIu64 " elements in %" PRIu64 " tensors: min %.7g, "
	    "max %.7g, mean %.7g, rms %.7g%s", what, s->n + s->nan,
	    s->tensors, s->min, s->max, s->sum / n, sqrt(s->squares / n),
	    rest);
}

/* ---- Explained -------------------------------------------------------- */

void
values_stored(uint32_t dtype, const uint8_t *q, char *s, size_t n)
{
	size_t size = npu_dtype_size(dtype);
	bool negative = npu_dtype_name(dtype)[0] == 's' &&
	    (q[size - 1] & 0x80) != 0;
	int64_t v = negative ? -1 : 0;

	memcpy(&v, q, size);
	if (npu_dtype_name(dtype)[0] == 's')
		snprintf(s, n, "%" PRId64, v);
	else
		snprintf(s, n, "%" PRIu64, (uint64_t)v);
}

/* The ends of an integer type, and what they stand for. */
static bool
range(const struct npu_tensor *t, char q[2][24], float x[2])
{
	uint8_t end[16];

	if (!ends(t, end))
		return false;
	npu_dequantise(t, end, 2, x, NULL);
	values_stored(t->dtype, end, q[0], sizeof(q[0]));
	values_stored(t->dtype, end + npu_dtype_size(t->dtype), q[1],
	    sizeof(q[1]));
	return true;
}

void
explain(struct output *o, const char *name, const struct npu_tensor *t)
{
	char q[2][24], scale[40], there[120], back[120];
	struct buf b = { 0 };
	float x[2];

	buf_printf(&b, "%s%s%s: %s", name, t->name[0] != '\0' ? " " : "",
	    t->name, npu_dtype_name(t->dtype));
	if (!range(t, q, x)) {
		buf_puts(&b, "\n  x = q, the number itself, never scaled\n");
	} else {
		num_format_float(t->scale, scale, sizeof(scale));
		tensor_formula(t, there, sizeof(there));
		tensor_formula_back(t, back, sizeof(back));
		buf_printf(&b, ", scale %s, zero point %d\n  %s\n"
		    "  %s, halves to even, from %s to %s\n", scale,
		    t->zero_point, there, back, q[0], q[1]);
		buf_printf(&b, "  x from %.7g to %.7g, in steps of %.7g\n",
		    (double)x[0], (double)x[1], tensor_step(t));
	}
	cmd_write_buf(o, &b);
}
