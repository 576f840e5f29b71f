// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/utf8.h"
#include "delimited.h"

static bool
needs_quotes(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] == ',' || s[i] == '"' || s[i] == '\r' || s[i] == '\n')
			return true;
	return false;
}

void
csv_bytes(struct buf *b, const char *s, size_t n)
{
	if (!needs_quotes(s, n)) {
		buf_add(b, s, n);
		return;
	}
	buf_puts(b, "\"");
	for (size_t i = 0; i < n; i++)
		buf_add(b, s[i] == '"' ? "\"\"" : &s[i], s[i] == '"' ? 2 : 1);
	buf_puts(b, "\"");
}

void
csv_text(struct buf *b, const char *s)
{
	csv_bytes(b, s, strlen(s));
}

/* Writes one character of n bytes. */
static void
put_character(struct buf *b, const char *s, size_t n)
{
	if (*s == '\\')
		buf_puts(b, "\\\\");
	else if (*s == '\t')
		buf_puts(b, "\\t");
	else if (*s == '\n')
		buf_puts(b, "\\n");
	else if (utf8_control(s, n) == 0)
		buf_add(b, s, n);
	else
		for (size_t i = 0; i < n; i++)
			buf_printf(b, "\\x%02x", (unsigned char)s[i]);
}

void
tsv_bytes(struct buf *b, const char *s, size_t n)
{
	size_t len;

	for (; n > 0; s += len, n -= len) {
		len = utf8_control(s, n);
		if (len == 0)
			len = 1;
		put_character(b, s, len);
	}
}

void
tsv_text(struct buf *b, const char *s)
{
	tsv_bytes(b, s, strlen(s));
}
