// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "describe.h"

void
show_line(struct output *o, const char *file, uint64_t frame,
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
	cmd_printable(b.p, b.n);
	buf_puts(&b, "\n");
	cmd_write_buf(o, &b);
}

void
show_shape(struct json *j, const struct npu_tensor *t)
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
show_jsonl(struct output *o, const char *file, uint64_t frame,
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
	json_key(&j, "type"), json_str(&j, npu_dtype_name(t->dtype));
	json_key(&j, "code"), json_uint(&j, t->dtype);
	show_shape(&j, t);
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
