// SPDX-License-Identifier: Apache-2.0
/* Tests records of detections: sound ones in every arrangement, and damaged
 * ones. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tap.h"
#include "vision/record.h"

#define BOX(box) "{\"class\":\"a\",\"id\":1,\"confidence\":0.5,\"box\":" box "}"
#define HEAD "\"schema\":\"yolo-detect/1\",\"file\":\"b.jpg\","
#define SIZE "\"width\":8,\"height\":6,"
#define FOUND(list) "{" HEAD SIZE "\"detections\":[" list "]}"
#define GOOD FOUND(BOX("[1,2,3.5,4e0]"))

/* A source that returns the bytes in pieces of at most this size. */
struct pieces {
	struct bytes left;
	size_t most;
};

static int64_t
piece(void *arg, void *p, size_t n, struct npu_err *err)
{
	struct pieces *s = arg;

	(void)err;
	if (n > s->most)
		n = s->most;
	if (n > s->left.n)
		n = s->left.n;
	memcpy(p, s->left.p, n);
	s->left.p += n;
	s->left.n -= n;
	return (int64_t)n;
}

/* Reads all records of text.  Returns their number, or a negative number as
 * records_next() does. */
static int
count(const char *text, size_t n, size_t most, struct npu_err *err)
{
	struct pieces s = { { (const void *)text, n }, most };
	struct records *records;
	struct detection_record r;
	int rc, found = 0;

	records_open(&records, (struct picture_source){ piece, &s }, err);
	while ((rc = records_next(records, &r, err)) > 0)
		found += r.number == (uint64_t)found + 1;
	records_close(records);
	return rc < 0 ? rc : found;
}

static void
sound(void)
{
	struct pieces s = { { (const void *)GOOD, sizeof(GOOD) - 1 }, 7 };
	struct records *records;
	struct detection_record r;
	const struct annotation *a;

	records_open(&records, (struct picture_source){ piece, &s }, NULL);
	ok(records_next(records, &r, NULL) == 1 && r.number == 1 &&
	    strcmp(r.file, "b.jpg") == 0 && r.width == 8 && r.height == 6 &&
	    r.error == NULL && r.n == 1, "a record is read");
	a = r.found;
	ok(strcmp(a->name, "a") == 0 && a->class == 1 &&
	    a->confidence == 0.5 && a->box[0] == 1 && a->box[1] == 2 &&
	    a->box[2] == 3.5 && a->box[3] == 4,
	    "the record's detection is read");
	ok(records_next(records, &r, NULL) == 0, "the end follows the record");
	records_close(records);
	records_close(NULL);
}

/* Reads a record with one member more.  Returns true if the name is marked as
 * invalid UTF-8. */
static bool
not_utf8(const char *member)
{
	struct records *records;
	struct detection_record r = { 0 };
	struct buf b = { 0 };
	struct pieces s;
	bool read;

	buf_printf(&b, "{" HEAD SIZE "%s\"detections\":[]}", member);
	s = (struct pieces){ { (const void *)b.p, b.n }, b.n };
	records_open(&records, (struct picture_source){ piece, &s }, NULL);
	read = records_next(records, &r, NULL) == 1;
	records_close(records);
	buf_free(&b);
	return read && r.not_utf8;
}

static void
names(void)
{
	ok(not_utf8("\"invalid_utf8\":true,"),
	    "invalid_utf8 true marks the name");
	ok(!not_utf8("") && !not_utf8("\"invalid_utf8\":false,"),
	    "without invalid_utf8, or with false, the name is not marked");
}

static const struct {
	const char *what, *text;
	int records;
} streams[] = {
	{ "an empty input", "", 0 },
	{ "a byte order mark", "\xef\xbb\xbf", 0 },
	{ "a byte order mark, and a record", "\xef\xbb\xbf" GOOD, 1 },
	{ "white space", " \n\t\r\n", 0 },
	{ "one record in each line", GOOD "\n" GOOD "\n", 2 },
	{ "records without a space", GOOD GOOD GOOD, 3 },
	{ "an array", "[" GOOD ",\n" GOOD "]", 2 },
	{ "an empty array", "[]", 0 },
	{ "two arrays", "[" GOOD "] [\n]" GOOD, 2 },
	{ "a record without detections", FOUND(""), 1 },
	{ "a record with unknown members", "{\"x\":[{\"y\":\"}\"}]," HEAD SIZE
	    "\"detections\":[{\"z\":null,\"class\":\"\\\"}\\\\\",\"id\":0,"
	    "\"confidence\":1,\"box\":[0,0,0,0]}],\"\":{}}", 1 },
	{ "a record with the largest numbers", FOUND(BOX("[-1e308,0,1e308,"
	    "9223372036854775807]")), 1 },
	{ "a record with a confidence that quantising made more than 1",
	    FOUND("{\"class\":"
	    "\"a\",\"id\":0,\"confidence\":1.0039,\"box\":[0,0,0,0]}"), 1 },
	{ "a record without a file name", "{\"schema\":\"yolo-detect/1\"," SIZE
	    "\"file\":null,\"detections\":[]}", 1 },
	{ "a record with an error instead of a size", "{" HEAD "\"width\":null,"
	    "\"error\":{\"message\":\"damaged\"},\"detections\":[]}", 1 },
	{ "a record for a picture of a stream",
	    "{" HEAD SIZE "\"frame\":4294967295,"
	    "\"detections\":[]}", 1 },
	{ "a record with an error as a text",
	    "{" HEAD "\"error\":\"damaged\"}", 1 },
	{ "a record with names in any language",
	    FOUND("{\"class\":\"\\u00df\xe4\xb8\x80\","
	    "\"id\":4294967295,\"confidence\":0,\"box\":[0,0,0,0]}"), 1 },
};

static void
arrangements(void)
{
	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++) {
		const char *t = streams[i].text;
		struct npu_err err = { 0 };
		bool good = true;

		for (size_t most = 1; most < 100; most++)
			good = good && count(t, strlen(t), most, &err) ==
			    streams[i].records;
		if (!ok(good, "%s: the number of records is %d",
		    streams[i].what, streams[i].records))
			diag("%s", err.msg);
	}
}

#define AT "record 1: detections[0]"

static const struct {
	const char *text, *says;
} damaged[] = {
	{ "x", "'x' at byte 0, where a record of detections should begin" },
	{ "\x1f\x8b", "byte 0x1f at byte 0" },
	{ "\x7f", "byte 0x7f at byte 0" },
	{ "\xef\xbb" GOOD, "byte 0xef at byte 0" },
	{ GOOD "\xef\xbb\xbf" GOOD, "byte 0xef at byte 135" },
	{ "\xef\xbb\xbf,", "',' at byte 3" },
	{ "\xff\xfe[", "UTF-16, but UTF-8 is needed" },
	{ GOOD "," GOOD, "',' at byte 135" },
	{ "[" GOOD GOOD "]", "'{' at byte 136, where a record of detections "
	    "should end or follow" },
	{ "[,", "',' at byte 1" },
	{ "[" GOOD ",]", "']' at byte 137" },
	{ "[[" GOOD "]]", "'[' at byte 1" },
	{ "[" GOOD, "cut short after record 1: the array has no end" },
	{ "{" HEAD, "record 1: cut short after 41 bytes" },
	{ GOOD "{\"a\":\"}", "record 2: cut short" },
	{ "{]", "record 1: byte" },
	{ "{}", "record 1: no \"schema\"" },
	{ "{\"schema\":3}", "record 1: schema: not a string" },
	{ "{\"schema\":\"npu-info/1\"}", "record 1: schema 'npu-info/1', "
	    "where yolo-detect/1 is understood" },
	{ "{\"schema\":\"yolo-detect/1\",\"schema\":\"yolo-detect/1\"}",
	    "duplicate object key" },
	{ "{\"schema\":\"yolo-detect/1\"}", "record 1: width: missing" },
	{ "{" HEAD "\"width\":0,\"height\":6,\"detections\":[]}",
	    "width: 0 is not from 1 to 2147483647" },
	{ "{" HEAD "\"width\":8,\"height\":2147483648,\"detections\":[]}",
	    "height: 2147483648 is not from 1 to 2147483647" },
	{ "{" HEAD "\"width\":8.0,\"height\":6,\"detections\":[]}",
	    "width: not a whole number" },
	{ "{" HEAD "\"width\":-8,\"height\":6,\"detections\":[]}",
	    "width: -8 is not from" },
	{ "{" HEAD "\"width\":99999999999999999999,\"height\":6}",
	    "too big integer" },
	{ "{\"schema\":\"yolo-detect/1\",\"file\":[]}", "file: not a string" },
	{ "{" HEAD "\"frame\":0}", "frame: 0 is not from 1" },
	{ "{" HEAD "\"frame\":null}", "frame: not a whole number" },
	{ "{" HEAD "\"error\":false}", "error: not a string" },
	{ "{" HEAD "\"error\":{}}", "error.message: not a string" },
	{ "{" HEAD "\"error\":{\"message\":[]}}",
	    "error.message: not a string" },
	{ "{" HEAD SIZE "\"x\":1}", "detections: missing" },
	{ "{" HEAD SIZE "\"detections\":{}}", "detections: not an array" },
	{ FOUND("7"), AT ": not an object" },
	{ FOUND("[]"), AT ": not an object" },
	{ FOUND("{}"), AT ".class: missing" },
	{ FOUND("{\"class\":3}"), AT ".class: not a string" },
	{ FOUND("{\"class\":\"a\"}"), AT ".id: missing" },
	{ FOUND("{\"class\":\"a\",\"id\":\"1\"}"),
	    AT ".id: not a whole number" },
	{ FOUND("{\"class\":\"a\",\"id\":-1}"), AT ".id: -1 is not from 0" },
	{ FOUND("{\"class\":\"a\",\"id\":1}"), AT ".confidence: missing" },
	{ FOUND("{\"class\":\"a\",\"id\":1,\"confidence\":null}"),
	    AT ".confidence: not a number" },
	{ FOUND("{\"class\":\"a\",\"id\":1,\"confidence\":-0.5}"),
	    AT ".confidence: -0.5 is less than 0" },
	{ FOUND("{\"class\":\"a\",\"id\":1,\"confidence\":1}"),
	    AT ".box: missing" },
	{ FOUND(BOX("{}")), AT ".box: not an array" },
	{ FOUND(BOX("[1,2,3]")), AT ".box: 3 numbers, not 4" },
	{ FOUND(BOX("[1,2,3,4,5]")), AT ".box: 5 numbers, not 4" },
	{ FOUND(BOX("[1,2,\"3\",4]")), AT ".box[2]: not a number" },
	{ FOUND(BOX("[1,2,3,[4]]")), AT ".box[3]: not a number" },
	{ FOUND(BOX("[null,2,3,4]")), AT ".box[0]: not a number" },
	{ FOUND(BOX("[1,2,3,4]") "," BOX("[1,2,true,4]")),
	    "record 1: detections[1].box[2]: not a number" },
	{ FOUND(BOX("[1,2,NaN,4]")), "record 1: byte" },
	{ FOUND(BOX("[1,2,Infinity,4]")), "record 1: byte" },
	{ FOUND(BOX("[1,2,1e999,4]")), "real number overflow" },
	{ FOUND(BOX("[3,2,1,4]")), AT ".box: right is left of left" },
	{ FOUND(BOX("[1,4,3,2]")), AT ".box: right is left of left" },
	{ FOUND("{\"class\":\"\\u0000\"}"), "a NUL (\\u0000) in a string" },
	{ FOUND("{\"class\":\"\xff\"}"), "record 1: byte" },
	{ "{" HEAD SIZE "\"x\":[[[[[[[[[[[[[[[[[", "record 1: nested more than "
	    "16 deep" },
	{ GOOD "\n{\"schema\":7}", "record 2: schema: not a string" },
};

static void
damages(void)
{
	for (size_t i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		const char *t = damaged[i].text;
		struct npu_err err = { 0 };
		bool refused = true;

		for (size_t most = 1; most < 300; most += 13)
			refused = count(t, strlen(t), most, &err) ==
			    NPU_EFORMAT && strstr(err.msg, damaged[i].says) !=
			    NULL && refused;
		if (!ok(refused, "a record is refused: %s", damaged[i].says))
			diag("%s", err.msg);
	}
}

/* Tests limits that need more text than fits in a table. */
static void
limits(void)
{
	struct npu_err err = { 0 };
	struct buf b = { 0 };

	buf_puts(&b, "{" HEAD SIZE "\"x\":[");
	while (b.n < 2 * RECORD_MAX_VALUES + 100)
		buf_puts(&b, "0,");
	ok(count(b.p, b.n, 60000, &err) == NPU_EFORMAT &&
	    strcmp(err.msg, "record 1: more than 524288 values") == 0,
	    "a record with too many values is refused");
	buf_clear(&b);
	buf_puts(&b, "{" HEAD SIZE "\"x\":\"");
	while (b.n < RECORD_MAX_BYTES)
		buf_puts(&b, "........................................");
	ok(count(b.p, b.n, 60000, &err) == NPU_EFORMAT &&
	    strcmp(err.msg, "record 1: longer than 16777216 bytes") == 0,
	    "a record that is too long is refused");
	buf_clear(&b);
	buf_puts(&b, "{" HEAD SIZE "\"detections\":[" BOX("[1,2,3,4]"));
	for (int i = 1; i < 30000; i++)
		buf_puts(&b, "," BOX("[1,2,3,4]"));
	buf_puts(&b, "]}");
	if (!ok(count(b.p, b.n, 60000, &err) == 1,
	    "a record with the maximum detections of yolo-detect is read"))
		diag("%s", err.msg);
	buf_free(&b);
}

int
main(void)
{
	sound();
	names();
	arrangements();
	damages();
	limits();
	return done();
}
