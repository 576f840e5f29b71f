// SPDX-License-Identifier: Apache-2.0
/* Metadata of ONNX files, put together by hand from protobuf's encoding. */
#include <stdlib.h>
#include <string.h>

#include "model/onnx.h"
#include "tap.h"

/* ir_version 8; a graph (field 7) of 3 bytes; metadata (field 14): names "ab",
 * then other "x", then names "cd".  114 is 14 << 3 | 2. */
#define HEAD "\x08\x08" "\x3a\x03zzz"
#define NAMES(v) "\x72\x0b" "\x0a\x05names" "\x12\x02" v
static const char whole[] = HEAD NAMES("ab")
    "\x72\x0a" "\x0a\x05other" "\x12\x01x" NAMES("cd");

static int
ask(const char *p, size_t n, const char *key, struct bytes *value,
    struct npu_err *err)
{
	/* Of its own, so that a read beyond it is seen. */
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
	{ "no bytes", "", 0 },
	{ "a field that is cut", "\x08", 1 },
	{ "a tag that is cut", "\x80", 1 },
	{ "a number of field 0", "\x00\x01", 2 },
	{ "a number of more than 64 bits",
	    "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12 },
	{ "a length beyond the end", "\x3a\x04zzz", 5 },
	{ "a length of 2^64 - 1",
	    "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01zzz", 14 },
	{ "a group, which ONNX has not", "\x0b\x0c", 2 },
	{ "wire type 6", "\x0e\x01", 2 },
	{ "field 0", "\x02\x01z", 3 },
	{ "4 bytes that are cut", "\x0d\x01\x02", 3 },
	{ "8 bytes that are cut", "\x09\x01\x02\x03\x04\x05\x06\x07", 8 },
	{ "a key that is cut", "\x72\x03\x0a\x05n", 5 },
	{ "git-LFS", "version https://git-lfs.github.com/spec/v1\n", 43 },
};

int
main(void)
{
	struct npu_err err;
	struct bytes v;

	ok(ask(whole, sizeof(whole) - 1, "names", &v, &err) == 1 && v.n == 2 &&
	    memcmp(v.p, "cd", 2) == 0, "the last of several counts");
	ok(ask(whole, sizeof(whole) - 1, "other", &v, &err) == 1 && v.n == 1 &&
	    *v.p == 'x', "a key among others");
	ok(ask(whole, sizeof(whole) - 1, "name", &v, &err) == 0,
	    "the beginning of a key is none");
	/* Fields 1 and 3, a number and a string, are neither key nor value. */
	ok(ask("\x08\x08\x72\x10" "\x08\x05" "\x1a\x01z" "\x0a\x05names"
	    "\x12\x02" "ab", 20, "names", &v, &err) == 1 && v.n == 2 &&
	    memcmp(v.p, "ab", 2) == 0, "an entry with more in it");
	ok(ask("\x08\x08\x72\x00\x72\x00", 6, "", &v, &err) == 1 && v.n == 0,
	    "entries without a key");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.msg[0] = '\0';
		ok(ask(bad[i].bytes, bad[i].n, "names", &v, &err) ==
		    NPU_EFORMAT && strstr(err.msg, "no ONNX file") != NULL,
		    "%s: %s", bad[i].what, err.msg);
	}
	/* Every beginning that ends between fields is whole, others are not. */
	for (size_t n = 0; n < sizeof(whole) - 1; n++) {
		bool ends = n == 2 || n == 7 || n == 20 || n == 32;

		if ((ask(whole, n, "names", &v, &err) >= 0) != ends)
			ok(false, "cut after %zu bytes", n);
	}
	ok(true, "each cut file");
	return done();
}
