// SPDX-License-Identifier: Apache-2.0
/*
 * What is told from a stretch alone is what becomes of it in a text.  What
 * texts become is compared with the original elsewhere (clip-tokenize.bats,
 * tests/data/clip-clean.jsonl).
 */
#include <stdlib.h>
#include <string.h>

#include "npu.h"
#include "tap.h"
#include "text/clean.h"

static struct cleaner work;
static struct buf whole, alone;

static const struct {
	const char *stretch;
	bool calm;
} stretches[] = {
	{ "Ordinary", true },
	{ "\xd0\x96\xc3\xb3", true },
	{ "\xe2\x80\x9cQUOTED\xe2\x80\x9d", true },
	{ "it\xe2\x80\x99s", true },
	{ "\xef\xac\x81ne", true },			/* a ligature */
	{ "\xef\xbc\xa1\xef\xbd\x82\xef\xbc\x83", true },	/* wide */
	{ "\xef\xbc\x9c" "b\xef\xbc\x9e", true },	/* wide '<' and '>' */
	{ "two\xe3\x80\x80words\xe3\x80\x80", true },	/* a wide space */
	{ "a\xe2\x80\xa8" "b", true },		/* a line separator */
	{ "\xef\xbb\xbf", true },			/* nothing is left */
	{ "e\xcc\x81\xcc\xa3", true },		/* joined and ordered */
	{ "\xcc\x81" "e", true },
	{ "\xef\xbd\x8d\xcc\x81", true },		/* both */
	{ "\xce\x91\xcc\x81\xce\xa3\xe2\x80\x99", true },
	{ "&lt;", false },
	{ "\xef\xbc\x86" "lt;", false },		/* a wide '&' */
	{ "\x1b[1m", false },
	{ "\xc3\x83\xc2\xa9", false },			/* mojibake */
	{ "\xe2\x80\x99\xc3\x83\xc2\xa9", false },
};

/* With " &" behind, which no stretch is calm with, the text is cleaned as a
 * whole, and nothing but the end of it differs. */
static void
check_stretch(const char *s, bool calm)
{
	struct stretch is;
	char text[64];
	size_t n;

	n = (size_t)snprintf(text, sizeof(text), "%s &", s);
	if (!text_clean_stretch(&work, s, strlen(s), &alone, &is) ||
	    !text_clean(&work, text, n, &whole))
		abort();
	ok(is.calm == calm, "%s is %s", s, calm ? "calm" : "not calm");
	if (!calm)
		return;
	if (alone.n > 0)
		buf_puts(&alone, " ");
	buf_puts(&alone, "&");
	ok(alone.n == whole.n && memcmp(alone.p, whole.p, alone.n) == 0,
	    "%s is cleaned as in a text", s);
}

/*
 * A text is repaired in segments of a million code points: what stands on both
 * sides of an end is not joined (max_decode_length of ftfy.TextFixerConfig).
 */
static void
check_segments(void)
{
	enum { END = 1000000 };
	static const char accent[] = "e\xcc\x81";
	char *text = malloc(END + sizeof(accent));
	struct npu_coder *c;
	const int32_t *id;
	const char *clean;
	size_t n;

	if (text == NULL || npu_coder_open(&c, npu_bpe_clip(), NULL) < 0)
		abort();
	memset(text, ' ', END);
	strcpy(text + END - 1, accent);
	if (npu_clean(c, text, strlen(text), &clean, &n, NULL) < 0)
		abort();
	ok(n == 3 && memcmp(clean, accent, 3) == 0,
	    "a letter and an accent of two segments stay two");
	if (npu_encode(c, text, strlen(text), &id, &n, NULL) < 0)
		abort();
	ok(n == 5 && id[1] == 'e' - '!' + 256, "and so do their ids");
	if (npu_encode(c, text + 1, strlen(text + 1), &id, &n, NULL) < 0)
		abort();
	ok(n == 3, "within a segment they are one");
	npu_coder_close(c);
	free(text);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(stretches) / sizeof(*stretches); i++)
		check_stretch(stretches[i].stretch, stretches[i].calm);
	check_segments();
	clean_free(&work);
	buf_free(&whole);
	buf_free(&alone);
	return done();
}
