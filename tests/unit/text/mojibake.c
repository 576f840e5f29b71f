// SPDX-License-Identifier: Apache-2.0
/* Compares the repair of mojibake with ftfy (tests/data/mojibake.txt). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/naive_mojibake.h"
#include "tap.h"
#include "text/mojibake.h"

/* Reads hexadecimal code points, separated by commas; "-" means none. */
static bool
read_codepoints(char *s, struct codepoints *out)
{
	char *end = s;

	out->n = 0;
	if (strcmp(s, "-") == 0)
		return true;
	for (;; s = end + 1) {
		uint32_t c = (uint32_t)strtoul(s, &end, 16);

		if (end == s || !codepoints_add(out, &c, 1))
			return false;
		if (*end != ',')
			return *end == '\0';
	}
}

static bool
same(const struct codepoints *a, const struct codepoints *b)
{
	return a->n == b->n && (a->n == 0 ||
	    memcmp(a->p, b->p, a->n * sizeof(*a->p)) == 0);
}

/* Checks a line "IS_BAD TEXT FIXED what it tests". */
static bool
check_line(struct mojibake *m, char *line)
{
	static struct codepoints text, want;
	char *bad = strtok(line, " "), *in = strtok(NULL, " ");
	char *out = strtok(NULL, " "), *what = strtok(NULL, "\n");
	bool right;

	if (what == NULL || !read_codepoints(in, &text) ||
	    !read_codepoints(*out == '=' ? in : out, &want)) {
		diag("not a line of the reference: %s", line);
		return false;
	}
	right = text_is_bad(text.p, text.n) == (*bad == '1') &&
	    mojibake_fix(m, &text) && same(&text, &want);
	if (!right)
		diag("%s becomes %s: %s", in, out, what);
	return right;
}

static void
check_reference(struct mojibake *m)
{
	FILE *f = fopen("tests/data/mojibake.txt", "r");
	char line[4096];
	unsigned n = 0, wrong = 0;

	if (!ok(f != NULL, "tests/data/mojibake.txt can be opened"))
		return;
	while (fgets(line, sizeof(line), f) != NULL) {
		if (line[0] == '#')
			continue;
		n++;
		wrong += !check_line(m, line);
	}
	fclose(f);
	ok(n > 300 && wrong == 0,
	    "%u texts are repaired as ftfy repairs them", n);
}

/* Tests that a text is bad only if it has a suspect code point. */
static void
check_suspects(void)
{
	unsigned n = 0;

	for (uint32_t c = 0; c < 0x110000; c++) {
		uint32_t three[] = { c, c, c };

		n += !text_suspect(c) && text_is_bad(three, 3);
	}
	ok(n == 0, "no text is bad without a suspect code point");
	ok(text_suspect(0xc3) && !text_suspect('a') && !text_suspect(0x5b57),
	    "U+00C3 is suspect, and 'a' and U+5B57 are not");
}

/*
 * Each "\xc3\x83\xa9" hides the next, so a round repairs only one, as in the
 * reference.  If each round covered the whole text, this would take many
 * minutes.
 */
static void
check_hostile(struct mojibake *m)
{
	static const uint32_t one[] = { 0xc3, 0x83, 0xa9 }, end = 0x5b57;
	struct codepoints text = { 0 };
	/* An emulated processor would need ten times as long. */
	const char *leg = getenv("LEG");
	size_t times = leg != NULL && strcmp(leg, "arm64") == 0 ? 15000 :
	    150000, wrong = 0;
	bool good = true;

	alarm(300);
	for (size_t i = 0; i < times; i++)
		good &= codepoints_add(&text, one, 3);
	good &= codepoints_add(&text, &end, 1) && mojibake_fix(m, &text);
	alarm(0);
	for (size_t i = 0; i < times && text.n == times + 1; i++)
		wrong += text.p[i] != 0xe9;
	ok(good && text.n == times + 1 && wrong == 0 &&
	    text.p[times] == end,
	    "a text that needs %zu rounds is repaired", times);
	codepoints_free(&text);
}

/* Compares the result with rounds over the whole text. */
static void
check_naive(struct mojibake *m)
{
	/* UTF-8 read as Windows-1252, and characters that may occur in it. */
	static const uint32_t c[] = { 'a', ' ', 0xc3, 0xc3, 0xc2, 0xa9, 0xa0,
	    0x192, 0xe2, 0x20ac, 0x2122, 0x201a, 0xfffd, 0xf0, 0x178, 0xe9,
	    0xed, 0x81, 0xb0, '\n', 0 };
	struct codepoints once = { 0 }, again = { 0 };
	unsigned wrong = 0;
	uint32_t r = 1;

	for (unsigned i = 0; i < 5000; i++) {
		once.n = again.n = 0;
		for (unsigned k = 0; k < 3 + i % 30; k++) {
			r = r * 1664525 + 1013904223;	/* ranqd1 */
			codepoints_add(&once, &c[(r >> 16) % (sizeof(c) /
			    sizeof(*c))], 1);
		}
		codepoints_add(&again, once.p, once.n);
		naive_fix(&again);
		wrong += !mojibake_fix(m, &once) || !same(&once, &again);
	}
	ok(wrong == 0, "texts are repaired as by rounds over the whole text: "
	    "%u are not", wrong);
	codepoints_free(&once);
	codepoints_free(&again);
}

#define LONG "e0,20ac,20ac,c3,b0,e0,20ac,20ac,c3,b0,e0,20ac,20ac,c3,b0," \
	"e0,20ac,20ac,c3,b0,"

/* Texts where a change in one round affects the counts of another round. */
static const struct {
	const char *text, *fixed;
} met[] = {
	/* It is UTF-8 in Mac OS Roman only after a letter became a space. */
	{ "c2,97,c3,20,221a,a9", "448,20,e9" },
	/* It is UTF-8 in Windows-1252 only after letters became U+FFFD. */
	{ "c3,ef,bf,bd", "fffd" },
	/* A change extends to where the text is unchanged. */
	{ "97,c2,a9,c3,a9,c2,a9,c3,a9,c2,a9", "2014,a9,e9,a9,e9,a9" },
	/* Two changes within one match, which exists before and after them. */
	{ LONG "c2,82," LONG "c2,82,c3", LONG "c2,201a," LONG "c2,201a,c3" },
};

static void
check_met(struct mojibake *m)
{
	struct codepoints text = { 0 }, want = { 0 };
	char in[600], out[600];

	for (size_t i = 0; i < sizeof(met) / sizeof(*met); i++) {
		strcpy(in, met[i].text);
		strcpy(out, met[i].fixed);
		ok(read_codepoints(in, &text) && read_codepoints(out, &want) &&
		    mojibake_fix(m, &text) && same(&text, &want),
		    "a text whose rounds affect each other is repaired: %s",
		    met[i].text);
	}
	codepoints_free(&text);
	codepoints_free(&want);
}

int
main(void)
{
	struct mojibake m = { 0 };

	check_reference(&m);
	check_hostile(&m);
	check_naive(&m);
	check_met(&m);
	check_suspects();
	ok(!text_is_bad(NULL, 0), "an empty text is not bad");
	mojibake_free(&m);
	return done();
}
