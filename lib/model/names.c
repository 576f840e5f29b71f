// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/utf8.h"
#include "model/names.h"

/*
 * Entries beyond these limits are checked but not kept: they are only used for
 * display.  Names may overlap in the file: many long names may take few bytes,
 * but each step of sorting would compare their whole length.
 */
#define MAX_KEPT 65536
#define MAX_KEPT_NAME 1024	/* bytes */

struct name_entry {
	struct bytes name;
	struct fb_vector shape;
	bool has_shape;
};

struct names {
	size_t n;
	struct name_entry e[];
};

static int
compare(const void *va, const void *vb)
{
	const struct name_entry *a = va, *b = vb;
	size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;
	int c = n == 0 ? 0 : memcmp(a->name.p, b->name.p, n);

	if (c != 0)
		return c;
	return a->name.n < b->name.n ? -1 : a->name.n > b->name.n;
}

/* Fields of Tensor (noe-abi 7); the others are not used. */
enum { TENSOR_NAME = 0, TENSOR_SHAPE = 1 };

static int
read_entry(const struct fb_vector *v, uint32_t i, struct name_entry *e,
    struct npu_err *err)
{
	struct fb_table t = { .b = v->b };
	int rc;

	if ((rc = fb_table_element(v, i, "tensors", &t, err)) < 0 ||
	    (rc = fb_string_field(&t, TENSOR_NAME, "tensor name", &e->name,
	    err)) < 0)
		return rc;
	e->has_shape = fb_has(&t, TENSOR_SHAPE);
	if (!e->has_shape)
		return 0;
	return fb_vector_field(&t, TENSOR_SHAPE, 4, "tensor shape", &e->shape,
	    err);
}

int
names_open(struct names **out, const struct fb_vector *v,
    struct npu_err *err)
{
	size_t kept = v->n < MAX_KEPT ? v->n : MAX_KEPT;
	struct name_entry e = { .name = { NULL, 0 } };
	struct names *names;
	int rc;

	if ((names = calloc(1, sizeof(*names) + kept * sizeof(e))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (uint32_t i = 0; i < v->n; i++) {
		if ((rc = read_entry(v, i, &e, err)) < 0) {
			names_free(names);
			return npu_prefix(err, rc, "tensor %u of the "
			    "container", i);
		}
		if (i < kept && e.name.n <= MAX_KEPT_NAME)
			names->e[names->n++] = e;
	}
	qsort(names->e, names->n, sizeof(e), compare);
	*out = names;
	return 0;
}

void
names_free(struct names *n)
{
	free(n);
}

/* Stores the shape.  Returns false if the shape contradicts the tensor. */
static bool
apply_shape(const struct fb_vector *shape, struct npu_tensor *t)
{
	size_t each = npu_dtype_size(t->dtype);
	uint32_t dim[NPU_MAX_DIMS] = { 0 };
	uint64_t size = each;

	if (shape->n == 0 || each == 0)		/* cannot be compared */
		return true;
	if (shape->n > NPU_MAX_DIMS)
		return false;
	for (uint32_t i = 0; i < shape->n; i++) {
		bytes_u32(shape->b, shape->at + 4ull * i, &dim[i]);
		if (dim[i] == 0 || dim[i] > INT32_MAX ||
		    size > t->size / dim[i])
			return false;
		size *= dim[i];
	}
	if (size != t->size)
		return false;
	t->ndim = shape->n;
	memcpy(t->dim, dim, sizeof(dim));
	return true;
}

void
names_apply(const struct names *names, const struct fb_vector *list,
    struct cix_tensor *t, size_t n)
{
	struct name_entry want = { .name = { NULL, 0 } };
	const struct name_entry *e;

	if (list->n != n)
		return;
	for (uint32_t i = 0; i < n; i++) {
		if (fb_string_element(list, i, "", &want.name, NULL) < 0)
			return;
		e = bsearch(&want, names->e, names->n, sizeof(want), compare);
		if (e == NULL || !e->has_shape ||
		    apply_shape(&e->shape, &t[i].desc))
			names_copy(t[i].desc.name, sizeof(t[i].desc.name),
			    want.name);
	}
}

void
names_copy(char *dst, size_t n, struct bytes s)
{
	size_t at = 0, len, used = 0;
	uint32_t c;

	while (at < s.n) {
		len = utf8_decode((const char *)s.p + at, s.n - at, &c);
		/* C0, DEL, C1, and bytes that are not UTF-8. */
		if (len == 0 || utf8_is_control(c)) {
			c = '?';
			at += len == 0 ? 1 : len;
			len = 1;
		} else
			at += len;
		if (used + len >= n)
			break;
		used += utf8_encode(c, dst + used);
	}
	dst[used] = '\0';
}
