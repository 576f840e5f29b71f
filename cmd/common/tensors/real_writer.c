// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "describe.h"
#include "real_writer.h"
#include "stream.h"
#include "tensor/npy.h"

const char *const real_formats[] = { "label", "raw", "npy", "jsonl", "text",
    NULL };

enum real_format
real_format_parse(const char *arg)
{
	return REAL_LABEL + cmd_choice("--format", arg, real_formats);
}

/* Writes {"schema":...,"frame":1,"tensor":0,"shape":[2],"data":[ */
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
	describe_shape(&j, &l->tensor);
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

/* Formats a number.  JSON lacks NaN and infinity; text has both. */
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
