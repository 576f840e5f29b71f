// SPDX-License-Identifier: Apache-2.0
/* Buffers, error messages, gzip and UTF-8, each at its limits. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/gunzip.h"
#include "base/utf8.h"
#include "tap.h"

/* Once an addition has failed, nothing is added until buf_clear(). */
static void
buffers(void)
{
	struct buf b = { 0 };

	buf_puts(&b, "abc");
	buf_add(&b, "", 0);
	ok(b.n == 3 && !b.failed, "adding 0 bytes to a buffer changes nothing");
	ok(buf_reserve(&b, SIZE_MAX / 4 + 1) == NULL && b.failed,
	    "reserving more memory than exists fails");
	ok(buf_reserve(&b, 1) == NULL,
	    "after a failure, not even one byte can be reserved");
	buf_puts(&b, "d");
	buf_printf(&b, "%d", 5);
	ok(b.failed && b.n == 3 && memcmp(b.p, "abc", 3) == 0,
	    "after a failure, additions are dropped and the text stays");
	buf_clear(&b);
	buf_puts(&b, "d");
	ok(!b.failed && b.n == 1,
	    "buf_clear() ends the failure, and bytes can be added again");
	buf_printf(&b, "%ls", L"\x110000");
	ok(b.failed && b.n == 1, "buf_printf() of a character outside Unicode "
	    "sets failed and adds nothing");
	buf_free(&b);
	b = (struct buf){ .n = SIZE_MAX / 2 + 1, .cap = SIZE_MAX / 2 + 1 };
	ok(buf_reserve(&b, 1) == NULL && b.failed,
	    "a buffer of 8 EiB cannot grow");
}

/* Compares NPU_VERSION, NPU_VERSION_NUMBER and npu_version(). */
static void
versions(void)
{
	unsigned major, minor, patch;

	ok(sscanf(NPU_VERSION, "%u.%u.%u", &major, &minor, &patch) == 3 &&
	    NPU_VERSION_NUMBER == 10000 * major + 100 * minor + patch,
	    "the number of version %s is %d", NPU_VERSION, NPU_VERSION_NUMBER);
	ok(strcmp(npu_version(), NPU_VERSION) == 0,
	    "npu_version() returns NPU_VERSION");
}

static void
codes(void)
{
	ok(strcmp(npu_strcode(-1), "NPU_ESYSTEM") == 0, "code -1, the first "
	    "error, is NPU_ESYSTEM");
	ok(strcmp(npu_strcode(-7), "NPU_ESTOPPED") == 0, "code -7, the last "
	    "error, is NPU_ESTOPPED");
	ok(strcmp(npu_strcode(0), "success") == 0, "code 0 is success");
	ok(strcmp(npu_strcode(-8), "unknown code") == 0, "code -8 is unknown");
	ok(strcmp(npu_strcode(1), "unknown code") == 0 &&
	    strcmp(npu_strcode(INT_MIN), "unknown code") == 0 &&
	    strcmp(npu_strcode(INT_MAX), "unknown code") == 0, "a positive "
	    "code, INT_MIN and INT_MAX are unknown");
}

static void
one_line(void)
{
	struct npu_err err;

	npu_fail(&err, NPU_EFORMAT, "a\nb\033[1m\xc2\x9b\xc3\xa9");
	ok(strcmp(err.msg, "a?b?[1m??\xc3\xa9") == 0,
	    "npu_fail() replaces line feeds and control characters by ?");
	npu_prefix(&err, -1, "x\ty");
	ok(strcmp(err.msg, "x?y: a?b?[1m??\xc3\xa9") == 0, "npu_prefix() "
	    "replaces control characters of the prefix");
}

static void
prefixes(void)
{
	struct npu_err err = { .msg = "reason" };
	char what[2000];

	ok(npu_prefix(NULL, -1, "x") == -1, "npu_prefix() without an error "
	    "structure returns the code");
	npu_prefix(&err, -1, "%s", "file");
	ok(strcmp(err.msg, "file: reason") == 0, "npu_prefix() puts the prefix "
	    "and a colon before the reason");
	memset(what, 'w', sizeof(what));
	what[sizeof(err.msg) - 15] = '\0';
	npu_prefix(&err, -1, "%s", what);
	ok(strlen(err.msg) == sizeof(err.msg) - 1 &&
	    strstr(err.msg, "www: file: reason") != NULL &&
	    strstr(err.msg, "...") == NULL, "a prefix that just fits is kept "
	    "whole");
	what[sizeof(err.msg) - 15] = 'w';
	what[sizeof(what) - 1] = '\0';
	strcpy(err.msg, "reason");
	for (int i = 0; i < 2; i++) {
		npu_prefix(&err, -1, "%s", what);
		ok(strlen(err.msg) < sizeof(err.msg) &&
		    strncmp(err.msg, "wwww", 4) == 0 &&
		    strstr(err.msg, "w...w") != NULL &&
		    strcmp(err.msg + strlen(err.msg) - 12, "w...: reason") == 0,
		    "a longer prefix is shortened with ..., and the reason is "
		    "kept");
	}
}

static void
zipped(void)
{
	uint8_t one[2] = { 0x1f, 0x8b };
	struct npu_err err = { .msg = "" };
	struct buf b = { 0 };

	ok(is_gzip((struct bytes){ one, 2 }),
	    "the first two bytes identify gzip");
	ok(!is_gzip((struct bytes){ one, 1 }),
	    "a single byte does not identify gzip");
	one[1] = 0;
	ok(!is_gzip((struct bytes){ one, 2 }),
	    "two other bytes do not identify gzip");
	/* The input is refused before it is read. */
	ok(gunzip((struct bytes){ one, (size_t)UINT_MAX + 1 }, 1, &b, &err) ==
	    NPU_EFORMAT && strstr(err.msg, "4294967296 bytes") != NULL,
	    "an input of 4 GiB is refused");
	buf_free(&b);
}

/* RFC 3629: the first and the last code point of each length, and invalid
 * sequences. */
static const struct {
	const char *text;
	size_t len;		/* 0: invalid */
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
	ok(right, "UTF-8 is decoded and refused as RFC 3629 defines it");
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
