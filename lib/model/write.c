// SPDX-License-Identifier: Apache-2.0
/* The container: a FlatBuffer written front to back, noe-abi 7. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/write.h"

/* A limit for readers that store positions in 31 bits. */
#define LARGEST INT32_MAX

/* Makes the offset stored at at point to the next byte to be written. */
static void
point_here(struct buf *b, size_t at)
{
	put_align(b, 4);
	put_u32_at(b, at, (uint32_t)(b->n - at));
}

/* Writes a table of n fields with 4 bytes each, all present and zero.  The
 * offset stored at at will point to it.  Returns the position of field 0. */
static size_t
put_table(struct buf *b, size_t at, unsigned n)
{
	size_t vtable;

	put_align(b, 4);
	vtable = b->n;
	put_u16(b, (uint16_t)(4 + 2 * n));
	put_u16(b, (uint16_t)(4 + 4 * n));
	for (unsigned i = 0; i < n; i++)
		put_u16(b, (uint16_t)(4 + 4 * i));
	point_here(b, at);
	put_u32(b, (uint32_t)(b->n - vtable));
	for (unsigned i = 0; i < n; i++)
		put_u32(b, 0);
	return b->n - 4 * n;
}

static void
put_string(struct buf *b, size_t at, const char *s)
{
	point_here(b, at);
	put_u32(b, (uint32_t)strlen(s));
	buf_add(b, s, strlen(s) + 1);
}

/* Writes n offsets, which are zero at first.  Returns the position of the
 * first. */
static size_t
put_offsets(struct buf *b, size_t at, size_t n)
{
	point_here(b, at);
	put_u32(b, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		put_u32(b, 0);
	return b->n - 4 * n;
}

static void
put_words(struct buf *b, size_t at, const void *words, size_t n)
{
	point_here(b, at);
	put_u32(b, (uint32_t)n);
	buf_add(b, words, 4 * n);
}

/* Writes bytes, aligned to 16. */
static void
put_blob(struct buf *b, size_t at, struct bytes blob)
{
	while (b->n % 16 != 12 && !b->failed)
		buf_add(b, "", 1);
	point_here(b, at);
	put_u32(b, (uint32_t)blob.n);
	buf_add(b, blob.p, blob.n);
}

static void
put_name(struct buf *b, size_t at, const struct npu_tensor *t,
    const char *direction, size_t i)
{
	char made[32];

	snprintf(made, sizeof(made), "%s%zu", direction, i);
	put_string(b, at, t->name[0] != '\0' ? t->name : made);
}

static void
put_names(struct buf *b, size_t at, const struct npu_tensor *t, size_t n,
    const char *direction)
{
	size_t list = put_offsets(b, at, n);

	for (size_t i = 0; i < n; i++)
		put_name(b, list + 4 * i, &t[i], direction, i);
}

/* Writes a tensor.  A tensor of unknown shape is written as a flat vector, if
 * its number of elements is known. */
static void
put_tensor(struct buf *b, size_t at, const struct npu_tensor *t,
    const char *direction, size_t i)
{
	uint32_t flat = (uint32_t)npu_tensor_count(t);
	size_t fields = put_table(b, at, 6);

	put_name(b, fields, t, direction, i);
	put_words(b, fields + 4, t->ndim > 0 ? t->dim : &flat,
	    t->ndim > 0 ? t->ndim : flat > 0);
	put_u32_at(b, fields + 8, t->dtype);
	put_words(b, fields + 16, &t->scale, 1);
	put_words(b, fields + 20, &t->zero_point, 1);
}

static void
put_tensors(struct buf *b, size_t at, const struct container_plan *p)
{
	size_t n = p->no_table ? 0 : p->n_inputs + p->n_outputs;
	size_t list = put_offsets(b, at, n);

	for (size_t i = 0; i < n; i++)
		if (i < p->n_inputs)
			put_tensor(b, list + 4 * i, &p->inputs[i], "input", i);
		else
			put_tensor(b, list + 4 * i,
			    &p->outputs[i - p->n_inputs], "output",
			    i - p->n_inputs);
}

static void
put_part(struct buf *b, size_t at, const struct container_plan *p, size_t i)
{
	size_t fields = put_table(b, at, 5);

	put_string(b, fields, p->parts[i].name);
	put_names(b, fields + 8, p->inputs, p->n_inputs, "input");
	put_names(b, fields + 12, p->outputs, p->n_outputs, "output");
	put_u32_at(b, fields + 16, p->parts[i].backend);
	put_blob(b, fields + 4, p->parts[i].blob);
}

void
container_write(const struct container_plan *p, struct buf *b)
{
	size_t fields, version, list;

	put_u32(b, 0);
	fields = put_table(b, b->n - 4, 6);
	version = put_table(b, fields, 4);
	put_u32_at(b, version, 1);		/* 1.0.0, not a draft */
	put_string(b, fields + 4, p->name);
	put_tensors(b, fields + 12, p);
	put_names(b, fields + 16, p->inputs, p->n_inputs, "input");
	put_names(b, fields + 20, p->outputs, p->n_outputs, "output");
	list = put_offsets(b, fields + 8, p->n_parts);
	for (size_t i = 0; i < p->n_parts; i++)
		put_part(b, list + 4 * i, p, i);
	put_align(b, 4);
}

/* ---- cix_write() ------------------------------------------------------ */

static int
check_tensor(const struct npu_tensor *t, const char *direction, size_t i,
    struct npu_err *err)
{
	uint64_t size = npu_dtype_size(t->dtype);

	if (t->size == 0 || t->size > LARGEST)
		return npu_fail(err, NPU_EUSAGE, "%s %zu: %" PRIu64
		    " bytes; from 1 to %d are possible", direction, i,
		    t->size, LARGEST);
	if (t->ndim > NPU_MAX_DIMS)
		return npu_fail(err, NPU_EUSAGE, "%s %zu: %u dimensions; at "
		    "most %d are possible", direction, i, t->ndim,
		    NPU_MAX_DIMS);
	for (uint32_t d = 0; d < t->ndim && size <= LARGEST; d++)
		size *= t->dim[d];
	if (t->ndim > 0 && size != t->size)
		return npu_fail(err, NPU_EUSAGE, "%s %zu: its shape holds %"
		    PRIu64 " bytes, its size is %" PRIu64, direction, i, size,
		    t->size);
	return 0;
}

static int
check_pack(const struct cix_pack *p, struct npu_err *err)
{
	int rc = 0;

	if (p->n_inputs == 0 || p->n_outputs == 0)
		return npu_fail(err, NPU_EUSAGE, "a model needs at least one "
		    "%s", p->n_inputs == 0 ? "input" : "output");
	if (p->twin.n > LARGEST / 2)
		return npu_fail(err, NPU_EUSAGE, "the ONNX model has %zu "
		    "bytes; at most %d are possible", p->twin.n, LARGEST / 2);
	for (size_t i = 0; i < p->n_inputs && rc == 0; i++)
		rc = check_tensor(&p->inputs[i], "input", i, err);
	for (size_t i = 0; i < p->n_outputs && rc == 0; i++)
		rc = check_tensor(&p->outputs[i], "output", i, err);
	return rc;
}

static void
describe(struct cix_tensor *t, const struct npu_tensor *from, size_t n,
    uint32_t kind)
{
	for (size_t i = 0; i < n; i++) {
		t[i].desc = from[i];
		t[i].kind = kind;
		t[i].id = (uint32_t)i;
	}
}

/* Compares the tensors in want with got, their descriptions in the file. */
static int
compare(const struct npu_tensor *want, const struct cix_tensor *got,
    size_t n, const char *direction, struct npu_err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (want[i].name[0] != '\0' &&
		    strcmp(want[i].name, got[i].desc.name) != 0)
			return npu_fail(err, NPU_EUSAGE, "%s %zu: its name "
			    "is another's too, or has bytes that are not "
			    "printable UTF-8", direction, i);
		if (want[i].ndim > 0 && want[i].ndim != got[i].desc.ndim)
			return npu_fail(err, NPU_EUSAGE, "%s %zu: its name "
			    "is another's too", direction, i);
	}
	return 0;
}

/* Reads the file again: it must pass the reader's checks, and its description
 * must agree with p. */
static int
read_back(const struct cix_pack *p, const struct buf *file,
    struct npu_err *err)
{
	struct cix_model m;
	const struct cix_tensor *t;
	int rc;

	rc = cix_parse((struct bytes){ (uint8_t *)file->p, file->n }, &m, err);
	if (rc < 0)
		return rc;
	t = m.graphs[0].tensors;
	if ((rc = compare(p->inputs, t, p->n_inputs, "input", err)) == 0)
		rc = compare(p->outputs, t + p->n_inputs, p->n_outputs,
		    "output", err);
	cix_free(&m);
	return rc;
}

int
cix_write(const struct cix_pack *p, struct buf *out, struct npu_err *err)
{
	struct graph_plan g = { .device = p->device, .twin = p->twin };
	struct container_part part = { .name = "npu", .backend = 1 };
	struct container_plan c = {
		.name = p->name, .parts = &part, .n_parts = 1,
		.inputs = p->inputs, .n_inputs = p->n_inputs,
		.outputs = p->outputs, .n_outputs = p->n_outputs,
	};
	struct buf elf = { 0 }, file = { 0 };
	struct cix_tensor *t;
	int rc;

	if ((rc = check_pack(p, err)) < 0)
		return rc;
	g.n_tensors = p->n_inputs + p->n_outputs;
	if ((t = calloc(g.n_tensors, sizeof(*t))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	describe(t, p->inputs, p->n_inputs, CIX_INPUT);
	describe(t + p->n_inputs, p->outputs, p->n_outputs, CIX_OUTPUT);
	g.tensors = t;
	graph_write(&g, &elf);
	part.blob = (struct bytes){ (uint8_t *)elf.p, elf.n };
	container_write(&c, &file);
	if (elf.failed || file.failed)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	else if ((rc = read_back(p, &file, err)) == NPU_EFORMAT) {
		rc = NPU_EUSAGE;
		if (err != NULL)
			err->code = rc;
	}
	if (rc == 0)
		buf_add(out, file.p, file.n);
	if (rc == 0 && out->failed)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	free(t);
	buf_free(&elf);
	buf_free(&file);
	return rc;
}
