// SPDX-License-Identifier: Apache-2.0
/* Tests .npy headers: headers that numpy writes, and others. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tensor/npy.h"

/* Writes a preamble and the text as a header, as in this version, without
 * padding. */
static struct bytes
head(uint8_t *out, unsigned version, const char *text)
{
	size_t n = strlen(text), preamble = version == 1 ? 10 : 12;

	memset(out, 0, 12);
	memcpy(out, NPY_MAGIC, 6);
	out[6] = (uint8_t)version;
	out[8] = (uint8_t)n;
	out[9] = (uint8_t)(n >> 8);
	memcpy(out + preamble, text, n);
	return (struct bytes){ out, preamble + n };
}

#define HEADER(descr, order, shape) "{'descr': " descr \
	", 'fortran_order': " order ", 'shape': " shape ", }\n"

static const struct {
	const char *text;
	uint32_t dtype, ndim, dim[3];
	uint64_t size;
} good[] = {
	{ HEADER("'<f4'", "False", "(1, 512)"), NPU_F32, 2, { 1, 512 }, 2048 },
	{ HEADER("'|i1'", "False", "(7,)"), NPU_S8, 1, { 7 }, 7 },
	{ HEADER("'<u8'", "False", "()"), NPU_U64, 0, { 0 }, 8 },
	{ HEADER("'|b1'", "False", "(2, 3, 4)"), NPU_BOOL, 3, { 2, 3, 4 },
	    24 },
	{ "{\"shape\":(3,),\"fortran_order\":False,\"descr\":\"<f2\"}",
	    NPU_F16, 1, { 3 }, 6 },
	{ HEADER("'=u1'", "False", "\t(7,)"), NPU_U8, 1, { 7 }, 7 },
	/* Forms that numpy 1.24's format.py also reads (ast.literal_eval() of
	 * CPython 3.8, 3.11 and 3.13, and numpy.dtype()). */
	{ HEADER("'<f4'", "False", "(+2, + 3)"), NPU_F32, 2, { 2, 3 }, 24 },
	{ "{u'descr': u'<f4', U'fortran_order': False,\n\t'shape': (2,\r\n3"
	    "\f)\n}", NPU_F32, 2, { 2, 3 }, 24 },
	{ "\n{ 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( ) } \n"
	    "\n", NPU_F32, 0, { 0 }, 4 },
	{ HEADER("'=f4'", "False", "(3,)"), NPU_F32, 1, { 3 }, 12 },
	{ HEADER("'|f4'", "False", "(3,)"), NPU_F32, 1, { 3 }, 12 },
	{ HEADER("'f4'", "False", "(3,)"), NPU_F32, 1, { 3 }, 12 },
	{ HEADER("'float32'", "False", "(3,)"), NPU_F32, 1, { 3 }, 12 },
	{ HEADER("'uint16'", "False", "(3,)"), NPU_U16, 1, { 3 }, 6 },
	{ HEADER("'int8'", "False", "(3,)"), NPU_S8, 1, { 3 }, 3 },
	{ HEADER("'bool'", "False", "(3,)"), NPU_BOOL, 1, { 3 }, 3 },
	{ HEADER("'>i1'", "False", "(3,)"), NPU_S8, 1, { 3 }, 3 },
	{ HEADER("'<u1'", "False", "(3,)"), NPU_U8, 1, { 3 }, 3 },
	{ HEADER("'>b1'", "False", "(3,)"), NPU_BOOL, 1, { 3 }, 3 },
	/* Fortran order of shapes where both orders are the same. */
	{ HEADER("'<f4'", "True", "()"), NPU_F32, 0, { 0 }, 4 },
	{ HEADER("'<f4'", "True", "(6,)"), NPU_F32, 1, { 6 }, 24 },
	{ HEADER("'<f4'", "True", "(1, 6)"), NPU_F32, 2, { 1, 6 }, 24 },
	{ HEADER("'<f4'", "True", "(6, 1)"), NPU_F32, 2, { 6, 1 }, 24 },
	{ HEADER("'<f4'", "True", "(1, 6, 1)"), NPU_F32, 3, { 1, 6, 1 }, 24 },
	{ HEADER("'<u1'", "False", "(4294967295,)"), NPU_U8, 1,
	    { 4294967295 }, 4294967295 },
	{ HEADER("'<u1'", "False", "(2, 3), 'descr': '<f4', 'shape': (5,)"),
	    NPU_F32, 1, { 5 }, 20 },
};

static const struct {
	const char *text, *says;
} bad[] = {
	{ HEADER("'<f4'", "True", "(2, 3)"), "Fortran order" },
	{ HEADER("'O8'", "False", "(2,)"), "pickled" },
	{ HEADER("'object'", "False", "()"), "pickled" },
	{ HEADER("'<f4'", "0", "(2, 3)"), "neither" },
	{ HEADER("'>f4'", "False", "(2,)"), "big-endian" },
	{ HEADER("'<c8'", "False", "(2,)"), "'<c8' has no counterpart" },
	{ HEADER("'<c16'", "False", "(2,)"), "'<c16' has no counterpart" },
	{ HEADER("'|O'", "False", "(2,)"), "pickled Python objects ('|O')" },
	{ HEADER("'|V2'", "False", "(2,)"), "has no counterpart" },
	{ HEADER("''", "False", "(2,)"), "has no counterpart" },
	{ HEADER("[('a', '<f4')]", "False", "(2,)"), "no simple type" },
	{ HEADER("'<f4'", "False", "(0,)"), "is 0" },
	{ HEADER("'<f4'", "False", "(-1,)"), "is not a number" },
	{ HEADER("'<f4'", "False", "(4294967296,)"), "below 2^32" },
	{ HEADER("'<f4'", "False", "(18446744073709551617,)"), "below 2^32" },
	{ HEADER("'<f4'", "False", "(4294967295, 65)"), "2^40" },
	{ HEADER("'<f4'", "False", "(4294967295, 4294967295, 4294967295)"),
	    "2^40" },
	{ HEADER("'<f4'", "False", "(1,1,1,1,1,1,1)"), "more than 6" },
	{ HEADER("'<f4'", "False", "(3)"), "not a tuple" },
	{ HEADER("'<f4'", "False", "3"), "not a tuple" },
	{ HEADER("'<f4'", "False", "(3 4)"), "not a tuple" },
	{ HEADER("'<f4'", "False", "(3, 4 5)"), "is not a number" },
	{ HEADER("'<f4'", "False", "(3, 4"), "is not a number" },
	{ HEADER("'<f4", "False", "(3,)"), "has no counterpart" },
	{ "{'descr': '<f4", "no simple type" },
	{ "{'descr': '<f4', 'fortran_order': False, }", "lacks" },
	{ "{'descr': '<f4', 'descr': '<f4', }", "lacks" },
	{ "{'descr': '<f4', 'x': 1}", "'x' is not one" },
	{ "{'descr': '<f4' 'x': 1}", "comma" },
	{ "{'descr' '<f4'}", "not a dictionary of" },
	{ "['descr']", "not a dictionary" },
	{ HEADER("'<f4'", "False", "(3,)") "x", "something follows" },
	{ "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}x",
	    "something follows" },
	{ HEADER("'a type of 16 byt'", "False", "(3,)"), "no simple type" },
	{ "{}", "lacks" },
	{ "{   ", "not a dictionary of" },
	{ "{descr: 1}", "not a dictionary of" },
	{ "{'descr'", "not a dictionary of" },
	{ "{'a name that is longer than any': 1}", "not a dictionary of" },
	{ "{'de\\'scr': 1}", "not a dictionary of" },
	{ "{'descr': ", "no simple type" },
	{ HEADER("''", "False", "(3,)"), "has no counterpart" },
	{ HEADER("'<'", "False", "(3,)"), "has no counterpart" },
	{ HEADER("'>f2'", "False", "(3,)"), "is big-endian" },
	{ HEADER("'>float32'", "False", "(3,)"), "is big-endian" },
	{ HEADER("'<float32'", "False", "(3,)"), "has no counterpart" },
	{ HEADER("'=<f4'", "False", "(3,)"), "has no counterpart" },
	{ HEADER("'f3'", "False", "(3,)"), "has no counterpart" },
	{ HEADER("u '<f4'", "False", "(3,)"), "no simple type" },
	{ HEADER("b'<f4'", "False", "(3,)"), "no simple type" },
	{ HEADER("'<f4'", "True", "(2, 1, 3)"), "Fortran order" },
	{ "{'fortran_order': True, 'descr': '<f4', 'shape': (2, 3)}",
	    "Fortran order" },
	{ HEADER("'<f4'", "False", "(++2,)"), "is not a number" },
	{ HEADER("'<f4'", "False", "(02,)"), "is not a number" },
	{ HEADER("'<f4'", "False", "(2l,)"), "not a tuple" },
	{ HEADER("'<f4'", "False", "(2LL,)"), "not a tuple" },
	{ HEADER("'<f4'", "False", "(L,)"), "is not a number" },
	{ "{'descr': '<f4', 'shape': (3", "not a tuple" },
	{ HEADER("'<f4'", "False", "(3,)") "\v", "something follows" },
};

static void
reads(void)
{
	uint8_t bytes[300];
	struct npu_tensor t;
	struct npu_err err;
	bool same;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		for (unsigned version = 1; version <= 3; version++) {
			memset(&t, 0xff, sizeof(t));
			same = npy_decode(head(bytes, version, good[i].text),
			    &t, &err) == 0;
			same = same && t.dtype == good[i].dtype &&
			    t.ndim == good[i].ndim &&
			    t.size == good[i].size && t.scale == 1 &&
			    t.zero_point == 0 && t.dim[3] == 0 &&
			    memcmp(t.dim, good[i].dim, 12) == 0;
			if (!ok(same,
			    "a header of version %u is read: %.60s", version,
			    strtok(strdupa(good[i].text), "\n")))
				diag("%s", err.msg);
		}
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.msg[0] = '\0';
		if (!ok(npy_decode(head(bytes, 1, bad[i].text), &t, &err) ==
		    NPU_EFORMAT && strstr(err.msg, bad[i].says) != NULL,
		    "a header is refused: %s", bad[i].says))
			diag("%s: %s", bad[i].text, err.msg);
	}
}

/* ---- Arrays in any order ------------------------------------------------ */

#define P60 "1152921504606846976"

static const struct {
	const char *text;
	uint32_t dtype;
	bool big_endian, fortran;
	uint32_t ndim;
	uint64_t elements;
} arrays[] = {
	{ HEADER("'<f4'", "True", "(2, 3)"), NPU_F32, false, true, 2, 6 },
	{ HEADER("'<f4'", "True", "(1, 3)"), NPU_F32, false, false, 2, 3 },
	{ HEADER("'>f2'", "False", "(2,)"), NPU_F16, true, false, 1, 2 },
	{ HEADER("'>i8'", "True", "(2, 2)"), NPU_S64, true, true, 2, 4 },
	{ HEADER("'>u1'", "False", "(2,)"), NPU_U8, false, false, 1, 2 },
	{ HEADER("'<f4'", "False", "(0,)"), NPU_F32, false, false, 1, 0 },
	{ HEADER("'<f4'", "False", "(3, 0, 4)"), NPU_F32, false, false, 3, 0 },
	{ HEADER("'<f4'", "False", "(0, " P60 ")"), NPU_F32, false, false, 2,
	    0 },
	{ HEADER("'<f4'", "False", "(1,1,1,1,1,1,2)"), NPU_F32, false, false,
	    7, 2 },
	{ HEADER("'<f4'", "False", "()"), NPU_F32, false, false, 0, 1 },
};

static const struct {
	const char *text, *says;
} not_arrays[] = {
	{ HEADER("'|O'", "False", "()"), "pickled" },
	{ HEADER("[('a', '<f4')]", "False", "(2,)"), "no simple type" },
	{ HEADER("'<c8'", "False", "(2,)"), "no counterpart" },
	{ HEADER("'>c8'", "False", "(2,)"), "big-endian" },
	{ HEADER("'<f4'", "False", "(" P60 ",)"), "2^40" },
	{ HEADER("'<f4'", "False", "(" P60 ", 16)"), "2^40" },
	{ HEADER("'|u1'", "False", "(1099511627777,)"), "2^40" },
	{ HEADER("'<f4'", "False", "(9223372036854775808,)"), "below 2^63" },
	{ HEADER("'<f4'", "False", "(99999999999999999999999,)"), "below" },
	{ HEADER("'<f4'", "False", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
	    "1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), "more than 32" },
};

static void
reads_arrays(void)
{
	struct npu_err err;
	struct npy_array a;
	uint8_t bytes[300];
	bool same;

	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		same = npy_decode_array(head(bytes, 1, arrays[i].text), &a,
		    &err) == 0 && a.dtype == arrays[i].dtype &&
		    a.big_endian == arrays[i].big_endian &&
		    a.fortran == arrays[i].fortran &&
		    a.ndim == arrays[i].ndim &&
		    a.elements == arrays[i].elements &&
		    a.bytes == a.elements * npu_dtype_size(a.dtype);
		if (!ok(same, "an array is read: %.60s",
		    strtok(strdupa(arrays[i].text), "\n")))
			diag("%s", err.msg);
	}
	for (size_t i = 0; i < sizeof(not_arrays) / sizeof(*not_arrays); i++) {
		err.msg[0] = '\0';
		if (!ok(npy_decode_array(head(bytes, 1, not_arrays[i].text),
		    &a, &err) == NPU_EFORMAT && strstr(err.msg,
		    not_arrays[i].says) != NULL, "an array is refused: %s",
		    not_arrays[i].says))
			diag("%s: %s", not_arrays[i].text, err.msg);
	}
}

/* Tests dimensions as Python 2 on a 32-bit computer wrote them. numpy does not
 * filter the L out of version 3. */
static void
longs(void)
{
	static const char text[] = HEADER("'<f4'", "False", "(2L, 3L)");
	struct npu_err err = { 0 };
	uint8_t bytes[300];
	struct npu_tensor t;

	for (unsigned version = 1; version <= 2; version++)
		ok(npy_decode(head(bytes, version, text), &t, &err) == 0 &&
		    t.ndim == 2 && t.dim[0] == 2 && t.dim[1] == 3,
		    "version %u accepts (2L, 3L)%s", version, err.msg);
	ok(npy_decode(head(bytes, 3, text), &t, &err) == NPU_EFORMAT,
	    "version 3 refuses (2L, 3L): %s", err.msg);
}

static void
preambles(void)
{
	uint8_t p[12] = "\x93NUMPY\1\0\x76\0xx";
	size_t n = 0;

	ok(npy_head_size(p, &n, NULL) == 0 && n == 128,
	    "a header of version 1 has 10 bytes and the length, 0x76");
	p[6] = 2;
	p[10] = p[11] = 0;
	ok(npy_head_size(p, &n, NULL) == 0 && n == 130,
	    "a header of version 2 has 12 bytes and the length, 0x76");
	p[11] = 0x7f;
	ok(npy_head_size(p, &n, NULL) == NPU_EFORMAT,
	    "a header of 2 GiB is refused");
	p[11] = 0;
	p[6] = 4;
	ok(npy_head_size(p, &n, NULL) == NPU_EFORMAT, "version 4 is refused");
	p[6] = 1;
	p[7] = 1;
	ok(npy_head_size(p, &n, NULL) == NPU_EFORMAT,
	    "version 1.1 is refused");
	p[7] = 0;
	p[8] = 1;
	ok(npy_head_size(p, &n, NULL) == NPU_EFORMAT,
	    "a header of 1 byte is refused");
	p[6] = 0;
	ok(npy_head_size(p, &n, NULL) == NPU_EFORMAT, "version 0 is refused");
	p[0] = 0;
	ok(npy_head_size(p, &n, NULL) == NPU_EFORMAT,
	    "a wrong magic is refused");
}

/* Tests a header that is cut, or too short. */
static void
lengths(void)
{
	static const char text[] = HEADER("'<f4'", "False", "(3,)");
	struct npu_err err = { 0 };
	uint8_t bytes[300];
	struct npu_tensor t;
	struct bytes b = head(bytes, 1, text);

	ok(npy_decode(b, &t, NULL) == 0 && t.size == 12,
	    "a whole header is read");
	b.n--;
	ok(npy_decode(b, &t, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "bytes of header, but it has") != NULL,
	    "a header that lacks one byte is refused");
	b.n = NPY_PREAMBLE - 1;
	ok(npy_decode(b, &t, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "at least 12 are needed") != NULL,
	    "a header without its whole preamble is refused");
	b = head(bytes, 1, text);
	bytes[1] = 'M';
	ok(npy_decode(b, &t, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "does not begin with") != NULL,
	    "a header with a wrong magic is refused");
}

/* Compares with numpy 1.24.2's numpy.lib.format.write_array_header_1_0() for
 * float32 (1, 512). numpy's padding differs, as it leaves room to grow. */
static void
writes(void)
{
	struct npu_tensor t = { .dtype = NPU_F32, .ndim = 2,
	    .dim = { 1, 512 }, .scale = 1, .size = 2048 }, back;
	static const char want[] = HEADER("'<f4'", "False", "(1, 512)");
	struct npu_err err = { 0 };
	struct buf b = { 0 };

	ok(npy_encode(&t, &b, NULL) == 0 && b.n % 64 == 0 &&
	    memcmp(b.p + 10, want, sizeof(want) - 2) == 0 &&
	    b.p[b.n - 1] == '\n',
	    "float32 (1, 512) is written as numpy writes it");
	ok(npy_decode((struct bytes){ (void *)b.p, b.n }, &back, NULL) == 0 &&
	    memcmp(&t, &back, sizeof(t)) == 0,
	    "the header written is read again as the same tensor");
	buf_clear(&b);
	t.ndim = 0;
	memset(t.dim, 0, sizeof(t.dim));
	npy_encode(&t, &b, NULL);
	ok(memcmp(b.p + 10, HEADER("'<f4'", "False", "(512,)"), 59) == 0,
	    "a tensor without dimensions is written as a flat vector");
	buf_clear(&b);
	t.ndim = 1;
	t.dim[0] = 3;
	npy_encode(&t, &b, NULL);
	ok(memcmp(b.p + 10, HEADER("'<f4'", "False", "(3,)"), 57) == 0,
	    "a tensor with one dimension is written with this dimension");
	t.dtype = NPU_BF16;
	ok(npy_encode(&t, &b, &err) == NPU_EUSAGE &&
	    strncmp(err.msg, "bf16 cannot", 11) == 0, "bf16 is refused");
	t.dtype = 0x77;
	ok(npy_encode(&t, &b, &err) == NPU_EUSAGE &&
	    strncmp(err.msg, "this type cannot", 16) == 0,
	    "an unknown type is refused");
	buf_free(&b);
}

int
main(void)
{
	reads();
	reads_arrays();
	longs();
	preambles();
	lengths();
	writes();
	return done();
}
