// SPDX-License-Identifier: Apache-2.0
/*
 * Tests that a segment gives the same result alone as within a text.  Other
 * tests compare the results of texts with the original (clip-tokenize.bats,
 * tests/data/clip-clean.jsonl).
 */
#include <stdlib.h>
#include <string.h>

#include "npu.h"
#include "tap.h"
#include "text/clean.h"
#include "text/fix.h"

static struct cleaner work;
static struct buf whole, alone;

static const struct {
	const char *segment;
	bool no_repair;
} segments[] = {
	{ "Ordinary", true },
	{ "\xd0\x96\xc3\xb3", true },
	{ "\xe2\x80\x9cQUOTED\xe2\x80\x9d", true },
	{ "it\xe2\x80\x99s", true },
	{ "\xef\xac\x81ne", true },			/* a ligature */
	{ "\xef\xbc\xa1\xef\xbd\x82\xef\xbc\x83", true },	/* wide */
	{ "\xef\xbc\x9c" "b\xef\xbc\x9e", true },	/* wide '<' and '>' */
	{ "two\xe3\x80\x80words\xe3\x80\x80", true },	/* a wide space */
	{ "a\xe2\x80\xa8" "b", true },		/* a line separator */
	{ "\xef\xbb\xbf", true },			/* nothing remains */
	{ "e\xcc\x81\xcc\xa3", true },		/* composed and reordered */
	{ "\xcc\x81" "e", true },
	{ "\xef\xbd\x8d\xcc\x81", true },		/* wide, and composed */
	{ "\xce\x91\xcc\x81\xce\xa3\xe2\x80\x99", true },
	{ "&lt;", false },
	{ "\xef\xbc\x86" "lt;", false },		/* a wide '&' */
	{ "\x1b[1m", false },
	{ "\xc3\x83\xc2\xa9", false },			/* mojibake */
	{ "\xe2\x80\x99\xc3\x83\xc2\xa9", false },
};

/* Adds " &", which makes text_clean() clean the whole text.  Only its end may
 * then differ. */
static void
check_segment(const char *s, bool no_repair)
{
	struct text_segment is;
	char text[64];
	size_t n;

	n = (size_t)snprintf(text, sizeof(text), "%s &", s);
	if (!text_clean_segment(&work, s, strlen(s), &alone, &is) ||
	    !text_clean(&work, text, n, &whole))
		abort();
	ok(is.no_repair == no_repair, "the segment %s is %s", s,
	    no_repair ? "clean by itself" : "not clean by itself");
	if (!no_repair)
		return;
	if (alone.n > 0)
		buf_puts(&alone, " ");
	buf_puts(&alone, "&");
	ok(alone.n == whole.n && memcmp(alone.p, whole.p, alone.n) == 0,
	    "the segment %s is cleaned as within a text", s);
}

/*
 * A text is repaired in lines of at most a million code points.  Characters on
 * both sides of a line's end are not composed (max_decode_length of
 * ftfy.TextFixerConfig).
 */
static void
check_lines(void)
{
	enum { END = 1000000 };
	static const char accent[] = "e\xcc\x81";
	char *text = malloc(END + sizeof(accent));
	struct npu_tokenizer *c;
	const int32_t *id;
	const char *clean;
	size_t n;

	if (text == NULL || npu_tokenizer_open(&c, npu_bpe_clip(), NULL) < 0)
		abort();
	memset(text, ' ', END);
	strcpy(text + END - 1, accent);
	if (npu_clean(c, text, strlen(text), &clean, &n, NULL) < 0)
		abort();
	ok(n == 3 && memcmp(clean, accent, 3) == 0,
	    "a letter and an accent in different lines are not composed");
	if (npu_encode(c, text, strlen(text), &id, &n, NULL) < 0)
		abort();
	ok(n == 5 && id[1] == 'e' - '!' + 256,
	    "a letter and an accent in different lines have separate ids");
	if (npu_encode(c, text + 1, strlen(text + 1), &id, &n, NULL) < 0)
		abort();
	ok(n == 3, "a letter and an accent in one line are composed");
	npu_tokenizer_close(c);
	free(text);
}

/*
 * Bytes that are not UTF-8, and the text that is read.  There is one U+FFFD,
 * here '?', for each maximal part of a character, as Unicode recommends.
 * Python's bytes.decode('utf-8', 'replace') made the texts.  A DEL is removed.
 */
static const struct {
	const char *bytes, *read;
} broken[] = {
	{ "\xe0\x80", "??" },
	{ "\xe0\x9f\x80", "???" },
	{ "\xe0\xa0", "?" },
	{ "\xe0\xa0" "x", "?x" },
	{ "\xe0\xc0\x80", "???" },
	{ "\xed\x7f", "?" },
	{ "\xed\xa0\x80", "???" },
	{ "\xed\x9f", "?" },
	{ "\xed\xc0", "??" },
	{ "\xf0\x8f\x80\x80", "????" },
	{ "\xf0\x90\x80", "?" },
	{ "\xf0\x90\x80" "x", "?x" },
	{ "\xf0\xc0", "??" },
	{ "\xf4\x90\x80\x80", "????" },
	{ "\xf4\x8f\x80", "?" },
	{ "\xf4\x7f", "?" },
	{ "\xf4\xc0", "??" },
	{ "\xe1\x80", "?" },
	{ "\xe1\x80" "x", "?x" },
	{ "\xe1" "x", "?x" },
	{ "\xf1\x80\x80" "x", "?x" },
	{ "\xc3", "?" },
	{ "\xc3" "x", "?x" },
	{ "\xc0\x80", "??" },
	{ "\xf5\x80\x80\x80", "????" },
	{ "\xff\xfe", "??" },
	{ "\x80", "?" },
	{ "\xe0", "?" },
	{ "\xf0", "?" },
};

static void
check_broken(void)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		const char *s = broken[i].bytes;
		char read[20] = "";
		size_t n = 0;

		if (!text_clean(&work, s, strlen(s), &whole))
			abort();
		for (size_t at = 0; at < whole.n; at++)
			if (memcmp(whole.p + at, "\xef\xbf\xbd", 3) == 0) {
				read[n++] = '?';
				at += 2;
			} else
				read[n++] = whole.p[at];
		if (!ok(strcmp(read, broken[i].read) == 0,
		    "broken bytes %zu are read as %s", i, broken[i].read))
			diag("%s", read);
	}
}

/* Tests that a text longer than the limit is refused before it is read. */
static void
check_sizes(void)
{
	struct npu_err err = { .msg = "" };
	struct npu_tokenizer *c;
	struct npu_bpe *v;
	const int32_t *id;
	const char *clean;
	size_t n = 7;

	if (npu_tokenizer_open(&c, npu_bpe_clip(), NULL) < 0)
		abort();
	ok(npu_clean(c, "", (size_t)NPU_TEXT_MAX + 1, &clean, &n, &err) ==
	    NPU_EUSAGE && strcmp(err.msg, "a text of 67108865 bytes, limit "
	    "67108864") == 0 && n == 7,
	    "a text that is too long to be cleaned is refused");
	ok(npu_encode(c, "", (size_t)NPU_TEXT_MAX + 1, &id, &n, NULL) ==
	    NPU_EUSAGE && n == 7,
	    "a text that is too long to be encoded is refused");
	ok(npu_clean(c, "", 0, &clean, &n, NULL) == 0 && n == 0,
	    "an empty text is cleaned");
	npu_tokenizer_close(c);
	npu_tokenizer_close(NULL);
	ok(npu_bpe_open(&v, "", (size_t)1 << 40, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "1099511627776 bytes, more than") == err.msg,
	    "a vocabulary of a terabyte is refused");
}

/* Tests that UTF-8 read as Windows-1252 is repaired also after the first
 * line. */
static void
check_long(void)
{
	struct buf text = { 0 };

	for (int i = 0; i < FIX_LINE / 10; i++)
		buf_puts(&text, "a word or ");
	buf_puts(&text, "caf\xc3\x83\xc2\xa9");
	ok(text_clean(&work, text.p, text.n, &whole) && whole.n == text.n - 2 &&
	    memcmp(whole.p + whole.n - 6, " caf\xc3\xa9", 6) == 0,
	    "a text longer than a line is repaired in its second line");
	buf_free(&text);
}

/* Tests words as long as the two special marks, but different; a text with more
 * ids than the cache keeps; and the text after it. */
static void
check_odd(void)
{
	struct npu_tokenizer *c;
	const size_t n = 300000;
	char *text = malloc(2 * n);
	const int32_t *id;
	bool good = true;
	size_t ids;

	if (npu_tokenizer_open(&c, npu_bpe_clip(), NULL) < 0)
		abort();
	for (size_t k = 13; k <= 15; k += 2) {
		memset(text, '<', k);
		good &= npu_encode(c, text, k, &id, &ids, NULL) == 0 &&
		    ids > 2;
		for (size_t i = 1; good && i + 1 < ids; i++)
			good = id[i] < 49406;
	}
	ok(good, "a word as long as a special mark is not a mark");
	for (size_t i = 0; i < n; i++)
		memcpy(text + 2 * i, "a ", 2);
	good = npu_encode(c, text, 2 * n, &id, &ids, NULL) == 0 &&
	    ids == n + 2 && id[n] == 320;	/* a</w> */
	ok(npu_encode(c, "a", 1, &id, &ids, NULL) == 0 && ids == 3 && good,
	    "after a text with 300002 ids, a text with 3 ids is encoded");
	npu_tokenizer_close(c);
	free(text);
}

int
main(void)
{
	check_odd();
	check_long();
	check_broken();
	check_sizes();
	for (size_t i = 0; i < sizeof(segments) / sizeof(*segments); i++)
		check_segment(segments[i].segment, segments[i].no_repair);
	check_lines();
	clean_free(&work);
	buf_free(&whole);
	buf_free(&alone);
	return done();
}
