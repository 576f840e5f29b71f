// SPDX-License-Identifier: Apache-2.0
/* Tests lists of COCO's image ids: their contents, and the refusal of damaged
 * lists. */
#include <string.h>

#include "tap.h"
#include "vision/imageids.h"

static struct bytes
bytes(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

static const struct {
	const char *what, *text, *file;
	uint64_t id;		/* 0: the list has no id for the file */
} good[] = {
	{ "a line has an id and a name", "139 a.jpg\n", "a.jpg", 139 },
	{ "the last line may have no newline", "7 a.jpg", "a.jpg", 7 },
	{ "a name may have blanks", "7 x y .jpg \n", "x y .jpg ", 7 },
	{ "a tab and several blanks may separate id and name",
	    "7 \t  a\n", "a", 7 },
	{ "CR LF line ends and empty lines are accepted",
	    "\xef\xbb\xbf" "1 a\r\n\r\n2 b\r\n", "b", 2 },
	{ "a byte order mark before the first line is skipped",
	    "\xef\xbb\xbf" "1 a\r\n2 b\r\n", "a", 1 },
	{ "a carriage return may be within a name", "3 a\rb\n", "a\rb", 3 },
	{ "a name is not cut at a carriage return", "3 a\rb\n", "a", 0 },
	{ "lines need not be sorted", "3 c\n1 a\n2 b\n", "a", 1 },
	{ "the whole name is looked up first", "1 b\n2 a/b\n", "a/b", 2 },
	{ "a name without its folders is looked up next",
	    "1 b\n2 a/b\n", "c/b", 1 },
	{ "the list's names are compared with their folders",
	    "2 a/b\n", "b", 0 },
	{ "an empty list has no ids", "", "a", 0 },
	{ "a list of empty lines has no ids", "\n\n", "a", 0 },
	{ "the largest id is read", "9223372036854775807 a\n", "a", INT64_MAX },
	{ "an id may have leading zeros", "000000000139 a\n", "a", 139 },
	{ "a name may consist of digits", "1 2\n", "2", 1 },
	{ "a name need not be UTF-8", "1 \xff\n", "\xff", 1 },
};

static const struct {
	const char *what, *text, *says;
} bad[] = {
	{ "a line without an id",
	    "a.jpg\n", "line 1 is not a number and a file name" },
	{ "a line without a name", "1 a\n2\n", "line 2 is not" },
	{ "a line with blanks instead of a name", "1 \t \n", "line 1 is not" },
	{ "a line with a carriage return instead of a name",
	    "1 \r\n", "line 1 is not" },
	{ "nothing between id and name", "1a\n", "line 1 is not" },
	{ "a comma between id and name", "1,a\n", "line 1 is not" },
	{ "a negative id", "1 a\n\n-1 b\n", "line 3 is not" },
	{ "an id with a plus sign", "+1 a\n", "line 1 is not" },
	{ "a blank before the id", " 1 a\n", "line 1 is not" },
	{ "an id with a fraction", "1.5 a\n", "line 1 is not" },
	{ "a hexadecimal id", "0x10 a\n", "line 1 is not" },
	{ "an id of more than 63 bits",
	    "9223372036854775808 a\n", "line 1 is" },
	{ "an id of more than 64 bits",
	    "99999999999999999999 a\n", "line 1 is" },
	{ "a name that occurs twice", "1 a\n2 b\n3 a\n", "'a' is there twice" },
	{ "a line that occurs twice", "1 a\n1 a\n", "'a' is there twice" },
	{ "a JSON document", "[{\"id\": 1}]\n", "line 1 is not" },
};

static void
tables(void)
{
	struct imageids ids;
	struct npu_err err;
	uint64_t id;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		int rc = imageids_read(&ids, bytes(good[i].text), &err);

		id = 0;
		ok(rc == 0 && imageids_find(&ids, good[i].file, &id) ==
		    (good[i].id != 0) && id == good[i].id, "%s",
		    good[i].what);
		imageids_free(&ids);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.msg[0] = '\0';
		if (!ok(imageids_read(&ids, bytes(bad[i].text), &err) < 0 &&
		    strstr(err.msg, bad[i].says) != NULL &&
		    ids.entry == NULL, "a list is refused: %s", bad[i].what))
			diag("%s", err.msg);
	}
	ok(imageids_read(&ids, (struct bytes){ (const uint8_t *)"1 a\n2 \0b",
	    8 }, &err) < 0 && strstr(err.msg, "NUL byte at 6") != NULL,
	    "a list with a NUL byte is refused: %s", err.msg);
}

static const struct {
	const char *file;
	uint64_t id;
	bool has;
} names[] = {
	{ "COCO_val2014_000000391895.jpg", 391895, true },
	{ "12/frame7b.png", 7, true },
	{ "0.jpg", 0, true },
	{ "a.mp4", 0, false },
	{ "5/a.jpg", 0, false },
	{ ".7", 7, true },
	{ "", 0, false },
	{ "a9223372036854775807", INT64_MAX, true },
	{ "a9223372036854775808", 0, false },
	{ "a99999999999999999999999", 0, false },
};

int
main(void)
{
	tables();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		uint64_t id = 0;
		bool has = imageids_in_name(names[i].file, &id);

		ok(has == names[i].has && (!has || id == names[i].id),
		    "the number at the end of '%s' is found or missing",
		    names[i].file);
	}
	return done();
}
