// SPDX-License-Identifier: Apache-2.0
/* The parts of lib/text, with input that their callers never pass: no text, one
 * that ends within a character, one longer than the memory. */
#include <stdint.h>
#include <string.h>

#include "tap.h"
#include "text/mojibake_list.h"
#include "text/split.h"
#include "text/utf8var.h"

static void
sizes(void)
{
	const uint32_t one = 'a';
	struct mojibake_list l = { 0 };
	struct codepoints w = { 0 }, long_text = { .n = UINT32_MAX };

	ok(!codepoints_reserve(&w, SIZE_MAX) && w.p == NULL && w.cap == 0,
	    "room for more than there is");
	ok(codepoints_add(&w, &one, 1) && !codepoints_add(&w, &one, SIZE_MAX) &&
	    w.n == 1 && w.p[0] == 'a', "more than can be counted");
	codepoints_free(&w);
	ok(!mojibake_list_make(&l, &long_text) && long_text.n == UINT32_MAX,
	    "more code points than a list has nodes");
	mojibake_list_free(&l);
}

/* How many words there are, and whether they lie within, one after the other,
 * and leave nothing out but spaces. */
static int
count_words(const char *text, bool *right)
{
	const char *at = text, *end = text + strlen(text), *last = text;
	struct text_word w;
	int n = 0;

	*right = true;
	for (; text_word(&at, end, false, &w); n++) {
		*right &= w.n > 0 && w.p == last && at == w.p + w.n &&
		    at <= end;
		last = at;
	}
	*right &= last == end;
	return n;
}

/* Bytes that are no character count as neither letter nor number. */
static void
broken(void)
{
	static const struct {
		const char *text;
		int words;
	} texts[] = {
		{ "\xc3", 1 }, { "a\xc3", 2 }, { "\xe2\x82", 1 },
		{ "a\xe2", 2 }, { "\xf0\xff\xff", 1 }, { "a\xf0", 2 },
		{ "\xff", 1 }, { "a\xff" "a", 3 }, { "\xf5\x80\x80\x80", 1 },
	};
	bool right;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ok(count_words(texts[i].text, &right) == texts[i].words &&
		    right, "no byte is read beyond broken text %zu", i);
}

int
main(void)
{
	uint32_t c = 7;

	sizes();
	broken();
	ok(utf8var_decode((const uint8_t *)"a", 0, 0, &c) == 0 && c == 7,
	    "no character in no bytes");
	return done();
}
