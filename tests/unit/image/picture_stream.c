// SPDX-License-Identifier: Apache-2.0
/* Streams of pictures, complete and truncated at each byte.  The result does
 * not depend on how the bytes arrive, and a failed read is reported. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "image/picture_stream.h"
#include "tap.h"

/* A source that returns 'piece' bytes at a time.  If 'fails' is set, it fails
 * at the end. */
struct pieces {
	const char *p;
	size_t n, piece;
	bool fails;
};

static int64_t
give(void *arg, void *to, size_t n, struct npu_err *err)
{
	struct pieces *from = arg;

	if (from->n == 0 && from->fails)
		return npu_fail(err, NPU_ESYSTEM, "Input/output error");
	if (n > from->piece)
		n = from->piece;
	if (n > from->n)
		n = from->n;
	memcpy(to, from->p, n);
	from->p += n;
	from->n -= n;
	return (int64_t)n;
}

enum { LIMIT = 60 };

/*
 * Writes to out: SIZE@SKIPPED for each picture, large for a picture above the
 * limit, none@SKIPPED for other data, and at the end the word end, or the error
 * message.
 */
static void
run(enum picture_stream_kind kind, struct pieces from, struct buf *out)
{
	struct picture_source source = { give, &from };
	struct npu_err err = { .msg = "" };
	struct bytes picture;
	struct picture_stream *stream;
	int rc;

	buf_clear(out);
	if (picture_stream_open(&stream, kind, source, LIMIT, NULL) < 0)
		abort();
	while ((rc = picture_stream_next(stream, &picture, &err)) > 0 ||
	    rc == NPU_EFORMAT) {
		if (rc > 0)
			buf_printf(out, "%zu@%u ", picture.n,
			    (unsigned)picture_stream_skipped(stream));
		else if (strncmp(err.msg, "no PPM", 6) == 0)
			buf_printf(out, "none@%u ",
			    (unsigned)picture_stream_skipped(stream));
		else
			buf_printf(out, "large ");
	}
	buf_printf(out, "%s", rc == 0 ? "end" : err.msg);
	picture_stream_close(stream);
}

#define SOI "\xff\xd8"
#define EOI "\xff\xd9"

/* Streams written by hand, as in netpbm's pages and ITU T.81, annex B. */
static const struct {
	const char *what, *bytes;
	size_t n;
	enum picture_stream_kind kind;
	const char *comes;
} streams[] = {
#define PPM(what, s, comes) \
	{ what, s, sizeof(s) - 1, PICTURE_STREAM_PPM, comes }
#define JPEG(what, s, comes) \
	{ what, s, sizeof(s) - 1, PICTURE_STREAM_MJPEG, comes }
	PPM("an empty stream", "", "end"),
	PPM("a grey PPM", "P5 2 2 255\nabcd", "15@0 end"),
	PPM("a PPM in colour", "P6 1 1 255\nabc", "14@0 end"),
	PPM("a PPM of bits", "P4 9 2\nabcd", "11@0 end"),
	PPM("a PPM of 16 bits", "P5 1 2 65535\nabcd", "17@0 end"),
	PPM("a header with comments",
	    "P5 # a\n2#b\r1 # c\n255\nab", "23@0 end"),
	PPM("two pictures", "P5 1 1 9\naP5 1 1 9\nb", "10@0 10@0 end"),
	PPM("other bytes before, between and behind pictures",
	    "xxP5 1 1 9\na\nyP5 1 1 9\nb z", "none@2 10@0 none@2 10@0 "
	    "none@2 end"),
	PPM("white space before, between and behind pictures",
	    " P5 1 1 9\na\r\nP5 1 1 9\nb\n", "10@1 10@2 end"),
	PPM("bytes that only begin like a picture", "P7 P P0 P5xP5 1 1 9\na",
	    "none@11 10@0 end"),
	PPM("plain pictures of bits, grey and colours", "P1 2 2\n1 0 01 "
	    "P2 1 2 99\n1 2\nP3 1 1 9\n1\n2\r\n3\n", "13@0 14@1 16@0 end"),
	PPM("a plain picture between raw pictures",
	    "P5 1 1 9\naP3 1 1 9 1 2 3 P5 1 1 9\nb",
	    "10@0 15@0 10@0 end"),
	PPM("plain pictures with nothing between them",
	    "P3 1 1 9 1 2 3P2 1 1 9 4P1 1 1 1"
	    "P5 1 1 9\na", "14@0 10@0 8@0 10@0 end"),
	PPM("plain pictures with comments that look like a picture",
	    "P2 #P5 \n1 1 9 #P5 1 1\n4#P5 \n5 P1 1 1 #P5 \n1",
	    "30@0 13@0 end"),
	PPM("plain pictures with too few values", "P3 1 1 9 1 2\nP1 2 1 1\n"
	    "P5 1 1 9\na", "13@0 9@0 10@0 end"),
	PPM("plain pictures with too many values", "P2 1 1 9 1 2\nP1 1 1 11 "
	    "P5 1 1 9\na", "11@0 none@2 8@0 none@2 10@0 end"),
	PPM("plain pictures with other bytes",
	    "P3 1 1 9 1 x 3 P1 1 1 2 P5 1 1 9\na",
	    "15@0 9@0 10@0 end"),
	PPM("plain pictures without values", "P2 0 9 9\nP1 9 0\nP5 1 1 9\na",
	    "9@0 7@0 10@0 end"),
	PPM("a plain picture of 16 bits", "P2 1 1 65535\n65535\nP5 1 1 9\na",
	    "19@0 10@0 end"),
	PPM("a plain picture above the limit", "P2 61 1 9\n1 2\nP5 1 1 9\na",
	    "large 10@12 end"),
	PPM("a plain picture whose values exceed the limit", "P2 29 1 9\n"
	    "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
	    "P5 1 1 9\na", "large 10@66 end"),
	PPM("a header that another picture interrupts", "P5 1 1P5 1 1 9\na",
	    "6@0 10@0 end"),
	PPM("a picture above the limit, and another",
	    "P5 9999 9 255\nP5 1 1 9\na", "large 10@12 end"),
	PPM("more columns than a picture can have", "P5 4294967296 1 9\n"
	    "P5 1 1 9\na", "large 10@16 end"),
	PPM("more rows than a picture can have",
	    "P5 1 4294967296 9\nP5 1 1 9\na",
	    "large 10@16 end"),
	PPM("a picture without columns",
	    "P5 0 9 9\nP5 1 1 9\na", "9@0 10@0 end"),
	PPM("a byte below the digits in a size", "P5 1 ! 9\nP5 1 1 9\na",
	    "9@0 10@0 end"),
	PPM("more digits than a size can have", "P5 12345678901 1 9\n"
	    "P5 1 1 9\na", "19@0 10@0 end"),
	PPM("a header without an end", "P5 1 1" "          " "          "
	    "          " "          " "          " "          ", "large end"),
	JPEG("an empty stream", "", "end"),
	JPEG("the smallest JPEG", SOI EOI, "4@0 end"),
	JPEG("two JPEGs", SOI EOI SOI EOI, "4@0 4@0 end"),
	JPEG("other bytes before and between JPEGs",
	    "a\xff" SOI EOI "b" SOI EOI,
	    "4@2 4@1 end"),
	JPEG("a segment that contains the marker of the end",
	    SOI "\xff\xe0\0\4" EOI EOI, "10@0 end"),
	JPEG("fill bytes and a marker without a segment",
	    SOI "\xff\xff\xff\x01" EOI, "8@0 end"),
	JPEG("an impossible length, and another JPEG", SOI "\xff\xe0\0\1" SOI
	    EOI, "6@0 4@0 end"),
	JPEG("a JPEG that begins within another", SOI "\xff\xe0\0\2" SOI EOI,
	    "6@0 4@0 end"),
	JPEG("a start without a JPEG, after a wrong length", SOI
	    "\xff\xe0\0\1" "\xff\xd8x" SOI EOI, "9@0 4@0 end"),
	JPEG("a JPEG above the limit, and another", SOI "\xff\xda\0\2"
	    "1234567890123456789012345678901234567890123456789012345678"
	    EOI SOI EOI, "large 4@6 end"),
	JPEG("a segment above the limit, and another JPEG",
	    SOI "\xff\xe0\xff\xff"
	    "123456789012345678901234567890123456789012345678901234" SOI EOI,
	    "large 4@0 end"),
	JPEG("coded data with a zero, a restart marker and fill bytes", SOI
	    "\xff\xda\0\2" "ab\xff\0" "c\xff\xd0" "d\xff" EOI,
	    "17@0 end"),
};

static void
each(size_t i)
{
	struct pieces all = { streams[i].bytes, streams[i].n, 1000, false };
	struct pieces single = { streams[i].bytes, streams[i].n, 1, false };
	struct buf whole = { 0 }, other = { 0 };
	size_t same = 0, failed = 0;

	run(streams[i].kind, all, &whole);
	if (!ok(whole.n == strlen(streams[i].comes) && memcmp(whole.p,
	    streams[i].comes, whole.n) == 0, "%s: %s", streams[i].what,
	    streams[i].comes))
		diag("%.*s", (int)whole.n, whole.p);
	for (size_t n = 0; n <= streams[i].n; n++) {
		all.n = single.n = n;
		all.fails = single.fails = false;
		run(streams[i].kind, all, &whole);
		run(streams[i].kind, single, &other);
		same += whole.n == other.n &&
		    memcmp(whole.p, other.p, whole.n) == 0;
		all.fails = true;
		run(streams[i].kind, all, &whole);
		failed += whole.n >= 18 && memcmp(whole.p + whole.n - 18,
		    "Input/output error", 18) == 0;
	}
	ok(same == streams[i].n + 1,
	    "a stream cut at any byte gives the same result byte by byte");
	ok(failed == streams[i].n + 1,
	    "a read error at any byte of the stream is reported");
	buf_free(&whole);
	buf_free(&other);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++)
		each(i);
	return done();
}
