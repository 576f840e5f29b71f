// SPDX-License-Identifier: Apache-2.0
/*
 * Tests a vocabulary whose ids follow from its construction: its lines join
 * characters x and y, and then xy and z, in the order of their codes from '!'
 * on.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "support/naive.h"
#include "base/buf.h"
#include "text/merge.h"
#include "text/vocab.h"
#include "tap.h"

enum { CHARS = 94, PAIRS = CHARS * CHARS };

/* Returns the id of character x within a word: its position among '!' to
 * '~'. */
static int32_t
one(char x)
{
	return x - '!';
}

static int32_t
two(char x, char y)
{
	return VOCAB_FIRST_MERGE + one(x) * CHARS + one(y);
}

/* A change to one line of the merges. */
struct change {
	int line;		/* of the file, from 1; 0: no line */
	const char *text;	/* NULL: the file ends before the line */
};

static void
add_merge(struct buf *b, int i)
{
	if (i < PAIRS) {
		buf_printf(b, "%c %c\n", '!' + i / CHARS, '!' + i % CHARS);
		return;
	}
	i -= PAIRS;
	buf_printf(b, "%c%c %c\n", '!' + i / PAIRS, '!' + i / CHARS % CHARS,
	    '!' + i % CHARS);
}

static struct buf
make(struct change c)
{
	struct buf b = { 0 };

	for (int line = 1; line <= VOCAB_MERGES + 1; line++) {
		if (line == c.line && c.text == NULL)
			break;
		if (line == c.line)
			buf_printf(&b, "%s\n", c.text);
		else if (line == 1)
			buf_puts(&b, "#version: 0.2\n");
		else
			add_merge(&b, line - 2);
	}
	return b;
}

static void
check_refused(struct change c, const char *message)
{
	struct buf b = make(c);
	struct npu_bpe *v = NULL;
	struct npu_err err = { 0 };
	int rc = npu_bpe_open(&v, b.p, b.n, &err);

	if (!ok(rc == NPU_EFORMAT && v == NULL && strcmp(err.msg, message) == 0,
	    "a vocabulary is refused: %s", message))
		diag("%d: %s", rc, err.msg);
	npu_bpe_close(v);
	buf_free(&b);
}

static void
check_damages(void)
{
	char longer[600], *p = longer;

	check_refused((struct change){ 1, "i n" }, "line 1: expected "
	    "'#version: 0.2', the first line of CLIP's "
	    "bpe_simple_vocab_16e6.txt");
	check_refused((struct change){ 1, NULL }, "line 1: expected "
	    "'#version: 0.2', the first line of CLIP's "
	    "bpe_simple_vocab_16e6.txt");
	check_refused((struct change){ VOCAB_MERGES + 1, NULL },
	    "48893 merges, expected 48894: the file is cut");
	check_refused((struct change){ 5, "ab" }, "line 5: expected two "
	    "tokens and one space between, found 2 bytes without a space");
	check_refused((struct change){ 5, "a b c" }, "line 5: a field of 3 "
	    "bytes is not a token: 1 to 256 of the 256 characters that stand "
	    "for bytes");
	check_refused((struct change){ 5, "a " }, "line 5: a field of 0 bytes "
	    "is not a token: 1 to 256 of the 256 characters that stand for "
	    "bytes");
	check_refused((struct change){ 5, "a \xff" }, "line 5: a field of 1 "
	    "bytes is not a token: 1 to 256 of the 256 characters that stand "
	    "for bytes");
	check_refused((struct change){ 5, "a \xe4\xba\xba" }, "line 5: a field "
	    "of 3 bytes is not a token: 1 to 256 of the 256 characters that "
	    "stand for bytes");
	check_refused((struct change){ 5, "zz z" },
	    "line 5: token 'zz' is made by no line before");
	check_refused((struct change){ 5, "a zz" },
	    "line 5: token 'zz' is made by no line before");
	check_refused((struct change){ 5, "! !" },
	    "line 5: makes token 512 a second time");
	check_refused((struct change){ 5, "a</w> b" },
	    "line 5: the left token ends a word");
	memset(longer, 'a', sizeof(longer));
	p[sizeof(longer) - 1] = '\0';
	p[1] = ' ';
	check_refused((struct change){ 5, longer }, "line 5: a field of 597 "
	    "bytes is not a token: 1 to 256 of the 256 characters that stand "
	    "for bytes");
}

/* ---- gzip -------------------------------------------------------------- */

static struct buf
zip(struct buf in)
{
	z_stream z = { 0 };
	struct buf out = { 0 };

	if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0) != Z_OK)
		exit(1);
	z.next_in = (Bytef *)in.p;
	z.avail_in = (uInt)in.n;
	z.avail_out = (uInt)deflateBound(&z, in.n);
	z.next_out = buf_reserve(&out, z.avail_out);
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		exit(1);
	out.n = z.total_out;
	deflateEnd(&z);
	return out;
}

static void
check_gzip(struct buf plain)
{
	struct buf gz = zip(plain);
	struct npu_bpe *v = NULL;
	struct npu_err err;

	ok(npu_bpe_open(&v, gz.p, gz.n, &err) == 0, "a gzip file is read");
	npu_bpe_close(v);
	ok(npu_bpe_open(&v, gz.p, gz.n - 1, &err) == NPU_EFORMAT &&
	    strncmp(err.msg, "gzip: damaged or cut after ", 27) == 0,
	    "a gzip file that is cut is refused: %s", err.msg);
	gz.p[gz.n - 6] ^= 1;		/* changes the checksum */
	ok(npu_bpe_open(&v, gz.p, gz.n, &err) == NPU_EFORMAT &&
	    strncmp(err.msg, "gzip: damaged or cut after ", 27) == 0,
	    "a gzip file with a wrong checksum is refused");
	buf_free(&gz);
}

/* gzip(1) reads concatenated files as one file. */
static void
check_members(struct buf plain)
{
	struct buf a = zip((struct buf){ .p = plain.p, .n = 1000 });
	struct buf b = zip((struct buf){ .p = plain.p + 1000,
	    .n = plain.n - 1000 });
	struct npu_bpe *v = NULL;
	struct npu_err err;

	buf_add(&a, b.p, b.n);
	ok(npu_bpe_open(&v, a.p, a.n, &err) == 0,
	    "a gzip file with two members is read as one file");
	npu_bpe_close(v);
	ok(npu_bpe_open(&v, a.p, a.n - 9, &err) == NPU_EFORMAT &&
	    strncmp(err.msg, "gzip: damaged or cut after ", 27) == 0,
	    "a second member that is cut is refused");
	buf_add(&a, "\0\0\0", 3);
	ok(npu_bpe_open(&v, a.p, a.n, &err) == 0,
	    "zeros behind the last member are ignored");
	npu_bpe_close(v);
	buf_puts(&a, "x");
	ok(npu_bpe_open(&v, a.p, a.n, &err) == NPU_EFORMAT &&
	    strncmp(err.msg, "gzip: damaged or cut after ", 27) == 0,
	    "other bytes behind the last member are refused");
	buf_free(&a);
	buf_free(&b);
}

/* ---- Encoding ---------------------------------------------------------- */

static void
check_ids(struct npu_tokenizer *c, const char *text, const int32_t *want,
    size_t n)
{
	const int32_t *id;
	size_t ids;

	if (ok(npu_encode(c, text, strlen(text), &id, &ids, NULL) == 0 &&
	    ids == n && memcmp(id, want, n * sizeof(*id)) == 0,
	    "the ids of '%s' are right", text))
		return;
	for (size_t i = 0; i < ids; i++)
		diag("%zu: %d", i, (int)id[i]);
}

#define IDS(...) (int32_t[]){ NPU_CLIP_START, __VA_ARGS__, NPU_CLIP_END }, \
	sizeof((int32_t[]){ __VA_ARGS__ }) / sizeof(int32_t) + 2

/* The lowest id is merged first, from the left.  The last character of a word
 * is never merged, as no line has a "</w>". */
static void
check_encoding(struct npu_tokenizer *c)
{
	check_ids(c, "a", IDS(one('a') + 256));
	check_ids(c, "ba", IDS(one('b'), one('a') + 256));
	check_ids(c, "cba", IDS(two('c', 'b'), one('a') + 256));
	/* "ba" comes before "cb". */
	check_ids(c, "cbaz", IDS(one('c'), two('b', 'a'), one('z') + 256));
	check_ids(c, "aaaaz", IDS(two('a', 'a'), two('a', 'a'),
	    one('z') + 256));
	check_ids(c, "AAz  <|endoftext|>", IDS(two('a', 'a'), one('z') + 256,
	    NPU_CLIP_END));
	npu_tokenizer_special(c, false);
	check_ids(c, "<|e|> <|endoftext|>", IDS(one('<'), one('|') + 256,
	    one('e') + 256, one('|'), one('>') + 256, one('<'),
	    one('|') + 256, two('e', 'n'), two('d', 'o'), two('f', 't'),
	    two('e', 'x'), one('t') + 256, one('|'), one('>') + 256));
	npu_tokenizer_special(c, true);
}

/*
 * An entry of the cache for one text must not answer for another text.  U+0344,
 * for which a reference stands after '<', is a word of the first text.  In a
 * text without references, it is first decomposed (NFC).
 */
static void
check_memory(struct npu_tokenizer *c, const struct npu_bpe *v)
{
	static int32_t want[8];
	const int32_t *id;
	size_t n, k;

	ok(npu_encode(c, "< &#x344;", 9, &id, &n, NULL) == 0 && n == 5,
	    "a word may consist of a character from a reference");
	k = naive(v, "\xcc\x88\xcc\x81", 4, want);
	ok(npu_encode(c, "\xcd\x84", 2, &id, &n, NULL) == 0 && n == k + 2 &&
	    memcmp(id + 1, want, k * sizeof(*id)) == 0,
	    "the same character without a reference is first decomposed");
	k = naive(v, "\xc3\xa9", 2, want);
	want[k++] = NPU_CLIP_END;
	ok(npu_encode(c, "\xc3\xa9 <|endoftext|>", 16, &id, &n, NULL) == 0 &&
	    n == k + 2 && memcmp(id + 1, want, k * sizeof(*id)) == 0,
	    "a mark next to a word that is not ASCII is one id");
	npu_tokenizer_special(c, false);
	ok(npu_encode(c, "\xc3\xa9 <|endoftext|>", 16, &id, &n, NULL) == 0 &&
	    n > k + 2,
	    "without special marks, the same text is read as plain text");
	npu_tokenizer_special(c, true);
}

static void
check_long(const struct npu_bpe *v)
{
	static const size_t lengths[] = { 1, 2, 31, 32, 33, 64, 500, 3000 };
	static char word[3000];
	static int32_t got[3000], want[3000];
	struct merger m = { 0 };
	uint32_t seed = 1;

	for (unsigned i = 0; i < 32; i++) {
		size_t n = lengths[i % 8], k;

		for (size_t j = 0; j < n; j++) {
			seed = seed * 1664525 + 1013904223;
			word[j] = (char)('a' + (seed >> 24) % (1 + i / 8));
		}
		k = naive(v, word, n, want);
		ok(merge_word(&m, v, word, n, got) == k &&
		    memcmp(got, want, k * sizeof(*got)) == 0,
		    "a word of %zu letters, of %u kinds, has the ids of "
		    "merging one by one", n, 1 + i / 8);
	}
	merge_free(&m);
}

/* ---- Tokens ------------------------------------------------------------ */

static void
check_token(const struct npu_bpe *v, int32_t id, const char *want)
{
	char token[NPU_TOKEN_SIZE] = "";

	if (!ok(npu_token(v, id, token, NULL) == 0 && strcmp(token, want) == 0,
	    "token %d is '%s'", (int)id, want))
		diag("%s", token);
}

static void
check_tokens(const struct npu_bpe *v)
{
	char token[NPU_TOKEN_SIZE];
	struct npu_err err;

	check_token(v, one('a'), "a");
	check_token(v, one('a') + 256, "a</w>");
	check_token(v, two('x', 'y'), "xy");
	/*
	 * Byte 0 is the first byte that is not printed as itself, 0xa1 is the
	 * first after '~', and 0xff is the last.  0xad is the last byte that is
	 * not printed as itself.
	 */
	check_token(v, 188, "\xc4\x80");
	check_token(v, 94, "\xc2\xa1");
	check_token(v, 187 + 256, "\xc3\xbf</w>");
	check_token(v, 255, "\xc5\x83");
	check_token(v, NPU_CLIP_START, "<|startoftext|>");
	check_token(v, NPU_CLIP_END, "<|endoftext|>");
	ok(npu_token(v, NPU_CLIP_END + 1, token, &err) == NPU_EUSAGE &&
	    npu_token(v, -1, token, &err) == NPU_EUSAGE,
	    "an id past the vocabulary has no token");
}

/* The SHA-256 of the file without, and with, a quotation mark in its first
 * line. */
static void
check_clip(void)
{
	const char *sum = npu_bpe_sha256(npu_bpe_clip());

	ok(strcmp(sum, "27ad42d633dac2996556ac90d6b8411cd991a8486756fc4deff70a"
	    "aef2170af2") == 0 || strcmp(sum, "67603cfda2e032ad77b5f8808af3778"
	    "9d590db664b26df8705d2bf8b3c553fc8") == 0,
	    "the vocabulary is CLIP's file: %s", sum);
	check_token(npu_bpe_clip(), 2368, "cat</w>");
}

/* ---- Cleaning ---------------------------------------------------------- */

static void
check_clean(struct npu_tokenizer *c)
{
	const char *clean;
	const int32_t *id;
	size_t n, ids;

	ok(npu_clean(c, " A  B\xc3\x89\t", 8, &clean, &n, NULL) == 0 &&
	    n == 5 && memcmp(clean, "a b\xc3\xa9", 5) == 0,
	    "a text is cleaned");
	ok(npu_encode(c, clean, n, &id, &ids, NULL) == 0 && ids == 6 &&
	    id[1] == one('a') + 256,
	    "the cleaned text can be the input of npu_encode()");
	ok(npu_clean(c, "", 0, &clean, &n, NULL) == 0 && n == 0 &&
	    clean != NULL,
	    "an empty text is cleaned to an empty text that is not NULL");
	ok(npu_utf8_valid("a\xc3\xa9\xe2\x82", 5) == 3 &&
	    npu_utf8_valid("abc", 3) == 3 && npu_utf8_valid("\x80", 1) == 0,
	    "npu_utf8_valid() returns the length of the valid beginning");
}

/* ---- Rows, decoding, threads ------------------------------------------- */

static void
check_rows(struct npu_tokenizer *c)
{
	int32_t id[] = { NPU_CLIP_START, 5, 6, 7, NPU_CLIP_END }, row[8];
	const char *text;
	size_t n;
	struct npu_err err;

	ok(!npu_clip_row(id, 5, row, 8) && row[4] == NPU_CLIP_END &&
	    row[5] == 0 && row[7] == 0, "a row is padded with 0");
	ok(!npu_clip_row(id, 5, row, 5) && row[4] == NPU_CLIP_END &&
	    row[3] == 7, "a row that is just full ends with the end mark");
	ok(npu_clip_row(id, 5, row, 4) && row[3] == NPU_CLIP_END &&
	    row[2] == 6,
	    "a row that is too long is cut and ends with the end mark");
	id[1] = two('h', 'e');
	id[2] = one('y') + 256;
	id[3] = one('!') + 256;
	npu_clip_row(id, 5, row, 8);
	ok(npu_decode(c, row, 8, &text, &n, NULL) == 0 && n == 5 &&
	    memcmp(text, "hey !", 5) == 0,
	    "a row is decoded up to its end mark");
	id[2] = NPU_CLIP_END + 1;
	ok(npu_decode(c, id, 5, &text, &n, &err) == NPU_EUSAGE &&
	    strcmp(err.msg, "id 3 is 49408, and ids go from 0 to 49407") == 0,
	    "an id past the vocabulary is refused");
	id[2] = -1;
	ok(npu_decode(c, id, 5, &text, &n, &err) == NPU_EUSAGE,
	    "a negative id is refused");
	ok(npu_decode(c, id, 0, &text, &n, &err) == 0 && n == 0,
	    "no ids are decoded to an empty text");
	id[1] = one('h');
	id[2] = NPU_CLIP_START;
	ok(npu_decode(c, id, 4, &text, &n, NULL) == 0 &&
	    strncmp(text, "h <|startoftext|>", 17) == 0,
	    "a mark is decoded with a space before it");
}

/* Tests a tokenizer that does not have buffers yet. */
static void
check_first(const struct npu_bpe *v)
{
	struct npu_tokenizer *c;
	struct npu_err err = { 0 };
	const int32_t *id;
	const char *text = NULL;
	size_t n;

	ok(npu_tokenizer_open(&c, NULL, &err) == NPU_EUSAGE,
	    "a tokenizer needs a vocabulary: %s", err.msg);
	if (npu_tokenizer_open(&c, v, NULL) < 0)
		abort();
	ok(npu_clean(c, "", 0, &text, &n, NULL) == 0 && n == 0 &&
	    text != NULL,
	    "a new tokenizer cleans an empty text, which is not NULL");
	text = NULL;
	ok(npu_decode(c, NULL, 0, &text, &n, NULL) == 0 && n == 0 &&
	    text != NULL,
	    "it then decodes no ids to an empty text, which is not NULL");
	ok(npu_encode(c, NULL, 0, &id, &n, NULL) == 0 && n == 2 &&
	    npu_decode(c, id, n, &text, &n, NULL) == 0 && n == 0,
	    "a text without bytes is encoded and decoded");
	npu_tokenizer_close(c);
	if (npu_tokenizer_open(&c, v, NULL) < 0)
		abort();
	text = NULL;
	ok(npu_decode(c, NULL, 0, &text, &n, NULL) == 0 && n == 0 &&
	    text != NULL,
	    "a new tokenizer decodes no ids to a text that is not NULL");
	npu_tokenizer_close(c);
}

static void *
encode_many(void *arg)
{
	struct npu_tokenizer *c;
	char text[] = "cbaz 0aaz";
	const int32_t *id;
	const int times = brief() ? 2000 : 20000;
	size_t n, wrong = 0;

	if (npu_tokenizer_open(&c, arg, NULL) < 0)
		return arg;
	for (int i = 0; i < times; i++) {
		text[5] = (char)('0' + i % 10);
		if (npu_encode(c, text, 9, &id, &n, NULL) < 0 || n != 8 ||
		    id[1] != one('c') || id[2] != two('b', 'a') ||
		    id[4] != one(text[5]) + 256 || id[5] != two('a', 'a'))
			wrong++;
	}
	npu_tokenizer_close(c);
	return wrong != 0 ? arg : NULL;
}

static void
check_threads(struct npu_bpe *v)
{
	pthread_t t[4];
	void *wrong;
	bool good = true;

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, encode_many, v);
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], &wrong);
		good &= wrong == NULL;
	}
	ok(good, "four threads can share one vocabulary");
}

int
main(void)
{
	struct buf b = make((struct change){ 0, NULL });
	struct npu_tokenizer *c = NULL;
	struct npu_bpe *v = NULL;
	struct npu_err err = { 0 };

	if (!ok(npu_bpe_open(&v, b.p, b.n, &err) == 0 &&
	    npu_tokenizer_open(&c, v, &err) == 0, "a sound vocabulary is read"))
		diag("%s", err.msg);
	if (c != NULL) {
		check_encoding(c);
		check_memory(c, v);
		check_long(v);
		check_tokens(v);
		check_clip();
		check_clean(c);
		check_rows(c);
		check_first(v);
		check_threads(v);
	}
	npu_tokenizer_close(c);
	npu_bpe_close(v);
	check_gzip(b);
	check_members(b);
	buf_free(&b);
	check_damages();
	return done();
}
