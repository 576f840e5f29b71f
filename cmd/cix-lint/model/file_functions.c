// SPDX-License-Identifier: Apache-2.0
/* file_functions.c - the functions that a file defines. */
#include <stdlib.h>

#include "cmd.h"
#include "file_functions.h"
#include "model/onnx.h"

/* Field numbers of onnx.proto. */
enum { MODEL_FUNCTION = 25, FUNCTION_NAME = 1, FUNCTION_DOMAIN = 10 };

struct file_function {
	struct bytes domain, name;
};

static int
by_name(const void *pa, const void *pb)
{
	const struct file_function *a = pa, *b = pb;
	int c = bytes_compare(a->domain, b->domain);

	return c != 0 ? c : bytes_compare(a->name, b->name);
}

static int
visit(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	struct file_functions *functions = arg;
	struct file_function new = { .domain = { 0 } };
	struct pb_field field;
	uint64_t at = 0;

	(void)in;
	(void)depth;
	(void)err;
	if (f->number != MODEL_FUNCTION || f->wire != PB_LENGTH)
		return ONNX_SKIP;
	while (at < f->data.n && pb_next(f->data, &at, &field)) {
		if (field.wire == PB_LENGTH && field.number == FUNCTION_NAME)
			new.name = field.data;
		if (field.wire == PB_LENGTH && field.number == FUNCTION_DOMAIN)
			new.domain = field.data;
	}
	buf_add(&functions->list, &new, sizeof(new));
	return ONNX_SKIP;
}

void
file_functions_read(struct file_functions *f, const struct lint *l)
{
	struct npu_err err;

	*f = (struct file_functions){ .list = { 0 } };
	if (l->model.functions == 0)
		return;
	if (onnx_walk(l->bytes.file, visit, f, &err) < 0)
		cmd_die("%s: %s", l->model_path, err.msg);
	if (f->list.failed)
		cmd_die("out of memory");
	if (f->list.n == 0)
		return;
	qsort(f->list.p, f->list.n / sizeof(struct file_function),
	    sizeof(struct file_function), by_name);
}

void
file_functions_free(struct file_functions *f)
{
	buf_free(&f->list);
}

bool
file_functions_find(const struct file_functions *f, struct bytes domain,
    struct bytes type)
{
	const struct file_function key = { domain, type };

	return f->list.n > 0 && bsearch(&key, f->list.p, f->list.n /
	    sizeof(key), sizeof(key), by_name) != NULL;
}
