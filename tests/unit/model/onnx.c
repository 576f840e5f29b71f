// SPDX-License-Identifier: Apache-2.0
/* Tests that metadata of ONNX files, and where their weights are, are read.
 * The files are encoded by hand as in protobuf. */
#include <stdlib.h>
#include <string.h>

#include "model/onnx.h"
#include "tap.h"

/* ir_version 8; a graph (field 7) of 3 bytes; metadata (field 14): names "ab",
 * other "x", names "cd".  114 is 14 << 3 | 2. */
#define HEAD "\x08\x08" "\x3a\x03zzz"
#define NAMES(v) "\x72\x0b" "\x0a\x05names" "\x12\x02" v
static const char whole[] = HEAD NAMES("ab")
    "\x72\x0a" "\x0a\x05other" "\x12\x01x" NAMES("cd");

static int
ask(const char *p, size_t n, const char *key, struct bytes *value,
    struct npu_err *err)
{
	/* With a copy, tools detect a read beyond its end. */
	uint8_t *copy = malloc(n + 1);
	struct bytes b = { copy, n };
	static char kept[100];
	int rc;

	memcpy(copy, p, n);
	rc = onnx_metadata(b, key, value, err);
	if (rc == 1 && value->n > 0) {
		memcpy(kept, value->p, value->n);
		value->p = (uint8_t *)kept;
	}
	free(copy);
	return rc;
}

static const struct {
	const char *what, *bytes;
	size_t n;
} bad[] = {
	{ "an empty file", "", 0 },
	{ "a field that is cut", "\x08", 1 },
	{ "a tag that is cut", "\x80", 1 },
	{ "a number with field number 0", "\x00\x01", 2 },
	{ "a number of more than 64 bits",
	    "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12 },
	{ "a length beyond the end of the file", "\x3a\x04zzz", 5 },
	{ "a length of 2^64 - 1",
	    "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01zzz", 14 },
	{ "a group, which ONNX does not use", "\x0b\x0c", 2 },
	{ "a field of wire type 6", "\x0e\x01", 2 },
	{ "bytes with field number 0", "\x02\x01z", 3 },
	{ "a field of 4 bytes that is cut", "\x0d\x01\x02", 3 },
	{ "a field of 8 bytes that is cut",
	    "\x09\x01\x02\x03\x04\x05\x06\x07", 8 },
	{ "a metadata key that is cut", "\x72\x03\x0a\x05n", 5 },
	{ "a Git LFS pointer",
	    "version https://git-lfs.github.com/spec/v1\n", 43 },
};

static int
external(const char *p, size_t n, struct npu_err *err)
{
	uint8_t *copy = malloc(n);
	int rc;

	memcpy(copy, p, n);
	rc = onnx_external((struct bytes){ copy, n }, err);
	free(copy);
	return rc;
}

/* Paths of nested messages from the model to a tensor.  Each step is a field
 * number. */
static const struct {
	const char *what;
	uint8_t way[8];
} ways[] = {
	{ "the location of an initialiser is found", { 7, 5 } },
	{ "the location of a sparse initialiser's values is found",
	    { 7, 15, 1 } },
	{ "the location of a sparse initialiser's indices is found",
	    { 7, 15, 2 } },
	{ "the location of an attribute's tensor is found", { 7, 1, 5, 5 } },
	{ "the location of a tensor in an attribute's list is found",
	    { 7, 1, 5, 10 } },
	{ "the location of a sparse tensor's values in an attribute is found",
	    { 7, 1, 5, 22, 1 } },
	{ "the location of a sparse tensor's indices in an attribute's list is "
	    "found", { 7, 1, 5, 23, 2 } },
	{ "the location of a tensor in an attribute's graph is found",
	    { 7, 1, 5, 6, 5 } },
	{ "the location of a tensor in an attribute's list of graphs is found",
	    { 7, 1, 5, 11, 5 } },
	{ "the location of a tensor in a graph within a graph is found",
	    { 7, 1, 5, 6, 1, 5, 6, 5 } },
	{ "the location of a tensor in a function's node is found",
	    { 25, 7, 5, 5 } },
	{ "the location of a tensor in a function's attribute is found",
	    { 25, 11, 5 } },
	{ "the location of a tensor in the training's initialisation is found",
	    { 20, 1, 5 } },
	{ "the location of a tensor in the training's algorithm is found",
	    { 20, 2, 5 } },
};

/* Wraps n bytes, which are all of p, in a field with this number.  Returns the
 * new length. */
static size_t
wrap(uint8_t *p, size_t n, unsigned number)
{
	uint8_t head[4];
	size_t h = 0;

	if (number > 15)
		head[h++] = (uint8_t)(((number << 3 | 2) & 0x7f) | 0x80);
	head[h++] = (uint8_t)(number > 15 ? number >> 4 : number << 3 | 2);
	if (n > 127)
		head[h++] = (uint8_t)(n | 0x80);
	head[h++] = (uint8_t)(n > 127 ? n >> 7 : n);
	memmove(p + h, p, n);
	memcpy(p, head, h);
	return n + h;
}

/* Returns the answer for a file with a tensor of n bytes at the end of this
 * path of fields. */
static int
tensor_at(const uint8_t *way, size_t steps, const char *bytes, size_t n,
    struct npu_err *err)
{
	uint8_t p[1000];

	memcpy(p, bytes, n);
	while (steps-- > 0)
		n = wrap(p, n, way[steps]);
	memcpy(p + n, "\x08\x08", 2);	/* a field behind it */
	return external((char *)p, n + 2, err);
}

static void
locations(void)
{
	/* Field 14 (0x70), the location, is 1 (external) in several encodings
	 * of 1. */
	static const struct {
		const char *what, *bytes;
		size_t n;
		int rc;
	} tensors[] = {
		{ "a tensor in another file is external",
		    "\x08\x04\x70\x01", 4, 1 },
		{ "a tensor is external if any location says so",
		    "\x70\x01\x70\x00", 4, 1 },
		{ "a tensor with location 0 is in the file", "\x70\x00", 2, 0 },
		{ "a tensor without location is in the file", "", 0, 0 },
		{ "field 14 as 4 bytes is not a location",
		    "\x75\x01\0\0\0", 5, 0 },
		{ "field 13 is not a location", "\x6a\x02\x70\x01", 4, 0 },
		{ "a location whose value has bit 32 counts modulo 2^32",
		    "\x70\x81\x80\x80\x80\x10", 6, 1 },
		{ "a tag with bit 32 counts modulo 2^32",
		    "\xf0\x80\x80\x80\x10\x01", 6, 1 },
		{ "a location that is cut is refused", "\x70", 1, NPU_EFORMAT },
		{ "a length beyond the end of the tensor is refused",
		    "\x4a\x01", 2, NPU_EFORMAT },
	};
	struct npu_err err;
	uint8_t deep[102];

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		size_t steps = strnlen((const char *)ways[i].way, 8);

		ok(tensor_at(ways[i].way, steps, "\x70\x01", 2, &err) == 1 &&
		    tensor_at(ways[i].way, steps, "\x70\x02", 2, &err) == 0 &&
		    tensor_at(ways[i].way, steps - 1, "\x70\x01", 2, &err) ==
		    0, "%s", ways[i].what);
	}
	for (size_t i = 0; i < sizeof(tensors) / sizeof(*tensors); i++)
		ok(tensor_at(ways[0].way, 2, tensors[i].bytes, tensors[i].n,
		    &err) == tensors[i].rc, "%s", tensors[i].what);
	/* Nests graph, node, attribute, graph and so on: at most 100 messages
	 * are read. */
	for (size_t i = 0; i < sizeof(deep); i++)
		deep[i] = i == 0 ? 7 : i % 3 == 1 ? 1 : i % 3 == 2 ? 5 : 6;
	ok(tensor_at(deep, 100, "", 0, &err) == 0,
	    "100 nested messages are read");
	ok(tensor_at(deep, 101, "", 0, &err) == NPU_EFORMAT &&
	    strcmp(err.msg, "not an ONNX file: messages are nested more "
	    "than 100 deep") == 0, "101 nested messages are refused");
	ok(tensor_at(ways[0].way, 1, "\x2a\x02", 2, &err) == NPU_EFORMAT &&
	    strcmp(err.msg, "not an ONNX file: no field of protobuf begins "
	    "at byte 2 of 6") == 0,
	    "the message names the byte where no field begins: %s", err.msg);
	ok(onnx_external((struct bytes){ NULL, 0 }, &err) == 0,
	    "an empty file has no external tensor");
}

int
main(void)
{
	struct npu_err err;
	struct bytes v;

	ok(ask(whole, sizeof(whole) - 1, "names", &v, &err) == 1 && v.n == 2 &&
	    memcmp(v.p, "cd", 2) == 0,
	    "of several values for one key, the last counts");
	ok(ask(whole, sizeof(whole) - 1, "other", &v, &err) == 1 && v.n == 1 &&
	    *v.p == 'x', "a key among other keys is found");
	ok(ask(whole, sizeof(whole) - 1, "name", &v, &err) == 0,
	    "the beginning of a key is not a match");
	/* Fields 1 and 3, a number and a string, are neither key nor value. */
	ok(ask("\x08\x08\x72\x10" "\x08\x05" "\x1a\x01z" "\x0a\x05names"
	    "\x12\x02" "ab", 20, "names", &v, &err) == 1 && v.n == 2 &&
	    memcmp(v.p, "ab", 2) == 0, "other fields of an entry are ignored");
	ok(ask("\x08\x08\x72\x00\x72\x00", 6, "", &v, &err) == 1 && v.n == 0,
	    "an entry without a key has an empty key and value");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.msg[0] = '\0';
		ok(ask(bad[i].bytes, bad[i].n, "names", &v, &err) ==
		    NPU_EFORMAT && strstr(err.msg, "not an ONNX file") != NULL,
		    "%s is refused: %s", bad[i].what, err.msg);
	}
	/* Every prefix that ends between two fields is valid; all others are
	 * refused. */
	for (size_t n = 0; n < sizeof(whole) - 1; n++) {
		bool ends = n == 2 || n == 7 || n == 20 || n == 32;

		if ((ask(whole, n, "names", &v, &err) >= 0) != ends)
			ok(false, "the file cut after %zu bytes is refused or "
			    "valid as expected", n);
	}
	ok(true, "all prefixes of the file were read");
	locations();
	return done();
}
