// SPDX-License-Identifier: Apache-2.0
/*
 * textdump - prints how every code point is cleaned and split, for a digest.
 *
 * Prints one line for each code point: the words, separated by '|', of a text
 * that has the code point at the start, and before, after and between letters,
 * sigmas and capitals.
 */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "text/clean.h"
#include "text/split.h"

#define SIGMA "\xce\xa3"

static void
add(char *text, size_t *n, const char *s, size_t len)
{
	memcpy(text + *n, s, len);
	*n += len;
}

static size_t
make(uint32_t c, char *text)
{
	static const char *const parts[] = {
		"", "a" SIGMA, "b" SIGMA, " A", SIGMA "Z",
	};
	char point[4];
	size_t n = 0, len = utf8_encode(c, point);

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		add(text, &n, parts[i], strlen(parts[i]));
		add(text, &n, point, len);
	}
	return n;
}

int
main(void)
{
	struct cleaner work = { 0 };
	struct buf out = { 0 };
	char text[64];

	for (uint32_t c = 0; c < 0x110000; c++) {
		const char *at, *end;
		struct text_word w;
		char between = '\0';

		if (c >= 0xd800 && c < 0xe000)
			continue;
		if (!text_clean(&work, text, make(c, text), &out))
			return 1;
		at = out.p;
		end = at + out.n;
		while (text_word(&at, end, true, &w)) {
			if (between != '\0')
				putchar(between);
			fwrite(w.p, 1, w.n, stdout);
			between = '|';
		}
		putchar('\n');
	}
	clean_free(&work);
	buf_free(&out);
	return fflush(stdout) != 0 || ferror(stdout);
}
