// SPDX-License-Identifier: Apache-2.0
/* Buffers, messages and characters at their limits. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/gunzip.h"
#include "base/utf8.h"
#include "tap.h"

/* A buffer that failed once stays failed, and nothing is added to it. */
static void
buffers(void)
{
	struct buf b = { 0 };

	buf_puts(&b, "abc");
	buf_add(&b, "", 0);
	ok(b.n == 3 && !b.failed, "nothing can be added");
	ok(buf_reserve(&b, SIZE_MAX / 4 + 1) == NULL && b.failed,
	    "more than there is");
	ok(buf_reserve(&b, 1) == NULL, "and then no byte more");
	buf_puts(&b, "d");
	buf_printf(&b, "%d", 5);
	ok(b.failed && b.n == 3 && memcmp(b.p, "abc", 3) == 0,
	    "what is added after it is dropped");
	buf_clear(&b);
	buf_puts(&b, "d");
	ok(!b.failed && b.n == 1, "until it is cleared");
	buf_printf(&b, "%ls", L"\x110000");
	ok(b.failed && b.n == 1, "a character that Unicode does not have");
	buf_free(&b);
	b = (struct buf){ .n = SIZE_MAX / 2 + 1, .cap = SIZE_MAX / 2 + 1 };
	ok(buf_reserve(&b, 1) == NULL && b.failed, "8 EiB do not grow");
}

/* NPU_VERSION, NPU_VERSION_NUMBER and the library's own. */
static void
versions(void)
{
	unsigned major, minor, patch;

	ok(sscanf(NPU_VERSION, "%u.%u.%u", &major, &minor, &patch) == 3 &&
	    NPU_VERSION_NUMBER == 10000 * major + 100 * minor + patch,
	    "%s is %d", NPU_VERSION, NPU_VERSION_NUMBER);
	ok(strcmp(npu_version(), NPU_VERSION) == 0, "and this library");
}

static void
codes(void)
{
	ok(strcmp(npu_strcode(-1), "NPU_ESYSTEM") == 0, "the first code");
	ok(strcmp(npu_strcode(-7), "NPU_ESTOPPED") == 0, "the last code");
	ok(strcmp(npu_strcode(0), "success") == 0, "none");
	ok(strcmp(npu_strcode(-8), "unknown code") == 0, "one more");
	ok(strcmp(npu_strcode(1), "unknown code") == 0 &&
	    strcmp(npu_strcode(INT_MIN), "unknown code") == 0 &&
	    strcmp(npu_strcode(INT_MAX), "unknown code") == 0, "far off");
}

static void
one_line(void)
{
	struct npu_err err;

	npu_fail(&err, NPU_EFORMAT, "a\nb\033[1m\xc2\x9b\xc3\xa9");
	ok(strcmp(err.msg, "a?b?[1m??\xc3\xa9") == 0,
	    "one line, and nothing that a terminal obeys");
	npu_prefix(&err, -1, "x\ty");
	ok(strcmp(err.msg, "x?y: a?b?[1m??\xc3\xa9") == 0, "nor before it");
}

static void
prefixes(void)
{
	struct npu_err err = { .msg = "reason" };
	char what[2000];

	ok(npu_prefix(NULL, -1, "x") == -1, "no message");
	npu_prefix(&err, -1, "%s", "file");
	ok(strcmp(err.msg, "file: reason") == 0, "what: reason");
	memset(what, 'w', sizeof(what));
	what[sizeof(err.msg) - 15] = '\0';
	npu_prefix(&err, -1, "%s", what);
	ok(strlen(err.msg) == sizeof(err.msg) - 1 &&
	    strstr(err.msg, "www: file: reason") != NULL &&
	    strstr(err.msg, "...") == NULL, "as long as there is room for");
	what[sizeof(err.msg) - 15] = 'w';
	what[sizeof(what) - 1] = '\0';
	strcpy(err.msg, "reason");
	for (int i = 0; i < 2; i++) {
		npu_prefix(&err, -1, "%s", what);
		ok(strlen(err.msg) < sizeof(err.msg) &&
		    strncmp(err.msg, "wwww", 4) == 0 &&
		    strstr(err.msg, "w...w") != NULL &&
		    strcmp(err.msg + strlen(err.msg) - 12, "w...: reason") == 0,
		    "a longer one loses its middle and end, not the reason");
	}
}

static void
zipped(void)
{
	uint8_t one[2] = { 0x1f, 0x8b };
	struct npu_err err = { .msg = "" };
	struct buf b = { 0 };

	ok(is_gzip((struct bytes){ one, 2 }), "gzip by two bytes");
	ok(!is_gzip((struct bytes){ one, 1 }), "not by one");
	one[1] = 0;
	ok(!is_gzip((struct bytes){ one, 2 }), "or by others");
	/* It is refused without being read. */
	ok(gunzip((struct bytes){ one, (size_t)UINT_MAX + 1 }, 1, &b, &err) ==
	    NPU_EFORMAT && strstr(err.msg, "4294967296 bytes") != NULL,
	    "4 GiB are too many");
	buf_free(&b);
}

/* RFC 3629: the first and last code point of each length, and invalid ones. */
static const struct {
	const char *text;
	size_t len;		/* 0: none */
	uint32_t c;
} characters[] = {
	{ "", 0, 0 },
	{ "\x7f", 1, 0x7f },
	{ "\x80", 0, 0 },
	{ "\xc1\xbf", 0, 0 },
	{ "\xc2\x80", 2, 0x80 },
	{ "\xc2", 0, 0 },
	{ "\xc2 ", 0, 0 },
	{ "\xdf\xbf", 2, 0x7ff },
	{ "\xe0\x9f\xbf", 0, 0 },
	{ "\xe0\xa0\x80", 3, 0x800 },
	{ "\xe0\xa0", 0, 0 },
	{ "\xe0\xa0 ", 0, 0 },
	{ "\xed\x9f\xbf", 3, 0xd7ff },
	{ "\xed\xa0\x80", 0, 0 },
	{ "\xee\x80\x80", 3, 0xe000 },
	{ "\xf0\x8f\xbf\xbf", 0, 0 },
	{ "\xf0\x90\x80\x80", 4, 0x10000 },
	{ "\xf0\x90\x80", 0, 0 },
	{ "\xf0\x90\x80 ", 0, 0 },
	{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
	{ "\xf4\x90\x80\x80", 0, 0 },
	{ "\xf5\x80\x80\x80", 0, 0 },
};

static void
decoded(void)
{
	bool right = true;

	for (size_t i = 0; i < sizeof(characters) / sizeof(*characters);
	    i++) {
		uint32_t c = 0;
		size_t len = utf8_decode(characters[i].text,
		    strlen(characters[i].text), &c);

		if (len != characters[i].len ||
		    (len > 0 && c != characters[i].c)) {
			diag("row %zu: %zu bytes, 0x%x", i, len, c);
			right = false;
		}
	}
	ok(right, "UTF-8 as RFC 3629 has it");
}

int
main(void)
{
	versions();
	codes();
	buffers();
	one_line();
	prefixes();
	zipped();
	decoded();
	return done();
}
