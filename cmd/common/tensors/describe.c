// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "delimited.h"
#include "describe.h"
#include "tensor/tensor.h"
#include "value_stats.h"

void
describe_line(struct output *o, const char *file, uint64_t frame,
    const struct npu_label *l)
{
	struct buf b = { 0 };
	char what[200];

	npu_tensor_format(&l->tensor, what, sizeof(what));
	if (file != NULL)
		buf_printf(&b, "%s: ", file);
	buf_printf(&b, "%" PRIu64 ".%u  %s", frame, l->index, what);
	if (npu_dtype_size(l->tensor.dtype) == 0)
		buf_printf(&b, " (%" PRIu64 " bytes)", l->tensor.size);
	if (l->tensor.name[0] != '\0')
		buf_printf(&b, " name=%s", l->tensor.name);
	cmd_printable(b.p, b.n);
	buf_puts(&b, "\n");
	cmd_write_buf(o, &b);
}

void
describe_header(struct output *o)
{
	static const char names[] = "file,frame,tensor,name,type,shape,bytes,"
	    "scale,zero_point\n";

	cmd_write(o, names, sizeof(names) - 1);
}

void
describe_row(struct output *o, const char *file, uint64_t frame,
    const struct npu_label *l, char separator)
{
	void (*const field)(struct buf *, const char *) =
	    separator == ',' ? csv_text : tsv_text;
	const struct npu_tensor *t = &l->tensor;
	const char *name = npu_dtype_name(t->dtype);
	const char c = separator;
	struct buf b = { 0 };
	char scale[40];

	field(&b, file);
	buf_printf(&b, "%c%" PRIu64 "%c%u%c", c, frame, c, l->index, c);
	field(&b, t->name);
	buf_printf(&b, "%c%s%c", c, name != NULL ? name : "", c);
	for (uint32_t i = 0; i < t->ndim; i++)
		buf_printf(&b, "%s%" PRIu32, i > 0 ? "x" : "", t->dim[i]);
	num_format_float(t->scale, scale, sizeof(scale));
	buf_printf(&b, "%c%" PRIu64 "%c%s%c%d\n", c, t->size, c, scale, c,
	    t->zero_point);
	cmd_write_buf(o, &b);
}

void
describe_shape(struct json *j, const struct npu_tensor *t)
{
	json_key(j, "shape");
	if (t->ndim == 0) {
		json_null(j);
		return;
	}
	json_array(j);
	for (uint32_t i = 0; i < t->ndim; i++)
		json_uint(j, t->dim[i]);
	json_end_array(j);
}

void
describe_jsonl(struct output *o, const char *file, uint64_t frame,
    const struct npu_label *l)
{
	const struct npu_tensor *t = &l->tensor;
	struct json j = { 0 };

	json_object(&j);
	json_key(&j, "schema"), json_str(&j, "npu-tensor/1");
	if (file != NULL)
		json_key(&j, "file"), json_str(&j, file);
	json_key(&j, "frame"), json_uint(&j, frame);
	json_key(&j, "tensor"), json_uint(&j, l->index);
	json_key(&j, "tensors"), json_uint(&j, l->count);
	if (t->name[0] != '\0')
		json_member_str(&j, "name", t->name);
	json_key(&j, "type"), json_str(&j, npu_dtype_name(t->dtype));
	json_key(&j, "code"), json_uint(&j, t->dtype);
	describe_shape(&j, t);
	json_key(&j, "elements");
	if (npu_dtype_size(t->dtype) == 0)
		json_null(&j);
	else
		json_uint(&j, npu_tensor_count(t));
	json_key(&j, "bytes"), json_uint(&j, t->size);
	json_key(&j, "scale"), json_float(&j, t->scale);
	json_key(&j, "zero_point"), json_int(&j, t->zero_point);
	json_end_object(&j);
	buf_puts(&j.out, "\n");
	cmd_write_buf(o, &j.out);
}

/* ---- Stored integers and real numbers ------------------------------------ */

void
describe_stored(uint32_t dtype, const uint8_t *q, char *s, size_t n)
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

/* Formats the limits of an integer type as text and as real numbers. */
static bool
range(const struct npu_tensor *t, char q[2][24], float x[2])
{
	uint8_t end[16];

	if (!type_range_stored(t, end) || !type_range_reals(t, x))
		return false;
	describe_stored(t->dtype, end, q[0], sizeof(q[0]));
	describe_stored(t->dtype, end + npu_dtype_size(t->dtype), q[1],
	    sizeof(q[1]));
	return true;
}

void
describe_formula(struct output *o, const char *name, const struct npu_tensor *t)
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
