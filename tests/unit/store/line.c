// SPDX-License-Identifier: Apache-2.0
/* Tests vectors as lines of JSON: lines of clip-embed, lines that other
 * programs may write, and lines that are refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "repeat.h"
#include "store/line.h"
#include "tap.h"

#define HASH "00112233445566778899aabbccddeeff" \
	"fedcba98765432100123456789abcdef"

static void
sound(void)
{
	static const char text[] = "{\"schema\":\"clip-embed/1\",\"id\":"
	    "\"bus.jpg\",\"kind\":\"image\",\"model\":\"m.cix\","
	    "\"model_sha256\":\"" HASH "\",\"preprocessing\":\"crop\","
	    "\"norm\":\"l2\",\"dim\":2,\"length\":9.87,"
	    "\"vector\":[0.25,-8e-1]}\n";
	char zeros[sizeof(text)];
	struct line l = { 0 };

	memcpy(zeros, text, sizeof(text));
	ok(line_read(&l, text, sizeof(text) - 1, NULL) == 0,
	    "a line of clip-embed is read");
	ok(l.id_n == 7 && memcmp(l.id, "bus.jpg", 7) == 0 && l.dim == 2 &&
	    l.x[0] == .25f && l.x[1] == -.8f && l.error == NULL,
	    "the line's name and numbers are read");
	ok(l.kind == INDEX_IMAGE && l.has_norm && l.norm == INDEX_NORM_L2 &&
	    strcmp(l.model, "m.cix") == 0 && strcmp(l.preprocessing, "crop") ==
	    0 && l.model_sha256[1] == 0x11 && l.model_sha256[31] == 0xef,
	    "the line's kind, norm, model and preprocessing are read");
	ok(line_read(&l, "{\"vector\":[1]}", 14, NULL) == 0 && l.id == NULL &&
	    l.model == NULL && l.model_sha256 == NULL && !l.has_norm &&
	    l.kind == INDEX_ANY && l.dim == 1 && l.x[0] == 1,
	    "the next line, without these members, does not keep them");
	memset(strstr(zeros, HASH), '0', strlen(HASH));
	ok(line_read(&l, zeros, sizeof(zeros) - 1, NULL) == 0 &&
	    l.kind == INDEX_IMAGE && l.model_sha256 == NULL,
	    "a hash of zeros means an unknown model");
	line_free(&l);
}

static const struct {
	const char *text, *id;
	uint32_t dim;		/* 0: an error is expected instead */
	double first;
} good[] = {
	{ "{\"id\":7,\"vector\":[1,2,3]}", "7", 3, 1 },
	{ "{\"id\":-7.5,\"vector\":[1]}", "-7.5", 1, 1 },
	{ "{\"id\":null,\"vector\":[16777217]}", NULL, 1, 16777216 },
	{ "{\"id\":\"\\u00df\\n\",\"vector\":[1e-3]}", "\xc3\x9f\n", 1, .001f },
	{ "{\"id\":\"\",\"vector\":[null]}", "", 1, NAN },
	{ "{\"vector\":[1e39]}", NULL, 1, INFINITY },
	{ "{\"x\":{\"vector\":3},\"vector\":[0],\"kind\":\"other\"}", NULL, 1,
	    0 },
	{ "{\"schema\":\"mine/9\",\"norm\":\"max\",\"vector\":[1]}", NULL, 1,
	    1 },
	{ "{\"schema\":\"clip-embed/1\",\"id\":\"x\",\"error\":\"cut\"}", "x",
	    0, 0 },
	{ "{\"error\":null,\"vector\":[5]}", NULL, 1, 5 },
};

/* Returns true if the line is read and its name is marked as invalid UTF-8. */
static bool
not_utf8(const char *text)
{
	struct line l = { 0 };
	bool read = line_read(&l, text, strlen(text), NULL) == 0;
	bool other = l.not_utf8;

	line_free(&l);
	return read && other;
}

static void
names(void)
{
	ok(not_utf8("{\"id\":\"\\u00e9\",\"vector\":[1],"
	    "\"invalid_utf8\":true}") &&
	    !not_utf8("{\"id\":\"\\u00e9\",\"vector\":[1],"
	    "\"invalid_utf8\":false}") &&
	    !not_utf8("{\"id\":\"e\",\"vector\":[1],"
	    "\"invalid_utf8\":true}"),
	    "invalid_utf8 marks a name that is not ASCII, if it is true");
	ok(!not_utf8("{\"id\":7,\"vector\":[1],\"invalid_utf8\":true}") &&
	    !not_utf8("{\"vector\":[1],\"invalid_utf8\":true}"),
	    "invalid_utf8 does not mark a number or a missing name");
}

static const struct {
	const char *text, *says;
} bad[] = {
	{ "", "byte 0: " },
	{ "{", "byte 1: " },
	{ "[1,2]", "not an object" },
	{ "{\"model_sha256\":\"g0\",\"vector\":[1]}", "model_sha256: not 64 "
	    "digits" },
	{ "{}", "vector: missing" },
	{ "{\"vector\":3}", "vector: not an array" },
	{ "{\"vector\":[]}", "vector: 0 numbers" },
	{ "{\"vector\":[1,\"2\"]}", "vector[1]: not a number" },
	{ "{\"vector\":[1,2],\"dim\":3}", "vector: 2 numbers, and dim is 3" },
	{ "{\"vector\":[1],\"vector\":[2]}", "duplicate object key" },
	{ "{\"vector\":[1e999]}", "real number overflow" },
	{ "{\"vector\":[1]}{\"vector\":[1]}", "end of file expected" },
	{ "{\"id\":[],\"vector\":[1]}", "id: neither a string nor a number" },
	{ "{\"kind\":1,\"vector\":[1]}", "kind: not a string" },
	{ "{\"model_sha256\":\"0g\",\"vector\":[1]}", "model_sha256: not 64" },
	{ "{\"model_sha256\":\"0\",\"vector\":[1]}", "model_sha256: not 64" },
	{ "{\"model_sha256\":\"" HASH "0\",\"vector\":[1]}",
	    "model_sha256: more than 64" },
	{ "{\"schema\":\"clip-embed/2\",\"vector\":[1]}",
	    "schema: clip-embed/2, and clip-embed/1 is understood" },
	{ "{\"error\":3}", "error: not a string" },
};

static void
lines(void)
{
	struct npu_err err = { 0 };
	struct line l = { 0 };
	bool same;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		const char *id = good[i].id;

		same = line_read(&l, good[i].text, strlen(good[i].text),
		    &err) == 0 && l.dim == good[i].dim;
		same = same && (id == NULL ? l.id == NULL : l.id != NULL &&
		    l.id_n == strlen(id) && memcmp(l.id, id, l.id_n) == 0);
		same = same && (l.x == NULL ? l.error != NULL && l.dim == 0 :
		    isnan(good[i].first) ? isnan(l.x[0]) :
		    (double)l.x[0] == good[i].first);
		if (!ok(same, "a line is read: %s", good[i].text))
			diag("%s", err.msg);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!ok(line_read(&l, bad[i].text, strlen(bad[i].text), &err)
		    == NPU_EFORMAT && strstr(err.msg, bad[i].says) != NULL,
		    "a line is refused: %s", bad[i].says))
			diag("%s", err.msg);
	line_free(&l);
}

/* Tests that a member that must be a string is a string or null. */
static void
strings(void)
{
	static const char *const keys[] = { "schema", "kind", "norm", "model",
	    "model_sha256", "preprocessing", "error" };
	struct npu_err err = { 0 };
	struct line l = { 0 };
	char text[100];

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		snprintf(text, sizeof(text), "{\"%s\":5,\"vector\":[1]}",
		    keys[i]);
		ok(line_read(&l, text, strlen(text), &err) == NPU_EFORMAT &&
		    strncmp(err.msg, keys[i], strlen(keys[i])) == 0 &&
		    strstr(err.msg, ": not a string") != NULL,
		    "a member of another type is refused: %s",
		    err.msg);
		snprintf(text, sizeof(text), "{\"%s\":null,\"vector\":[1]}",
		    keys[i]);
		ok(line_read(&l, text, strlen(text), &err) == 0 &&
		    l.dim == 1, "the member %s may be null", keys[i]);
		snprintf(text, sizeof(text), "{\"%s\":\"a\\u0000b\","
		    "\"vector\":[1]}", keys[i]);
		ok(line_read(&l, text, strlen(text), &err) == NPU_EFORMAT &&
		    strstr(err.msg, ": has a NUL") != NULL,
		    "a member with a NUL is refused: %s", err.msg);
	}
	strcpy(text, "{\"id\":\"a\\u0000b\",\"vector\":[1]}");
	ok(line_read(&l, text, strlen(text), NULL) == 0 && l.id_n == 3 &&
	    memcmp(l.id, "a\0b", 3) == 0, "an id may contain a NUL");
	strcpy(text, "{\"norm\":\"none\",\"kind\":\"text\","
	    "\"vector\":[1]}");
	ok(line_read(&l, text, strlen(text), NULL) == 0 && l.has_norm &&
	    l.norm == INDEX_NORM_NONE && l.kind == INDEX_TEXT,
	    "the norm \"none\" and the kind \"text\" are read");
	line_free(&l);
}

/* Tests limits that need more text than fits in a table. */
static void
limits(void)
{
	struct npu_err err = { 0 };
	struct line l = { 0 };
	struct buf b = { 0 };

	buf_puts(&b, "{\"vector\":[0");
	buf_repeat(&b, ",0", INDEX_MAX_DIM - 1);
	buf_puts(&b, "]}");
	ok(line_read(&l, b.p, b.n, &err) == 0 && l.dim == INDEX_MAX_DIM,
	    "a vector of the maximum length is read");
	b.n -= 2;
	buf_puts(&b, ",0]}");
	ok(line_read(&l, b.p, b.n, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "vector: 1048577 numbers") != NULL,
	    "a vector with one number more is refused");
	b.n -= 2;
	buf_repeat(&b, ",0", 5000);
	ok(line_read(&l, b.p, b.n, &err) == NPU_EFORMAT &&
	    strcmp(err.msg, "more than 1052672 values") == 0,
	    "a vector with many more is refused before memory is allocated");
	line_free(&l);
	buf_free(&b);
}

/* Reads a line with n commas between before and after. */
static int
commas(struct line *l, const char *before, size_t n, const char *after,
    struct npu_err *err)
{
	struct buf b = { 0 };
	int rc;

	buf_puts(&b, before);
	buf_repeat(&b, ",", n);
	buf_puts(&b, after);
	rc = line_read(l, b.p, b.n, err);
	buf_free(&b);
	return rc;
}

/* Tests long texts, as clip-embed writes them.  Commas within a text do not
 * count as values. */
static void
long_texts(void)
{
	enum { MANY = 1100000 };
	static const char tail[] = "\",\"vector\":[1,2]}";
	struct npu_err err = { 0 };
	struct line l = { 0 };

	ok(commas(&l, "{\"id\":\"", MANY, tail, &err) == 0 && l.id_n == MANY &&
	    l.dim == 2, "a text with many commas is read");
	ok(commas(&l, "{\"id\":\"\\\"", MANY, tail, &err) == 0 && l.id_n ==
	    MANY + 1,
	    "a text with many commas after an escaped quotation mark is read");
	ok(commas(&l, "{\"id\":\"\\\\\",\"x\":\"", MANY, tail, &err) == 0 &&
	    l.id_n == 1,
	    "commas count as text after a string that ends with a backslash");
	ok(commas(&l, "{\"id\":\"\\\\\"", MANY, tail, &err) == NPU_EFORMAT &&
	    strcmp(err.msg, "more than 1052672 values") == 0,
	    "commas behind a string that ends with a backslash count as "
	    "values");
	ok(commas(&l, "{\"id\":\"", MANY, "", &err) == NPU_EFORMAT &&
	    strstr(err.msg, "premature end of input") != NULL,
	    "a string that does not end is refused: %s", err.msg);
	ok(commas(&l, "{\"id\":\"", MANY, "\\", &err) == NPU_EFORMAT,
	    "a string that ends in a backslash at the end of the line is "
	    "refused: %s", err.msg);
	line_free(&l);
}

int
main(void)
{
	sound();
	names();
	lines();
	strings();
	if (!brief()) {
		limits();
		long_texts();
	}
	return done();
}
