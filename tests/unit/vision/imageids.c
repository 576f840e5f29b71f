// SPDX-License-Identifier: Apache-2.0
/* Lists of COCO's image ids: their contents, and every damage by its name. */
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
	uint64_t id;		/* 0: it has none */
} good[] = {
	{ "a line", "139 a.jpg\n", "a.jpg", 139 },
	{ "no newline at the end", "7 a.jpg", "a.jpg", 7 },
	{ "a name with blanks", "7 x y .jpg \n", "x y .jpg ", 7 },
	{ "a tab, several blanks", "7 \t  a\n", "a", 7 },
	{ "lines of Windows", "\xef\xbb\xbf" "1 a\r\n\r\n2 b\r\n", "b", 2 },
	{ "their first", "\xef\xbb\xbf" "1 a\r\n2 b\r\n", "a", 1 },
	{ "a return within a name", "3 a\rb\n", "a\rb", 3 },
	{ "not cut there", "3 a\rb\n", "a", 0 },
	{ "not sorted", "3 c\n1 a\n2 b\n", "a", 1 },
	{ "the whole name first", "1 b\n2 a/b\n", "a/b", 2 },
	{ "then without folders", "1 b\n2 a/b\n", "c/b", 1 },
	{ "folders of the list count", "2 a/b\n", "b", 0 },
	{ "nothing in the list", "", "a", 0 },
	{ "empty lines", "\n\n", "a", 0 },
	{ "the largest id", "9223372036854775807 a\n", "a", INT64_MAX },
	{ "zeros before it", "000000000139 a\n", "a", 139 },
	{ "a name of digits", "1 2\n", "2", 1 },
	{ "a name that is not UTF-8", "1 \xff\n", "\xff", 1 },
};

static const struct {
	const char *what, *text, *says;
} bad[] = {
	{ "no id", "a.jpg\n", "line 1 is not a number and a file name" },
	{ "no name", "1 a\n2\n", "line 2 is not" },
	{ "blanks for a name", "1 \t \n", "line 1 is not" },
	{ "a return for a name", "1 \r\n", "line 1 is not" },
	{ "nothing between", "1a\n", "line 1 is not" },
	{ "a comma between", "1,a\n", "line 1 is not" },
	{ "a negative id", "1 a\n\n-1 b\n", "line 3 is not" },
	{ "a sign", "+1 a\n", "line 1 is not" },
	{ "a blank before the id", " 1 a\n", "line 1 is not" },
	{ "a fraction", "1.5 a\n", "line 1 is not" },
	{ "a hexadecimal id", "0x10 a\n", "line 1 is not" },
	{ "an id beyond 63 bits", "9223372036854775808 a\n", "line 1 is" },
	{ "an id beyond 64 bits", "99999999999999999999 a\n", "line 1 is" },
	{ "a name twice", "1 a\n2 b\n3 a\n", "'a' is there twice" },
	{ "the same line twice", "1 a\n1 a\n", "'a' is there twice" },
	{ "JSON", "[{\"id\": 1}]\n", "line 1 is not" },
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
		    ids.entry == NULL, "refused: %s", bad[i].what))
			diag("%s", err.msg);
	}
	ok(imageids_read(&ids, (struct bytes){ (const uint8_t *)"1 a\n2 \0b",
	    8 }, &err) < 0 && strstr(err.msg, "NUL byte at 6") != NULL,
	    "refused: a NUL byte: %s", err.msg);
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
		    "the number in '%s'", names[i].file);
	}
	return done();
}
