// SPDX-License-Identifier: Apache-2.0
/* Base64: the test vectors of RFC 4648, section 10, all byte values, and texts
 * that are refused. */
#include <string.h>

#include "base/base64.h"
#include "tap.h"

static const struct {
	const char *plain, *coded;
} vectors[] = {
	{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" },
	{ "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" },
	{ "foobar", "Zm9vYmFy" },
};

static struct bytes
text(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

static bool
decodes(const char *coded, const char *plain, size_t n)
{
	struct buf b = { 0 };
	bool same = base64_decode(text(coded), &b, NULL) == 0 && b.n == n &&
	    (n == 0 || memcmp(b.p, plain, n) == 0);

	buf_free(&b);
	return same;
}

static void
rfc(void)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++) {
		buf_clear(&b);
		base64_encode(text(vectors[i].plain), &b);
		ok(b.n == strlen(vectors[i].coded) && (b.n == 0 ||
		    memcmp(b.p, vectors[i].coded, b.n) == 0),
		    "'%s' is encoded as '%s'", vectors[i].plain,
		    vectors[i].coded);
		ok(decodes(vectors[i].coded, vectors[i].plain,
		    strlen(vectors[i].plain)),
		    "the code is decoded to the same text");
	}
	buf_free(&b);
}

static void
all_bytes(void)
{
	struct buf coded = { 0 }, plain = { 0 };
	uint8_t all[256];

	for (int i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	base64_encode((struct bytes){ all, sizeof(all) }, &coded);
	ok(coded.n == 344, "256 bytes are encoded as 344 characters");
	ok(base64_decode((struct bytes){ (uint8_t *)coded.p, coded.n }, &plain,
	    NULL) == 0 && plain.n == 256 && memcmp(plain.p, all, 256) == 0,
	    "all 256 byte values are decoded again");
	buf_free(&coded);
	buf_free(&plain);
}

static void
forms(void)
{
	ok(decodes("Zm9v\r\nYmFy\n", "foobar", 6), "line ends in the code are "
	    "skipped, as in MIME");
	ok(decodes("Zg", "f", 1) && decodes("Zm8", "fo", 2),
	    "a code without its padding is decoded");
}

static void
refusals(void)
{
	static const char *const bad[] = { "Z", "Zm9vY", "Zg=a", "=", "Z===",
	    "Zg==Zg==", "Zg===", "Zm9v=", "Zm9 v", "Zm9-", "\x80", "Zm9v\t" };
	struct npu_err err;
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(base64_decode(text(bad[i]), &b, &err) == NPU_EFORMAT,
		    "'%s' is refused as base64", bad[i]);
	base64_decode(text("Zm9-"), &b, &err);
	ok(strcmp(err.msg, "not base64: byte 4 of 4 is 0x2d") == 0,
	    "the error message gives the position: %s", err.msg);
	buf_free(&b);
}

int
main(void)
{
	rfc();
	all_bytes();
	forms();
	refusals();
	return done();
}
