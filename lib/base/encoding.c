// SPDX-License-Identifier: Apache-2.0
/* The byte order marks are listed in the Unicode Standard, 23.8. */
#include "base/encoding.h"
#include "base/err.h"

static const struct {
	uint8_t mark[4];
	uint8_t n;
	const char *name;	/* the name for iconv(1) */
} marks[] = {
	/* Before UTF-16, because this mark begins with UTF-16's mark. */
	{ { 0xff, 0xfe, 0, 0 }, 4, "UTF-32" },
	{ { 0, 0, 0xfe, 0xff }, 4, "UTF-32" },
	{ { 0xff, 0xfe }, 2, "UTF-16" },
	{ { 0xfe, 0xff }, 2, "UTF-16" },
};

/* Returns true if each unit, of unit bytes, is a character and not a control
 * character.  A file that is not text can also have bytes of 0. */
static bool
is_text(const uint8_t *p, size_t n, size_t unit, bool big)
{
	for (size_t i = 0; i + unit <= n; i += unit) {
		uint32_t c = 0;

		for (size_t k = 0; k < unit; k++)
			c = c << 8 | p[i + (big ? k : unit - 1 - k)];
		if (c > 0x10ffff || (c < ' ' && c != '\t' && c != '\n' &&
		    c != '\r'))
			return false;
	}
	return true;
}

/*
 * Returns the encoding of lines without a mark, or NULL for UTF-8.  In UTF-16
 * half of the bytes of Latin letters are 0, in UTF-32 three quarters.  In
 * UTF-16 and UTF-32 a byte of 0 is next to LF for every script; in UTF-8 this
 * never happens.
 */
static const char *
unmarked(struct bytes text)
{
	size_t n = text.n < 64 ? text.n : 64, zeros = 0, first = 0;
	const uint8_t *p = text.p, *lf;

	for (size_t i = 0; i < n; i++)
		if (p[i] == 0 && zeros++ == 0)
			first = i;
	if (n >= 4 && 5 * zeros >= 3 * n && is_text(p, n, 4, p[0] == 0))
		return p[0] == 0 ? "UTF-32BE" : "UTF-32LE";
	if (n >= 4 && 3 * zeros >= n && is_text(p, n, 2, first % 2 == 0))
		return first % 2 == 0 ? "UTF-16BE" : "UTF-16LE";
	if (text.n == 0 || (lf = memchr(p, '\n', text.n)) == NULL)
		return NULL;
	if (lf + 1 < p + text.n && lf[1] == 0 && is_text(p, n, 2, false))
		return "UTF-16LE";
	return lf > p && lf[-1] == 0 && is_text(p, n, 2, true) ? "UTF-16BE" :
	    NULL;
}

static const char *
wide(struct bytes text, bool is_lines)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (text.n >= marks[i].n &&
		    memcmp(text.p, marks[i].mark, marks[i].n) == 0)
			return marks[i].name;
	return is_lines ? unmarked(text) : NULL;
}

int
encoding_begin(struct bytes *text, bool is_lines, struct npu_err *err)
{
	const char *name = wide(*text, is_lines);

	if (name != NULL)
		return npu_fail(err, NPU_EFORMAT, "%s, but UTF-8 is needed; "
		    "iconv -f %s -t UTF-8 converts it", name, name);
	if (bytes_start(*text, "\xef\xbb\xbf"))
		bytes_sub(*text, 3, text->n - 3, text);
	return 0;
}
