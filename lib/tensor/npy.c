// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "tensor/npy.h"
#include "tensor/tensor.h"

static const struct {
	uint32_t dtype;
	const char *descr, *name;
} types[] = {
	{ NPU_BOOL, "b1", "bool" },
	{ NPU_U8, "u1", "uint8" },
	{ NPU_S8, "i1", "int8" },
	{ NPU_U16, "u2", "uint16" },
	{ NPU_S16, "i2", "int16" },
	{ NPU_U32, "u4", "uint32" },
	{ NPU_S32, "i4", "int32" },
	{ NPU_U64, "u8", "uint64" },
	{ NPU_S64, "i8", "int64" },
	{ NPU_F16, "f2", "float16" },
	{ NPU_F32, "f4", "float32" },
	{ NPU_F64, "f8", "float64" },
};

#define NTYPES (sizeof(types) / sizeof(*types))

int
npy_head_size(const uint8_t first[NPY_PREAMBLE], size_t *size,
    struct npu_err *err)
{
	unsigned preamble = first[6] == 1 ? 10 : 12;
	uint32_t header = 0;

	if (memcmp(first, NPY_MAGIC, NPY_MAGIC_SIZE) != 0)
		return npu_fail(err, NPU_EFORMAT,
		    "npy: does not begin with \\x93NUMPY");
	if (first[6] < 1 || first[6] > 3 || first[7] != 0)
		return npu_fail(err, NPU_EFORMAT, "npy: version %u.%u; 1.0, "
		    "2.0 and 3.0 are known", first[6], first[7]);
	memcpy(&header, first + 8, preamble - 8);
	if (header < 2 || header > NPY_MAX_HEADER)
		return npu_fail(err, NPU_EFORMAT, "npy: header of %" PRIu32
		    " bytes; it has from 2 to %d", header, NPY_MAX_HEADER);
	*size = preamble + header;
	return 0;
}

/*
 * ---- The header: a Python dictionary of three keys --------------------
 *
 * Reads the headers that numpy 1.24's numpy/lib/format.py and numpy.dtype()
 * read, in each notation that a known program writes.
 */

struct npy_reader {
	const char *p, *end;
	bool any;	/* each array that numpy reads, not only a tensor */
	bool has_long;	/* versions 1 and 2: Python 2 wrote 2 as 2L */
};

static void
skip_blanks(struct npy_reader *r)
{
	while (r->p < r->end && *r->p != '\0' &&
	    strchr(" \t\n\r\f", *r->p) != NULL)
		r->p++;
}

static bool
accept(struct npy_reader *r, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(r);
	if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0)
		return false;
	r->p += n;
	return true;
}

/* Parses 'letters', "letters" or u'letters', without escapes, into out. */
static bool
parse_string(struct npy_reader *r, char *out, size_t size)
{
	const char *start, *close;
	char quote;

	/* A quote must directly follow the letter. */
	if ((accept(r, "u") || accept(r, "U")) && r->p < r->end &&
	    isspace((uint8_t)*r->p))
		return false;
	if (r->p == r->end || (*r->p != '\'' && *r->p != '"'))
		return false;
	quote = *r->p;
	start = r->p + 1;
	close = memchr(start, quote, (size_t)(r->end - start));
	if (close == NULL || (size_t)(close - start) >= size ||
	    memchr(start, '\\', (size_t)(close - start)) != NULL)
		return false;
	memcpy(out, start, (size_t)(close - start));
	out[close - start] = '\0';
	r->p = close + 1;
	return true;
}

static bool
parse_dim(struct npy_reader *r, uint64_t *v)
{
	const uint64_t most = r->any ? INT64_MAX : UINT32_MAX;
	uint64_t n = 0, digit;
	const char *start;

	accept(r, "+");
	skip_blanks(r);
	for (start = r->p; r->p < r->end && isdigit((uint8_t)*r->p); r->p++) {
		digit = (uint64_t)(*r->p - '0');
		if (n > (most - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	/* Python refuses 02, which was once octal. */
	if (r->p == start || (*start == '0' && n > 0))
		return false;
	r->p += r->has_long && r->p < r->end && *r->p == 'L';
	*v = n;
	return true;
}

/* Parses "(1, 512)", "(512,)" or "()". */
static int
parse_shape(struct npy_reader *r, struct npy_array *a, struct npu_err *err)
{
	const unsigned most = r->any ? NPY_MOST_DIMS : NPU_MAX_DIMS;
	uint64_t dim;
	bool comma = true;

	memset(a->dim, 0, sizeof(a->dim));
	a->ndim = 0;
	if (!accept(r, "("))
		return npu_fail(err, NPU_EFORMAT, "npy: shape is not a tuple");
	while (!accept(r, ")")) {
		if (!comma || !parse_dim(r, &dim))
			return npu_fail(err, NPU_EFORMAT, "npy: dimension %"
			    PRIu32 " is not a number below 2^%d", a->ndim,
			    r->any ? 63 : 32);
		if (a->ndim == most)
			return npu_fail(err, NPU_EFORMAT, "npy: more than %u "
			    "dimensions; reshape the array", most);
		if (dim == 0 && a->ndim > 0 && !r->any)
			return npu_fail(err, NPU_EFORMAT, "npy: dimension %"
			    PRIu32 " is 0, so the array is empty", a->ndim);
		a->dim[a->ndim++] = dim;
		comma = accept(r, ",");
		if (!comma && a->ndim == 1)
			return npu_fail(err, NPU_EFORMAT,
			    "npy: shape is not a tuple");
	}
	return 0;
}

static int
refuse_type(const char *descr, const char *type, struct npu_err *err)
{
	if (*type == 'O' || strcmp(descr, "object") == 0)
		return npu_fail_detail(err, NPU_EFORMAT, NPY_PICKLED, "npy: "
		    "pickled Python objects ('%s'), which are not read, "
		    "because unpickling runs code from the file; save arrays "
		    "of numbers, several with numpy.savez()", descr);
	if (descr[0] == '>')
		return npu_fail(err, NPU_EFORMAT, "npy: the array is "
		    "big-endian (%s); save it as '<%s'", descr, descr + 1);
	return npu_fail(err, NPU_EFORMAT, "npy: type '%s' has no counterpart "
	    "here; save another, such as '<f4'", descr);
}

static int
parse_descr(struct npy_reader *r, struct npy_array *a, struct npu_err *err)
{
	char descr[16];
	const char *type = descr;

	if (!parse_string(r, descr, sizeof(descr)))
		return npu_fail(err, NPU_EFORMAT, "npy: the array has no "
		    "simple type; save a plain one");
	/* For numpy, '|', '=' and no mark all mean this machine's order, and
	 * marks do not matter for a single byte. */
	type += strspn(descr, "<>=|") > 0;
	a->big_endian = descr[0] == '>' && type[0] != '\0' && type[1] != '1';
	for (size_t i = 0; i < NTYPES; i++) {
		if ((strcmp(types[i].descr, type) == 0 &&
		    (!a->big_endian || r->any)) ||
		    strcmp(types[i].name, descr) == 0) {
			a->dtype = types[i].dtype;
			return 0;
		}
	}
	return refuse_type(descr, type, err);
}

static int
parse_order(struct npy_reader *r, struct npy_array *a, struct npu_err *err)
{
	if (accept(r, "False"))
		return 0;
	a->fortran = accept(r, "True");
	if (a->fortran)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "npy: fortran_order is neither "
	    "True nor False");
}

/* Checks the order of elements.  Fortran order is the same as C order if at
 * most one dimension is above 1. */
static int
check_order(const struct npy_reader *r, struct npy_array *a,
    struct npu_err *err)
{
	unsigned wide = 0;

	for (uint32_t i = 0; i < a->ndim; i++)
		wide += a->dim[i] > 1;
	a->fortran = a->fortran && wide > 1;
	if (!a->fortran || r->any)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "npy: the array is in Fortran "
	    "order; save numpy.ascontiguousarray(array)");
}

/* Parses "key: value".  *seen has a bit for each key parsed so far.  Python
 * takes the last value of a key that is there twice. */
static int
parse_entry(struct npy_reader *r, unsigned *seen, struct npy_array *a,
    struct npu_err *err)
{
	static const char *const keys[] = { "descr", "fortran_order", "shape" };
	char key[20];
	unsigned k = 0;

	if (!parse_string(r, key, sizeof(key)) || !accept(r, ":"))
		return npu_fail(err, NPU_EFORMAT, "npy: the header is not a "
		    "dictionary of descr, fortran_order and shape");
	while (k < 3 && strcmp(keys[k], key) != 0)
		k++;
	if (k == 3)
		return npu_fail(err, NPU_EFORMAT, "npy: key '%s' is not one "
		    "of a header", key);
	*seen |= 1u << k;
	if (k == 0)
		return parse_descr(r, a, err);
	return k == 1 ? parse_order(r, a, err) : parse_shape(r, a, err);
}

static int
parse_header(struct npy_reader *r, struct npy_array *a, struct npu_err *err)
{
	unsigned seen = 0;
	bool comma = true;
	int rc;

	if (!accept(r, "{"))
		return npu_fail(err, NPU_EFORMAT,
		    "npy: the header is not a dictionary");
	while (!accept(r, "}")) {
		if (!comma)
			return npu_fail(err, NPU_EFORMAT, "npy: a comma is "
			    "missing in the header");
		if ((rc = parse_entry(r, &seen, a, err)) < 0)
			return rc;
		comma = accept(r, ",");
	}
	skip_blanks(r);
	if (seen != 7)
		return npu_fail(err, NPU_EFORMAT, "npy: the header lacks "
		    "descr, fortran_order or shape");
	if (r->p < r->end)
		return npu_fail(err, NPU_EFORMAT,
		    "npy: something follows the dictionary in the header");
	return check_order(r, a, err);
}

/* Computes the number of elements and bytes. */
static int
count_elements(struct npy_array *a, struct npu_err *err)
{
	const size_t size = npu_dtype_size(a->dtype);
	uint64_t n = 1;
	bool empty = false, large = false;

	for (uint32_t i = 0; i < a->ndim; i++) {
		empty |= a->dim[i] == 0;
		large |= a->dim[i] > NPU_MAX_PAYLOAD / size / n;
		if (!large && a->dim[i] > 0)
			n *= a->dim[i];
	}
	if (large && !empty)
		return npu_fail(err, NPU_EFORMAT,
		    "npy: the array has more than 2^40 bytes");
	a->elements = empty ? 0 : n;
	a->bytes = a->elements * size;
	return 0;
}

static int
decode(struct bytes head, bool any, struct npy_array *a, struct npu_err *err)
{
	struct npy_reader r = { .any = any };
	size_t size;
	int rc;

	if (head.n < NPY_PREAMBLE)
		return npu_fail(err, NPU_EFORMAT, "npy: %zu bytes of header; "
		    "at least %d are needed", head.n, NPY_PREAMBLE);
	if ((rc = npy_head_size(head.p, &size, err)) < 0)
		return rc;
	if (size != head.n)
		return npu_fail(err, NPU_EFORMAT, "npy: %zu bytes of header, "
		    "but it has %zu", head.n, size);
	r.p = (const char *)head.p + (head.p[6] == 1 ? 10 : 12);
	r.end = (const char *)head.p + head.n;
	r.has_long = head.p[6] < 3;
	return parse_header(&r, a, err);
}

int
npy_decode_array(struct bytes head, struct npy_array *a, struct npu_err *err)
{
	struct npy_array d = { .dtype = NPU_NONE };
	int rc;

	if ((rc = decode(head, true, &d, err)) < 0 ||
	    (rc = count_elements(&d, err)) < 0)
		return rc;
	*a = d;
	return 0;
}

int
npy_decode(struct bytes head, struct npu_tensor *t, struct npu_err *err)
{
	struct npy_array a = { .dtype = NPU_NONE };
	struct npu_tensor d = { .scale = 1 };
	int rc;

	if ((rc = decode(head, false, &a, err)) < 0)
		return rc;
	if (a.ndim > 0 && a.dim[0] == 0)
		return npu_fail_detail(err, NPU_EFORMAT, NPY_NO_ROWS, "npy: "
		    "dimension 0 is 0, so the array is empty");
	if ((rc = count_elements(&a, err)) < 0)
		return rc;
	d.dtype = a.dtype;
	d.ndim = a.ndim;
	d.size = a.bytes;
	for (uint32_t i = 0; i < a.ndim; i++)
		d.dim[i] = (uint32_t)a.dim[i];
	*t = d;
	return 0;
}

/* ---- Writing ---------------------------------------------------------- */

static const char *
descr_of(uint32_t dtype)
{
	for (size_t i = 0; i < NTYPES; i++)
		if (types[i].dtype == dtype)
			return types[i].descr;
	return NULL;
}

int
npy_encode(const struct npu_tensor *t, struct buf *out, struct npu_err *err)
{
	const char *descr = descr_of(t->dtype), *name;
	struct buf h = { 0 };
	uint16_t size;

	if (descr == NULL) {
		name = npu_dtype_name(t->dtype);
		return npu_fail(err, NPU_EUSAGE, "%s cannot be .npy; convert "
		    "it to f32 with npu-dequant", name ? name : "this type");
	}
	buf_printf(&h, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
	    descr[1] == '1' ? '|' : '<', descr);
	if (t->ndim == 0)
		buf_printf(&h, "%" PRIu64 ",", npu_tensor_count(t));
	for (uint32_t i = 0; i < t->ndim; i++)
		buf_printf(&h, "%s%" PRIu32 "%s", i > 0 ? " " : "", t->dim[i],
		    i + 1 < t->ndim || t->ndim == 1 ? "," : "");
	buf_puts(&h, "), }");
	/* Elements begin at a multiple of 64 bytes (NEP 1, alignment). */
	while ((10 + h.n + 1) % 64 != 0 && !h.failed)
		buf_puts(&h, " ");
	buf_puts(&h, "\n");
	size = (uint16_t)h.n;
	buf_add(out, NPY_MAGIC "\x01\x00", 8);
	buf_add(out, &size, 2);
	buf_add(out, h.p, h.n);
	out->failed |= h.failed;
	buf_free(&h);
	return out->failed ? npu_fail(err, NPU_ESYSTEM, "out of memory") : 0;
}
