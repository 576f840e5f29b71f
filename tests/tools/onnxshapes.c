// SPDX-License-Identifier: Apache-2.0
/*
 * onnxshapes - prints the shapes that lib/model infers for an ONNX file.
 *
 *	onnxshapes FILE		a line for each value of the main graph: its
 *				name, a tab, and its sizes with commas; "?" for
 *				an unknown size or rank
 */
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "model/shapes/inference.h"

static void
print_value(const struct graph_value *v)
{
	printf("%.*s\t%s", (int)v->name.n, (const char *)v->name.p,
	    v->shape.ranked ? "" : "?");
	for (unsigned i = 0; v->shape.ranked && i < v->shape.ndim; i++) {
		if (isnan(v->shape.dim[i]))
			printf("%s?", i > 0 ? "," : "");
		else
			printf("%s%.0f", i > 0 ? "," : "", v->shape.dim[i]);
	}
	putchar('\n');
}

static bool
read_all(const char *path, struct buf *b)
{
	FILE *f = fopen(path, "rb");
	size_t n;
	void *at;

	if (f == NULL)
		return false;
	while ((at = buf_reserve(b, 65536)) != NULL &&
	    (n = fread(at, 1, 65536, f)) > 0)
		b->n += n;
	fclose(f);
	return !b->failed;
}

int
main(int argc, char *argv[])
{
	struct npu_err err = { 0 };
	struct buf file = { 0 };
	struct values v = { 0 };
	struct bytes onnx;

	if (argc != 2 || !read_all(argv[1], &file)) {
		fprintf(stderr, "usage: onnxshapes FILE\n");
		return 2;
	}
	onnx = (struct bytes){ (const uint8_t *)file.p, file.n };
	if (values_read(&v, onnx, &err) < 0 ||
	    inference_run(&v, onnx, NULL, NULL, &err) < 0) {
		fprintf(stderr, "onnxshapes: %s\n", err.msg);
		return 1;
	}
	for (size_t i = 0; i < v.n; i++)
		print_value(&v.value[i]);
	values_free(&v);
	buf_free(&file);
	return 0;
}
