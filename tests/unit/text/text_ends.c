// SPDX-License-Identifier: Apache-2.0
/*
 * Tests parts of lib/text with inputs that their callers never pass: an empty
 * text, a text that ends within a character, and a text longer than the memory.
 */
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
	    "a reservation of more than the memory fails");
	ok(codepoints_add(&w, &one, 1) && !codepoints_add(&w, &one, SIZE_MAX) &&
	    w.n == 1 && w.p[0] == 'a',
	    "adding more code points than can be counted fails");
	codepoints_free(&w);
	ok(!mojibake_list_make(&l, &long_text) && long_text.n == UINT32_MAX,
	    "making a list of more code points than it can have nodes fails");
	mojibake_list_free(&l);
}

/* Returns the number of words.  *right is true if the words are within the
 * text, in order, and omit nothing but spaces. */
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

/* Tests bytes that are not a character.  They are neither letters nor
 * numbers. */
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
		    right, "words of broken text %zu end within the text", i);
}

int
main(void)
{
	uint32_t c = 7;

	sizes();
	broken();
	ok(utf8var_decode((const uint8_t *)"a", 0, 0, &c) == 0 && c == 7,
	    "decoding no bytes gives no character");
	return done();
}
