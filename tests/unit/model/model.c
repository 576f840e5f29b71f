// SPDX-License-Identifier: Apache-2.0
/* Tests models that cix_write() writes or refuses, and that no program
 * requests. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/cix.h"
#include "model/identify.h"
#include "model/names.h"
#include "tap.h"

static struct npu_tensor
tensor(const char *name, uint32_t ndim, uint32_t a, uint32_t b)
{
	struct npu_tensor t = { .dtype = NPU_U8, .scale = 1, .ndim = ndim,
	    .dim = { a, b } };

	t.size = ndim == 0 ? a : ndim == 1 ? a : (uint64_t)a * b;
	snprintf(t.name, sizeof(t.name), "%s", name);
	return t;
}

static struct npu_tensor in[2], out[2];

static int
write_pack(const struct cix_pack *p, struct buf *b, struct npu_err *err)
{
	*err = (struct npu_err){ .msg = "" };
	buf_clear(b);
	return cix_write(p, b, err);
}

static void
refused(const struct cix_pack *p, const char *says)
{
	struct buf b = { 0 };
	struct npu_err err;
	int rc = write_pack(p, &b, &err);

	if (!ok(rc == NPU_EUSAGE && err.code == NPU_EUSAGE && b.n == 0 &&
	    strstr(err.msg, says) != NULL, "a model is refused: %s", says))
		diag("%d %s", rc, err.msg);
	ok(cix_write(p, &b, NULL) == NPU_EUSAGE,
	    "it is also refused if the caller wants no message");
	buf_free(&b);
}

static struct cix_pack
pack(void)
{
	in[0] = tensor("a", 2, 1, 4);
	out[0] = tensor("z", 2, 2, 3);
	return (struct cix_pack){ .name = "n", .inputs = in, .n_inputs = 1,
	    .outputs = out, .n_outputs = 1, .device = CIX_ISA_EMULATOR };
}

static void
writes(void)
{
	struct cix_pack p = pack();
	struct cix_model m;
	struct buf b = { 0 };
	struct npu_err err;

	ok(write_pack(&p, &b, &err) == 0, "a model is written");
	ok(cix_parse((struct bytes){ (uint8_t *)b.p, b.n }, &m, NULL) == 0,
	    "the model written can be parsed");
	ok(m.n_graphs == 1 && m.graphs[0].n_inputs == 1 &&
	    strcmp(m.graphs[0].tensors[0].desc.name, "a") == 0 &&
	    m.graphs[0].tensors[1].desc.dim[1] == 3,
	    "the parsed model has the inputs and outputs written");
	cix_free(&m);
	buf_free(&b);
}

static void
refuses(void)
{
	struct cix_pack p = pack();

	p.n_inputs = 0;
	refused(&p, "at least one input");
	p = pack(), p.n_outputs = 0;
	refused(&p, "at least one output");
	p = pack(), p.twin.n = INT32_MAX;
	refused(&p, "the ONNX model has 2147483647 bytes");
	p = pack(), in[0].size = 0;
	refused(&p, "input 0: 0 bytes");
	p = pack(), p.n_inputs = 2, in[0].size = 0;
	in[1] = tensor("b", 2, 1, 4);
	refused(&p, "input 0: 0 bytes");
	p = pack(), out[0].size = (uint64_t)1 << 31;
	refused(&p, "output 0: 2147483648 bytes");
	p = pack(), in[0].ndim = NPU_MAX_DIMS + 1;
	refused(&p, "input 0: 7 dimensions");
	p = pack(), in[0].dim[0] = in[0].dim[1] = UINT32_MAX;
	refused(&p, "its shape holds");
	p = pack(), out[0].size = 5;
	refused(&p, "output 0: its shape holds 6 bytes, its size is 5");
	p = pack(), strcpy(in[0].name, "a\x01");
	refused(&p, "not printable UTF-8");
	/* Both inputs get one of the two shapes. */
	p = pack(), p.n_inputs = 2;
	in[1] = tensor("a", 1, 4, 0);
	refused(&p, "its name is another's too");
	p = pack(), in[0].scale = NAN;
	refused(&p, "scale");
}

static void
checks(void)
{
	ok(cix_check_name(CIX_SOUND) == NULL && cix_check_name(-1) == NULL &&
	    cix_check_name(CIX_BAD_END) == NULL &&
	    cix_check_name(CIX_BAD_EMPTY) != NULL,
	    "only the numbers of checks have names");
	ok(cix_check_text(CIX_SOUND) == NULL &&
	    cix_check_text(CIX_BAD_END) == NULL &&
	    cix_check_text(CIX_BAD_EMPTY) != NULL,
	    "only the numbers of checks have a text");
	ok(cix_check_kind(CIX_SOUND) == CIX_FORMAT &&
	    cix_check_kind(CIX_BAD_END) == CIX_FORMAT,
	    "any other number has the kind \"format\"");
	cix_graph_free(NULL);
	cix_free(NULL);
	ok(true, "freeing NULL does nothing");
}

static void
copied(const char *text, size_t room, const char *want)
{
	char to[16];

	names_copy(to, room, (struct bytes){ (uint8_t *)text, strlen(text) });
	ok(strcmp(to, want) == 0,
	    "a name copied to %zu bytes becomes %s", room, want);
}

/* ---- Kinds of files --------------------------------------------------- */

static void
is(const char *text, size_t n, int check)
{
	struct npu_err err = { .detail = 0 };
	int rc = identify_check((struct bytes){ (uint8_t *)text, n }, &err);

	if (!ok(err.detail == check && (rc < 0) == (check != CIX_SOUND),
	    "a file of %zu bytes: %s",
	    n, check == CIX_SOUND ? "may be a model" :
	    cix_check_name(check)))
		diag("%d %s", err.detail, err.msg);
}

static void
kinds(void)
{
	char text[600], zeros[100] = "";

	is("", 0, CIX_BAD_EMPTY);
	is("<HTML><head>", 12, CIX_BAD_WEB_PAGE);
	is("\xef\xbb\xbf \r\n\t<!DOCTYPE html>", 22, CIX_BAD_WEB_PAGE);
	is("  \n", 3, CIX_BAD_PLAIN_TEXT);
	is(" \0 ", 3, CIX_BAD_SHORT);
	is(zeros, sizeof(zeros), CIX_BAD_ZEROS);
	memset(text, 'a', sizeof(text));
	is(text, sizeof(text), CIX_BAD_PLAIN_TEXT);
	text[511] = '\x7f';
	is(text, sizeof(text), CIX_SOUND);
	text[511] = 'a';
	text[512] = '\x7f';		/* byte 512 and later are not checked */
	is(text, sizeof(text), CIX_BAD_PLAIN_TEXT);
}

/* Tests the first bytes of models of other runtimes, and the same with a byte
 * changed or missing. */
static void
runtimes(void)
{
	static const struct {
		const char *bytes;
		size_t n;
		int check;
	} t[] = {
		{ "\x1c\0\0\0TFL3\x14\0", 10, CIX_BAD_TFLITE },
		{ "PK\x03\x04\x14\0", 6, CIX_BAD_ZIP },
		{ "\x89HDF\r\n\x1a\n\0\0", 10, CIX_BAD_HDF5 },
		{ "GGUF\x03\0\0\0", 8, CIX_BAD_GGUF },
		{ "RKNN\0\0\0\0", 8, CIX_BAD_RKNN },
		{ "\x08\0\0\0ORTM\0\0", 10, CIX_BAD_ORT },
		/* Output of pickle.dumps(0x1950a86a20f9469cfc6c, 2), CPython
		 * 3.11. */
		{ "\x80\x02\x8a\nl\xfc\x9c" "F\xf9 j\xa8P\x19.", 15,
		    CIX_BAD_TORCH },
		{ "\x40\x01\0\0\0\0\0\0{\"a", 11, CIX_BAD_SAFETENSORS },
		{ "lmgg\0\0\0\0", 8, CIX_BAD_GGML },
		{ "fmgg\1\0\0\0", 8, CIX_BAD_GGML },
		{ "tjgg\3\0\0\0", 8, CIX_BAD_GGML },
		{ "algg\1\0\0\0", 8, CIX_BAD_GGML },
		{ "xclbin2\0\0\0", 10, CIX_BAD_XCLBIN },
		{ "\x93NUMPY\1\0", 8, CIX_BAD_NPY },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		is(t[i].bytes, t[i].n, t[i].check);
	is("\x1c\0\0\0TFL", 7, CIX_BAD_SHORT);
	is("PK\x01\x02\x14\0", 6, CIX_BAD_SHORT);
	is("\x89HDF\r\n\x1a", 7, CIX_BAD_SHORT);
	is("GGUE\x03\0\0\0", 8, CIX_BAD_SHORT);
	is("rRKNN\0\0\0", 8, CIX_BAD_SHORT);
	is("\x40\x01\0\0\1\0\0\0{\"a", 11, CIX_BAD_SHORT);
	is("xclbin2\1", 8, CIX_BAD_SHORT);
}

/*
 * An ONNX file is protobuf up to its end.  Its first field is the version of
 * ONNX, a number from 1 to 127.  Here, an empty field 2 and another version
 * follow.
 */
static void
onnx(void)
{
	is("\x08\x08\x12\x00\x08\x09", 6, CIX_BAD_ONNX);
	is("\x08\x08\x12\x00", 4, CIX_BAD_SHORT);
	is("\x10\x08\x12\x00\x08\x09", 6, CIX_BAD_SHORT);
	is("\x08\x00\x12\x00\x08\x09", 6, CIX_BAD_SHORT);
	is("\x08\x88\x00\x12\x00\x08", 6, CIX_BAD_SHORT);
	is("\x08\x08\x07\x00\x08\x09", 6, CIX_BAD_SHORT);
	is("\x08\x08\x12\x09\x08\x09", 6, CIX_BAD_SHORT);
}

static void
built(const char *what, const char *text, size_t n, const char *want)
{
	struct cix_model m = { .builder = "" };

	identify_builder((struct bytes){ (uint8_t *)text, n }, &m);
	if (!ok(strcmp(m.builder, want) == 0, "%s", what))
		diag("%s", m.builder);
}

static void
builders(void)
{
	char text[200];

	built("the builder's name is found at the beginning of the file",
	    "AIPUBuilder 6\n", 14, "AIPUBuilder 6");
	built("the builder's name may end with the file",
	    "\1by AIPUBuilder", 15, "by AIPUBuilder");
	built("the builder's text ends at bytes that are not printable ASCII",
	    "a\x7f" "by AIPUBuilder\x80" "b", 18, "by AIPUBuilder");
	built("a file without the builder's name has none", "\1by hand", 8, "");
	memset(text, 'x', sizeof(text));
	memcpy(text + 60, "AIPUBuilder", 11);
	built("at most 32 bytes before the builder's name are kept, and 79 in "
	    "all", text, sizeof(text),
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxAIPUBuilder"
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

int
main(void)
{
	writes();
	refuses();
	checks();
	copied("abcdef", 4, "abc");
	copied("ab\xc3\xa9", 4, "ab");
	copied("ab\xc3\xa9", 5, "ab\xc3\xa9");
	copied("a\xff\x1b\x7f", 16, "a???");
	kinds();
	runtimes();
	onnx();
	builders();
	return done();
}
