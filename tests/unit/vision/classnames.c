// SPDX-License-Identifier: Apache-2.0
/* Tests that names of classes are read from texts, and that invalid names are
 * refused. */
#include <string.h>

#include "tap.h"
#include "vision/classnames.h"
#include "vision/yolo.h"

static struct bytes
bytes(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

/* Returns the names, joined by '|'. */
static const char *
joined(const struct classnames *n)
{
	static char all[1000];

	all[0] = '\0';
	for (size_t i = 0; i < n->n; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s",
		    i > 0 ? "|" : "", n->name[i]);
	return all;
}

static const struct {
	bool literal;
	const char *text, *names;
} good[] = {
	{ true, "{0: 'person', 1: 'bicycle'}", "person|bicycle" },
	{ true, " { 1:'b' ,0 : \"it's\", } \n", "it's|b" },
	{ true, "['a', 'b c']", "a|b c" },
	{ true, "('a',)", "a" },
	{ true, "{\"0\": \"a\", \"1\": \"b\"}", "a|b" },
	{ true, "{0: 'it\\'s', 1: '\\\\', 2: '\\xe9\\u20ac\\U0001f600'}",
	    "it's|\\|\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ true, "{0: 'caf\xc3\xa9'}", "caf\xc3\xa9" },
	{ false, "person\ntraffic light\n", "person|traffic light" },
	{ false, "\xef\xbb\xbfperson\r\n dog \r\n\r\n\n", "person|dog" },
	{ false, "one", "one" },
	{ false, "# data\npath: ../coco\nnames:\n  0: person # first\n"
	    "  1: 'traffic light'\n\n  2: \"dog\"\ndownload: no\n",
	    "person|traffic light|dog" },
	{ false, "nc: 2\nnames: ['it''s', b c, \"d\\x65\"]\n", "it's|b c|de" },
	{ false, "names: [a,\n  b, # two\n  c]\nval: x\n", "a|b|c" },
	{ false, "names: {0: a, 1: b}\n", "a|b" },
	{ false, "names:\n- a\n- b\nother: 1\n", "a|b" },
	{ false, "names:\n  - a\n  - b\n", "a|b" },
	{ false, "names:\n- 'a'", "a" },
	{ false, "names:\n- a\n# the end", "a" },
	{ false, "names: [a#b, 'c\\d']", "a#b|c\\d" },
	{ false, "names: [car (left), a) b]\n", "car (left)|a) b" },
	{ false, "names: {0: (a), 1: b}\n", "(a)|b" },
	{ true, "[\t'a',\r'b\\\"c']", "a|b\"c" },
};

static const struct {
	bool literal;
	const char *text, *says;
} bad[] = {
	{ true, "", "no list of names in brackets" },
	{ true, "{}", "it has no names" },
	{ true, "{0: 'a'", "neither a comma nor '}' after name 1" },
	{ true, "{0: 'a", "ends within the names" },
	{ true, "{0: ", "ends within the names" },
	{ true, "{0: a}", "a name is not in quotes" },
	{ true, "{0 'a'}", "colon" },
	{ true, "{'0: 'a'}", "colon" },
	{ true, "{-1: 'a'}", "colon" },
	{ true, "{1: 'a'}", "1 name in all, but one names class 1" },
	{ true, "{0: 'a', 0: 'b'}", "class 0 has two names" },
	{ true, "{9999999999: 'a'}", "colon" },
	{ true, "{0: 'a'} x", "more text after the names" },
	{ true, "{0: ''}", "a name is empty" },
	{ true, "{0: 'a\\n'}", "not an escape that names have" },
	{ true, "{0: '\\ud800'}", "not an escape" },
	{ true, "{0: '\\x1b[31m'}", "control characters" },
	{ true, "['a' 'b']", "neither a comma nor ']' after name 1" },
	{ true, "['\\x", "'\\x' is not an escape" },
	{ true, "['\\xg0']", "'\\x' is not an escape" },
	{ true, "['\\U00110000']", "'\\U' is not an escape" },
	{ true, "['\\\n']", "'\\?' is not an escape" },
	{ true, "['\\\x7f']", "'\\?' is not an escape" },
	{ true, "['\\", "ends within the names" },
	{ true, "{0: 'a', 1", "after 1 names" },
	{ false, "", "it has no names" },
	{ false, "\n\n", "it has no names" },
	{ false, "a\n\nb\n", "line 2: a name is empty" },
	{ false, "a\nb\tc\n", "line 2: a name is not UTF-8, or has control" },
	{ false, "a\n\xff\n", "line 2: a name is not UTF-8, or has control" },
	{ false, "a\nb\x7f\n", "line 2: a name is not UTF-8, or has control" },
	{ false, "names:\n", "it has no names" },
	{ false, "names: 5\n", "colon" },
	{ false, "names: [a, b\n", "neither a comma" },
	{ false, "names:\n  0: a\n  nothing\n", "colon" },
	{ false, "names:\n  0: 'a", "ends within the names" },
	{ false, "names:\n  0: a\tb\n", "control characters" },
	{ false, "names:\n-", "it has no names" },
	{ false, "names:\n-a\n", "it has no names" },
	{ false, "names: [,]", "a name is empty" },
	{ false, "names:\n  0: car\n  1:\nnc: 2\n", "a name is empty" },
	{ false, "names:\n  0:\n  1: car\n", "a name is empty" },
	{ false, "names:\n- car\n- # to do\n- dog\n", "a name is empty" },
	{ false, "names:\n  0: car\n  1:", "a name is empty" },
};

static int
read_one(struct classnames *n, bool literal, const char *text,
    struct npu_err *err)
{
	return literal ? classnames_literal(n, bytes(text), err) :
	    classnames_read(n, bytes(text), err);
}

static void
tables(void)
{
	struct npu_err err;
	struct classnames n;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		bool read = read_one(&n, good[i].literal, good[i].text,
		    &err) == 0;

		if (!ok(read && strcmp(joined(&n), good[i].names) == 0,
		    "the names of valid text %zu are read", i))
			diag("%s", read ? joined(&n) : err.msg);
		if (read)
			classnames_free(&n);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.msg[0] = '\0';
		if (!ok(read_one(&n, bad[i].literal, bad[i].text, &err) < 0 &&
		    strstr(err.msg, bad[i].says) != NULL,
		    "invalid text %zu is refused: %s", i,
		    bad[i].says))
			diag("%s", err.msg);
	}
}

/* Tests that a NUL in a name is refused, and does not end the name. */
static void
zeros(void)
{
	static const struct {
		bool literal;
		const char *text;
		size_t n;
	} text[] = {
		{ true, "['a\0b']", 7 }, { true, "['\\x\0']", 7 },
		{ false, "names: [a\0b]", 12 }, { false, "a\n\0b", 4 },
		{ false, "a\n \n\0", 5 }, { false, "names:\n  0: a\0b\n", 15 },
	};
	struct classnames n;

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		struct bytes b = { (const uint8_t *)text[i].text, text[i].n };

		ok((text[i].literal ? classnames_literal(&n, b, NULL) :
		    classnames_read(&n, b, NULL)) == NPU_EFORMAT,
		    "text %zu with a NUL is refused", i);
	}
}

/* Tests that 255 bytes are accepted as a name, and 256 are refused. */
static void
longest(void)
{
	char text[300];
	struct npu_err err;
	struct classnames n;

	memset(text, 'a', sizeof(text));
	text[CLASSNAMES_LONGEST] = '\0';
	ok(classnames_read(&n, bytes(text), &err) == 0 &&
	    strlen(n.name[0]) == CLASSNAMES_LONGEST,
	    "a name of the maximum length is read");
	classnames_free(&n);
	text[CLASSNAMES_LONGEST] = 'a';
	text[CLASSNAMES_LONGEST + 1] = '\0';
	ok(classnames_read(&n, bytes(text), &err) < 0 &&
	    strstr(err.msg, "256 bytes is longer than 255") != NULL,
	    "a name that is one byte longer is refused: %s", err.msg);
	memcpy(text, "['", 2);
	memset(text + 2, 'a', sizeof(text) - 2);
	memcpy(text + sizeof(text) - 3, "']", 3);
	ok(classnames_literal(&n, bytes(text), &err) < 0 &&
	    strstr(err.msg, "is longer than 255") != NULL,
	    "a quoted name that is too long is refused: %s", err.msg);
}

/* Tests as many names as a detector may have classes, and one more. */
static void
most(void)
{
	static char text[2 * (YOLO_MAX_CLASSES + 1)];
	struct npu_err err;
	struct classnames n;

	for (size_t i = 0; i < sizeof(text); i += 2)
		memcpy(text + i, "a\n", 2);
	ok(classnames_read(&n, (struct bytes){ (uint8_t *)text, sizeof(text) -
	    2 }, &err) == 0 && n.n == YOLO_MAX_CLASSES, "65536 names are read");
	classnames_free(&n);
	ok(classnames_read(&n, (struct bytes){ (uint8_t *)text,
	    sizeof(text) }, &err) == NPU_EFORMAT && strstr(err.msg,
	    "more than 65536 names") != NULL,
	    "65537 names are refused: %s", err.msg);
}

/* Categories in instances_val2017.json: person is 1, stop sign 13, toothbrush
 * 90. */
static void
coco(void)
{
	struct classnames n;

	classnames_default(&n, 80, NULL);
	ok(classnames_are_coco(&n) && strcmp(n.name[0], "person") == 0 &&
	    strcmp(n.name[11], "stop sign") == 0 &&
	    strcmp(n.name[79], "toothbrush") == 0,
	    "80 classes without names have COCO's names");
	ok(classnames_coco_category(0) == 1 &&
	    classnames_coco_category(10) == 11 &&
	    classnames_coco_category(11) == 13 &&
	    classnames_coco_category(79) == 90 &&
	    classnames_coco_category(80) == 0,
	    "COCO's category numbers have gaps");
	n.name[79] = "brush";
	ok(!classnames_are_coco(&n),
	    "80 classes with another name are not COCO's");
	classnames_free(&n);
	classnames_default(&n, 2, NULL);
	ok(strcmp(joined(&n), "class0|class1") == 0 && !classnames_are_coco(&n),
	    "a number of classes other than 80 has numbered names");
	classnames_free(&n);
}

int
main(void)
{
	tables();
	zeros();
	longest();
	most();
	coco();
	return done();
}
