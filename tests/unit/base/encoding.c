// SPDX-License-Identifier: Apache-2.0
/* Detects byte order marks, and texts that are not UTF-8. */
#include <string.h>

#include "base/encoding.h"
#include "tap.h"

static int
begin(const char *s, size_t n, bool is_lines, struct bytes *text,
    struct npu_err *err)
{
	*text = (struct bytes){ (const uint8_t *)s, n };
	return encoding_begin(text, is_lines, err);
}

/* The text ab and LF as Python 3 encodes it, with and without a mark. */
static const struct {
	const char *bytes;
	size_t n;
	const char *name;	/* NULL: accepted as UTF-8 */
	size_t left;		/* bytes of the text after the mark */
} texts[] = {
	{ "ab\n", 3, NULL, 3 },
	{ "", 0, NULL, 0 },
	{ "\xef\xbb\xbf" "ab\n", 6, NULL, 3 },
	{ "\xef\xbb\xbf", 3, NULL, 0 },
	{ "\xef\xbb" "a", 3, NULL, 3 },
	{ "\xff\xfe" "a\0b\0\n\0", 8, "UTF-16", 0 },
	{ "\xff\xfe", 2, "UTF-16", 0 },
	{ "\xfe\xff" "\0a\0b\0\n", 8, "UTF-16", 0 },
	{ "\xff\xfe\0\0" "a\0\0\0", 8, "UTF-32", 0 },
	{ "\0\0\xfe\xff" "\0\0\0a", 8, "UTF-32", 0 },
	{ "a\0b\0\n\0", 6, "UTF-16LE", 0 },
	{ "\0a\0b\0\n", 6, "UTF-16BE", 0 },
	{ "a\0\0\0\n\0\0\0", 8, "UTF-32LE", 0 },
	{ "\0\0\0a\0\0\0\n", 8, "UTF-32BE", 0 },
	/* U+72AC, U+304C and LF; then U+732B, which is cut after its first
	 * byte. */
	{ "\xac\x72\x4c\x30\n\0\x2b", 7, "UTF-16LE", 0 },
	{ "\x72\xac\x30\x4c\0\n", 6, "UTF-16BE", 0 },
	{ "\xac\x72" "a\0b\0", 6, "UTF-16LE", 0 },
	{ "\x72\xac\0a\0b", 6, "UTF-16BE", 0 },
	{ "\n\0", 2, "UTF-16LE", 0 },
	{ "\0\n", 2, "UTF-16BE", 0 },
	{ "a\0b", 3, NULL, 3 },
	/* Names that end with NULs, and bytes of 0 that are not beside an
	 * LF. */
	{ "abc\0b c\0a\n", 10, NULL, 10 },
	{ "abc\0def\nghi", 11, NULL, 11 },
	{ "\xff", 1, NULL, 1 },
	/* These are not texts, but numbers of 16 and 32 bits. */
	{ "\x14\0\0\0\x10\0\x1c\0", 8, NULL, 8 },
	{ "a\0\0\0\x10\0\0\0", 8, NULL, 8 },
	{ "a\0\0\0a\0\x1c\0", 8, NULL, 8 },
	{ "\0\1\0b\0\n", 6, NULL, 6 },
};

int
main(void)
{
	struct npu_err err;
	struct bytes text;
	char want[100];

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		int rc = begin(texts[i].bytes, texts[i].n, true, &text, &err);

		if (texts[i].name == NULL) {
			ok(rc == 0 && text.n == texts[i].left, "row %zu: UTF-8 "
			    "is accepted and its mark is removed", i);
			continue;
		}
		snprintf(want, sizeof(want), "%s, but UTF-8 is needed; iconv "
		    "-f %s -t UTF-8 converts it", texts[i].name,
		    texts[i].name);
		ok(rc == NPU_EFORMAT && strcmp(err.msg, want) == 0 &&
		    text.n == texts[i].n, "row %zu: %s is refused with the "
		    "command that converts it", i,
		    texts[i].name);
	}
	ok(begin("a\0b\0", 4, false, &text, NULL) == 0 &&
	    begin("\xff\xfe" "a", 3, false, &text, NULL) == NPU_EFORMAT,
	    "without a mark, a text that ends with NULs is not taken for "
	    "UTF-16");
	done();
}
