// SPDX-License-Identifier: Apache-2.0
/* Tests the writer of protobuf messages.  The expected bytes follow from the
 * description of the encoding, protobuf.dev/programming-guides/encoding. */
#include <stdlib.h>
#include <string.h>

#include "model/protobuf.h"
#include "model/protobuf_write.h"
#include "tap.h"

static void
is(struct buf *b, const char *bytes, size_t n, const char *name)
{
	ok(!b->failed && b->n == n && memcmp(b->p, bytes, n) == 0, "%s", name);
	buf_free(b);
}
#define IS(b, bytes, name) is(b, bytes, sizeof(bytes) - 1, name)

static void
test_fields(void)
{
	static const int64_t dims[] = { 3, 270, 86942 };
	struct buf b = { 0 }, m = { 0 };

	pb_put_int(&b, 1, 150);
	IS(&b, "\x08\x96\x01", "a number");
	pb_put_int(&b, 16, -1);
	IS(&b, "\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	    "-1 has ten bytes, and field 16 two");
	pb_put_string(&b, 2, "testing");
	IS(&b, "\x12\x07testing", "a text");
	pb_put_bytes(&b, 2, (struct bytes){ NULL, 0 });
	IS(&b, "\x12\x00", "no bytes");
	pb_put_float(&b, 2, 1);
	IS(&b, "\x15\x00\x00\x80\x3f", "a float");
	pb_put_packed(&b, 6, dims, 3);
	IS(&b, "\x32\x06\x03\x8e\x02\x9e\xa7\x05", "packed numbers");
	pb_put_int(&m, 1, 150);
	pb_put_message(&b, 3, &m);
	IS(&b, "\x1a\x03\x08\x96\x01", "a message in a message");
	ok(m.p == NULL && m.n == 0, "the nested message's buffer is freed");
	m.failed = true;
	pb_put_message(&b, 3, &m);
	ok(b.failed, "a nested message that failed makes the outer one fail");
	buf_free(&b);
}

/* What is written is read again. */
static void
test_numbers(void)
{
	uint64_t at, v;

	for (unsigned bit = 0; bit < 64; bit++) {
		struct buf b = { 0 };
		uint64_t low = ((uint64_t)1 << bit) - 1;

		pb_put_number(&b, low);
		at = 0;
		if (!pb_varint((struct bytes){ (uint8_t *)b.p, b.n }, &at,
		    &v) || v != low || at != b.n ||
		    pb_encoded_size(low) != b.n)
			ok(false, "%u bits are read again", bit);
		buf_free(&b);
	}
	ok(pb_encoded_size(0) == 1 && pb_encoded_size(UINT64_MAX) == 10,
	    "0 has one byte, and 2^64 - 1 ten");
}

int
main(void)
{
	test_fields();
	test_numbers();
	return done();
}
