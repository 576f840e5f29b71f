// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "tensor/safetensors.h"
#include "tensor/tensor.h"

struct st_entry {
	struct bytes name;	/* as in the JSON */
	struct npu_tensor t;
	uint64_t begin, end;	/* offsets of its elements */
};

struct st_reader {
	const char *p, *end;
};

bool
safetensors_begins(const uint8_t first[SAFETENSORS_FIRST], uint64_t size,
    size_t *header)
{
	const uint8_t *json = first + SAFETENSORS_LENGTH;
	uint64_t n;

	memcpy(&n, first, sizeof(n));
	if (n < 2 || n > SAFETENSORS_MOST_HEADER || size < SAFETENSORS_FIRST ||
	    json[0] != '{')
		return false;
	/* A 64-bit number may begin with the same bytes, but not with the
	 * second byte of a JSON object. */
	if (n > size - SAFETENSORS_LENGTH &&
	    memchr("\"} \t\r\n", json[1], 6) == NULL)
		return false;
	*header = (size_t)n;
	return true;
}

/* ---- JSON ------------------------------------------------------------- */

static void
skip_blanks(struct st_reader *r)
{
	while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' ||
	    *r->p == '\n' || *r->p == '\r'))
		r->p++;
}

static bool
accept(struct st_reader *r, char c)
{
	skip_blanks(r);
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

/* Parses a string.  Its escapes are not resolved. */
static bool
parse_string(struct st_reader *r, struct bytes *s)
{
	const char *start;

	if (!accept(r, '"'))
		return false;
	start = r->p;
	for (; r->p < r->end && *r->p != '"'; r->p++)
		if (*r->p == '\\' && ++r->p == r->end)
			return false;
	if (r->p == r->end)
		return false;
	*s = (struct bytes){ (const uint8_t *)start, (size_t)(r->p - start) };
	r->p++;
	return true;
}

static bool
parse_number(struct st_reader *r, uint64_t *v)
{
	bool any = false;

	*v = 0;
	skip_blanks(r);
	for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++) {
		if (*v > NPU_MAX_PAYLOAD * 2)
			return false;
		*v = *v * 10 + (uint64_t)(*r->p - '0');
		any = true;
	}
	return any;
}

static bool
is_string(struct bytes s, const char *word)
{
	return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

/* ---- One tensor ------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t dtype;
} st_types[] = {
	{ "BOOL", NPU_BOOL }, { "U8", NPU_U8 }, { "I8", NPU_S8 },
	{ "U16", NPU_U16 }, { "I16", NPU_S16 }, { "U32", NPU_U32 },
	{ "I32", NPU_S32 }, { "U64", NPU_U64 }, { "I64", NPU_S64 },
	{ "F16", NPU_F16 }, { "BF16", NPU_BF16 }, { "F32", NPU_F32 },
	{ "F64", NPU_F64 },
};

enum { N_ST_TYPES = sizeof(st_types) / sizeof(*st_types) };

static bool
parse_type(struct st_reader *r, struct npu_tensor *t)
{
	struct bytes s;

	if (!parse_string(r, &s))
		return false;
	for (size_t i = 0; i < N_ST_TYPES; i++)
		if (is_string(s, st_types[i].name))
			t->dtype = st_types[i].dtype;
	return true;
}

/* Parses at most six dimensions from 1 to 2^32 - 1. */
static bool
parse_shape(struct st_reader *r, struct npu_tensor *t)
{
	uint64_t dim;

	t->ndim = 0;
	if (!accept(r, '['))
		return false;
	while (!accept(r, ']')) {
		if ((t->ndim > 0 && !accept(r, ',')) ||
		    t->ndim == NPU_MAX_DIMS || !parse_number(r, &dim) ||
		    dim < 1 || dim > UINT32_MAX)
			return false;
		t->dim[t->ndim++] = (uint32_t)dim;
	}
	return true;
}

static bool
parse_offsets(struct st_reader *r, struct st_entry *e)
{
	return accept(r, '[') && parse_number(r, &e->begin) &&
	    accept(r, ',') && parse_number(r, &e->end) && accept(r, ']') &&
	    e->begin <= e->end;
}

/* Parses "key": value.  *seen has a bit for each key parsed so far. */
static bool
parse_member(struct st_reader *r, struct st_entry *e, unsigned *seen)
{
	static const char *const keys[] = { "dtype", "shape", "data_offsets" };
	struct bytes key;
	unsigned k = 0;

	if (!parse_string(r, &key) || !accept(r, ':'))
		return false;
	while (k < 3 && !is_string(key, keys[k]))
		k++;
	if (k == 3 || (*seen & 1u << k) != 0)
		return false;
	*seen |= 1u << k;
	return k == 0 ? parse_type(r, &e->t) : k == 1 ?
	    parse_shape(r, &e->t) : parse_offsets(r, e);
}

static int
check_entry(struct st_entry *e, struct npu_err *err)
{
	uint64_t elements;

	if (e->name.n > 0)
		memcpy(e->t.name, e->name.p, e->name.n < NPU_MAX_NAME ?
		    e->name.n : NPU_MAX_NAME - 1);
	if (e->t.dtype == NPU_NONE)
		return npu_fail(err, NPU_EFORMAT, "safetensors: '%s' has a "
		    "type without a counterpart here", e->t.name);
	e->t.size = e->end - e->begin;
	if (tensor_elements(&e->t, &elements, err) < 0 ||
	    tensor_bytes(e->t.dtype, elements) != e->t.size)
		return npu_fail(err, NPU_EFORMAT, "safetensors: the shape of "
		    "'%s' does not hold the %" PRIu64 " bytes of its "
		    "data_offsets", e->t.name, e->t.size);
	return 0;
}

static int
parse_entry(struct st_reader *r, struct st_entry *e, struct npu_err *err)
{
	unsigned seen = 0;
	bool sound = accept(r, '{');

	for (bool first = true; sound && !accept(r, '}'); first = false)
		sound = (first || accept(r, ',')) &&
		    parse_member(r, e, &seen);
	if (!sound || seen != 7)
		return npu_fail(err, NPU_EFORMAT, "safetensors: '%.*s' is "
		    "not described by dtype, shape (at most %d sizes from 1) "
		    "and data_offsets", (int)(e->name.n < 60 ? e->name.n : 60),
		    (const char *)e->name.p, NPU_MAX_DIMS);
	return check_entry(e, err);
}

/* ---- The header ------------------------------------------------------- */

/* Skips __metadata__, an object of texts. */
static bool
skip_metadata(struct st_reader *r)
{
	struct bytes s;
	bool sound = accept(r, '{');

	for (bool first = true; sound && !accept(r, '}'); first = false)
		sound = (first || accept(r, ',')) && parse_string(r, &s) &&
		    accept(r, ':') && parse_string(r, &s);
	return sound;
}

static int
parse_header(struct st_reader *r, struct buf *entries, struct npu_err *err)
{
	int rc = 0;
	bool sound = accept(r, '{');

	for (bool first = true; sound && !accept(r, '}'); first = false) {
		struct st_entry e = { .t = { .scale = 1 } };

		sound = (first || accept(r, ',')) &&
		    parse_string(r, &e.name) && accept(r, ':');
		if (sound && is_string(e.name, "__metadata__")) {
			sound = skip_metadata(r);
			continue;
		}
		if (sound && (rc = parse_entry(r, &e, err)) < 0)
			return rc;
		buf_add(entries, &e, sizeof(e));
	}
	skip_blanks(r);
	if (!sound || r->p != r->end)
		return npu_fail(err, NPU_EFORMAT,
		    "safetensors: the header is not JSON of tensors");
	return entries->failed ? npu_fail(err, NPU_ESYSTEM, "out of memory") :
	    0;
}

static int
by_offset(const void *a, const void *b)
{
	const struct st_entry *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

static int
by_name(const void *a, const void *b)
{
	const struct st_entry *x = a, *y = b;
	size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
	int c = n > 0 ? memcmp(x->name.p, y->name.p, n) : 0;

	return c != 0 ? c : (x->name.n > y->name.n) - (x->name.n < y->name.n);
}

/* Checks that names are unique, and that each byte belongs to exactly one
 * tensor. */
static int
check_all(struct st_entry *e, size_t n, struct npu_err *err)
{
	uint64_t at = 0;

	qsort(e, n, sizeof(*e), by_name);
	for (size_t i = 1; i < n; i++)
		if (by_name(&e[i - 1], &e[i]) == 0)
			return npu_fail(err, NPU_EFORMAT, "safetensors: '%s' "
			    "is there twice", e[i].t.name);
	qsort(e, n, sizeof(*e), by_offset);
	for (size_t i = 0; i < n; i++) {
		if (e[i].begin != at)
			return npu_fail(err, NPU_EFORMAT, "safetensors: '%s' "
			    "begins at byte %" PRIu64 " where byte %" PRIu64
			    " is due", e[i].t.name, e[i].begin, at);
		at = e[i].end;
	}
	return 0;
}

int
safetensors_decode(struct bytes header, struct buf *out, struct npu_err *err)
{
	struct st_reader r = { (const char *)header.p,
	    (const char *)header.p + header.n };
	struct buf entries = { 0 };
	struct st_entry *e;
	size_t n = 0;
	int rc;

	rc = parse_header(&r, &entries, err);
	e = (void *)entries.p;
	if (rc == 0 && (n = entries.n / sizeof(*e)) > 0)
		rc = check_all(e, n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		buf_add(out, &e[i].t, sizeof(e[i].t));
	if (rc == 0 && out->failed)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	buf_free(&entries);
	return rc;
}

/* ---- Writing ---------------------------------------------------------- */

/* Writes "name":{...}.  *at: the offset of its elements, which moves to their
 * end. */
static int
put_entry(const struct npu_tensor *t, uint64_t *at, struct buf *out,
    struct npu_err *err)
{
	const char *name = npu_dtype_name(t->dtype);
	size_t i = 0;

	while (i < N_ST_TYPES && st_types[i].dtype != t->dtype)
		i++;
	if (i == N_ST_TYPES)
		return npu_fail(err, NPU_EUSAGE, "%s cannot be .safetensors; "
		    "convert it to f32 with npu-dequant",
		    name != NULL ? name : "this type");
	buf_printf(out, "\"%s\":{\"dtype\":\"%s\",\"shape\":[", t->name,
	    st_types[i].name);
	if (t->ndim == 0)
		buf_printf(out, "%" PRIu64, npu_tensor_count(t));
	for (uint32_t d = 0; d < t->ndim; d++)
		buf_printf(out, "%s%" PRIu32, d > 0 ? "," : "", t->dim[d]);
	buf_printf(out, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", *at,
	    *at + t->size);
	*at += t->size;
	return 0;
}

int
safetensors_encode(const struct npu_tensor *t, size_t n, struct buf *out,
    struct npu_err *err)
{
	struct buf h = { 0 };
	uint64_t at = 0, size;
	int rc = 0;

	buf_puts(&h, "{");
	for (size_t i = 0; rc == 0 && i < n; i++) {
		buf_puts(&h, i > 0 ? "," : "");
		rc = put_entry(&t[i], &at, &h, err);
	}
	buf_puts(&h, "}");
	/* The elements begin at a multiple of 8 bytes. */
	while (h.n % 8 != 0 && !h.failed)
		buf_puts(&h, " ");
	size = h.n;
	if (rc == 0 && size > SAFETENSORS_MOST_HEADER)
		rc = npu_fail(err, NPU_EUSAGE, "%zu tensors need a header of "
		    "%" PRIu64 " bytes; at most %d are possible", n, size,
		    SAFETENSORS_MOST_HEADER);
	if (rc == 0) {
		buf_add(out, &size, sizeof(size));
		buf_add(out, h.p, h.n);
		out->failed |= h.failed;
	}
	buf_free(&h);
	return rc == 0 && out->failed ? npu_fail(err, NPU_ESYSTEM,
	    "out of memory") : rc;
}
