// SPDX-License-Identifier: Apache-2.0
/*
 * Text without memory: a tokenizer reports the failure and continues with the
 * next text.  An id is the character's position in CLIP's list of bytes, + 256
 * at the end of a word.  The words are complete tokens, and their ids are
 * CLIP's.
 */
#include "base/file.h"
#include "chain.h"
#include "nomem.h"
#include "support/naive.h"
#include "text/merge.h"
#include "text/mojibake.h"
#include "text/nfc.h"

#define MOJI "\xc3\x83\xc2\xa9"	/* e with an accent, twice in UTF-8 */
#define ACCENT "\xc3\xa9"

/* Texts with more ids than the first allocation has space for: ids of one byte
 * each, of words with an apostrophe, and of words that are not simple ASCII. */
static char bytes[601], words[801], accents[801];
/* Letters with marks, which decompose into more code points than the text
 * has. */
static char marked[101];
static char read_wrongly[700] = MOJI " ", repaired[700] = ACCENT " ";

/* The text, and its cleaned form. */
static const struct {
	const char *text, *clean;
} texts[] = {
	{ bytes, bytes },
	{ words, words },
	{ accents, accents },
	{ read_wrongly, repaired },
	{ "A photo of a BUS", "a photo of a bus" },
	{ "caf" MOJI " &amp; &lt;b&gt;", "caf" ACCENT " & <b>" },
	{ "it\xe2\x80\x99s \xef\xac\x81ne e\xcc\x81\xcc\xa3",
	    "it's fine \xe1\xba\xb9\xcc\x81" },
	{ "\x1b[1mred\x1b[0m  <|endoftext|>", "red <|endoftext|>" },
	{ "&amp;lt; " MOJI MOJI " \xe2\x80\xa8 \xd0\x96\xc3\xb3",
	    "< " ACCENT ACCENT " \xd0\xb6\xc3\xb3" },
	{ "\xff", "\xef\xbf\xbd" },
	{ "xqzvkj qzxv", "xqzvkj qzxv" },
	{ marked, marked },
};
enum { TEXTS = sizeof(texts) / sizeof(*texts) };

/* The ids that a tokenizer with enough memory returns. */
static struct ids {
	int32_t *id;
	size_t n;
} ids[TEXTS];

static int
check(struct npu_tokenizer *c, size_t i, struct npu_err *err)
{
	const char *clean, *text;
	const int32_t *id;
	size_t n;
	int rc;

	if ((rc = npu_clean(c, texts[i].text, strlen(texts[i].text), &clean,
	    &n, err)) < 0)
		return rc;
	if (n != strlen(texts[i].clean) || memcmp(clean, texts[i].clean, n))
		return NOMEM_WRONG;
	if ((rc = npu_encode(c, texts[i].text, strlen(texts[i].text), &id, &n,
	    err)) < 0)
		return rc;
	if (n != ids[i].n || memcmp(id, ids[i].id, n * sizeof(*id)) != 0)
		return NOMEM_WRONG;
	/* The decoded text has no marks, and its punctuation stands alone. */
	if ((rc = npu_decode(c, ids[i].id, ids[i].n, &text, &n, err)) < 0)
		return rc;
	return n > 0 ? 0 : NOMEM_WRONG;
}

static int
use_coder(struct npu_err *err)
{
	struct npu_tokenizer *c;
	int rc = npu_tokenizer_open(&c, npu_bpe_clip(), err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < TEXTS && rc == 0; i++) {
		size_t at = nomem_at;

		if ((rc = check(c, i, err)) >= 0)
			continue;
		/* The tokenizer must work as if nothing had happened. */
		nomem_at = 0;
		if (check(c, i, NULL) != 0)
			rc = NOMEM_WRONG;
		nomem_at = at;
	}
	npu_tokenizer_close(c);
	return rc;
}

/* Uses a new tokenizer for each text, without memory from an earlier text. */
static int
use_coders(struct npu_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < TEXTS && rc == 0; i++) {
		struct npu_tokenizer *c;

		if ((rc = npu_tokenizer_open(&c, npu_bpe_clip(), err)) < 0)
			return rc;
		rc = check(c, i, err);
		npu_tokenizer_close(c);
	}
	return rc;
}

/* Does the same without cleaning the text first, which would leave buffers. */
static int
encode_first(struct npu_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < TEXTS && rc == 0; i++) {
		struct npu_tokenizer *c;
		const int32_t *id;
		size_t n;

		if ((rc = npu_tokenizer_open(&c, npu_bpe_clip(), err)) < 0)
			return rc;
		rc = npu_encode(c, texts[i].text, strlen(texts[i].text), &id,
		    &n, err);
		if (rc == 0 && (n != ids[i].n ||
		    memcmp(id, ids[i].id, n * sizeof(*id)) != 0))
			rc = NOMEM_WRONG;
		npu_tokenizer_close(c);
	}
	return rc;
}

static void
learn(void)
{
	struct npu_tokenizer *c;
	const int32_t *id;

	for (size_t i = 0; i + 1 < sizeof(bytes); i += 2)
		memcpy(bytes + i, i + 3 < sizeof(bytes) ? "a " : "aa", 3);
	for (size_t i = 0; i + 5 < sizeof(words); i += 5) {
		memcpy(words + i, "it's ", 6);
		memcpy(accents + i, "\xc3\xa9 b ", 6);
	}
	while (strlen(marked) < sizeof(marked) - 1)
		strcat(marked, "\xe1\xbb\x87\xcc\xa3");
	words[strlen(words) - 1] = accents[strlen(accents) - 1] = '\0';
	strcat(read_wrongly, bytes);
	strcat(repaired, bytes);
	if (npu_tokenizer_open(&c, npu_bpe_clip(), NULL) < 0)
		abort();
	for (size_t i = 0; i < TEXTS; i++) {
		if (npu_encode(c, texts[i].text, strlen(texts[i].text), &id,
		    &ids[i].n, NULL) < 0)
			abort();
		ids[i].id = malloc(ids[i].n * sizeof(*id));
		memcpy(ids[i].id, id, ids[i].n * sizeof(*id));
	}
	npu_tokenizer_close(c);
	/* openai/CLIP: tokenize("A photo of a BUS") */
	id = ids[4].id;
	ok(ids[4].n == 7 && id[0] == 49406 && id[1] == 320 && id[2] == 1125 &&
	    id[3] == 539 && id[4] == 320 && id[5] == 2840 && id[6] == 49407,
	    "with enough memory, the ids are CLIP's");
}

static int
no_memory(struct npu_err *err)
{
	strcpy(err->msg, "memory");
	return NPU_ESYSTEM;
}

/* Merges a word of a thousand letters, too long for the fast path. */
static int
use_merger(struct npu_err *err)
{
	static char word[1000];
	static int32_t id[1000];
	struct merger m = { 0 };
	size_t n;

	memset(word, 'a', sizeof(word));
	n = merge_word(&m, npu_bpe_clip(), word, sizeof(word), id);
	merge_free(&m);
	if (n > 0)
		return n < sizeof(word) ? 0 : NOMEM_WRONG;
	return no_memory(err);
}

/* A word in which two parts never agree; therefore larger parts are needed. */
static struct npu_bpe *chain;
static char chained[2 * LINKS];
static int32_t chained_id[2 * LINKS];
static size_t in_chain;

static int
use_chain(struct npu_err *err)
{
	static int32_t id[2 * LINKS];
	struct merger m = { 0 };
	size_t n = merge_word(&m, chain, chained, sizeof(chained) - 2, id);

	merge_free(&m);
	if (n > 0)
		return n == in_chain && memcmp(id, chained_id,
		    n * sizeof(*id)) == 0 ? 0 : NOMEM_WRONG;
	return no_memory(err);
}

/* Decodes the same ids, as the first call of a tokenizer. */
static int
decode_first(struct npu_err *err)
{
	struct npu_tokenizer *c;
	const char *text;
	size_t n;
	int rc;

	if ((rc = npu_tokenizer_open(&c, npu_bpe_clip(), err)) < 0)
		return rc;
	rc = npu_decode(c, ids[0].id, ids[0].n, &text, &n, err);
	if (rc == 0 && (n != strlen(bytes) || memcmp(text, bytes, n) != 0))
		rc = NOMEM_WRONG;
	npu_tokenizer_close(c);
	return rc;
}

/* Repairs a text that repeats the code points 'once'.  The result must have n
 * code points, from first to last. */
static int
use_mojibake(const uint32_t *once, size_t len, int times, size_t n,
    uint32_t first, uint32_t last, struct npu_err *err)
{
	struct mojibake m = { 0 };
	struct codepoints text = { 0 };
	int rc = 0;

	for (int i = 0; i < times && rc == 0; i++)
		if (!codepoints_add(&text, once, len))
			rc = no_memory(err);
	if (rc == 0 && !mojibake_fix(&m, &text))
		rc = no_memory(err);
	if (rc == 0 && (text.n != n || text.p[0] != first ||
	    text.p[n - 1] != last))
		rc = NOMEM_WRONG;
	codepoints_free(&text);
	mojibake_free(&m);
	return rc;
}

/* Each of 40 letters was UTF-8 and was read as Windows-1252 twice. */
static int
mojibake_whole(struct npu_err *err)
{
	static const uint32_t once[] = { 0xc3, 0x192, 0xc2, 0xa9, 'a' };

	return use_mojibake(once, 5, 40, 80, 0xe9, 'a', err);
}

/* Each pass over the whole text removes a space. */
static int
mojibake_rounds(struct npu_err *err)
{
	static uint32_t once[100] = { 0x420, [98] = 0xfffd, 0xfffd };

	for (int i = 1; i < 98; i++)
		once[i] = ' ';
	return use_mojibake(once, 100, 1, 2, 0xfffd, 0xfffd, err);
}

/* Letters that are matches by themselves, because no encoding has the character
 * between them, and a C1 control character. */
static int
mojibake_matches(struct npu_err *err)
{
	static const uint32_t once[] = { 0xc3, 0xa9, 0xc3, 0xa9, 0x5b57,
	    0x97 };

	return use_mojibake(once, 6, 4, 16, 0xe9, 0x2014, err);
}

/* Letters with two marks each, in the wrong order, which take more space when
 * decomposed. */
static int
use_nfc(struct npu_err *err)
{
	static const uint32_t once[] = { 0xe9, 0x323 };
	struct codepoints in = { 0 }, out = { 0 };
	bool changed;
	int rc = 0;

	for (int i = 0; i < 40 && rc == 0; i++)
		if (!codepoints_add(&in, once, 2))
			rc = no_memory(err);
	if (rc == 0 && !nfc(&in, &out, &changed))
		rc = no_memory(err);
	if (rc == 0 && (out.n != 80 || out.p[78] != 0x1eb9 ||
	    out.p[79] != 0x301))
		rc = NOMEM_WRONG;
	codepoints_free(&in);
	codepoints_free(&out);
	return rc;
}

static struct buf vocabulary;

static int
open_vocabulary(struct npu_err *err)
{
	struct npu_bpe *v;
	int rc = npu_bpe_open(&v, vocabulary.p, vocabulary.n, err);

	if (rc < 0)
		return rc;
	if (strcmp(npu_bpe_sha256(v), npu_bpe_sha256(npu_bpe_clip())) != 0)
		rc = NOMEM_WRONG;
	npu_bpe_close(v);
	return rc;
}

static void
check_vocabulary(void)
{
	const char *b = getenv("B");
	char path[4000];

	snprintf(path, sizeof(path),
	    "%s/share/npu-utils/bpe_simple_vocab_16e6.txt",
	    b != NULL ? b : "build");
	if (ok(file_load(path, 1 << 24, &vocabulary, NULL) == 0,
	    "CLIP's vocabulary can be read"))
		nomem("opening a vocabulary", open_vocabulary);
	buf_free(&vocabulary);
}

int
main(void)
{
	learn();
	nomem("using one tokenizer for all texts", use_coder);
	nomem("using a new tokenizer for each text", use_coders);
	nomem("encoding with a new tokenizer", encode_first);
	nomem("decoding with a new tokenizer", decode_first);
	nomem("repairing letters that were read in a wrong encoding",
	    mojibake_whole);
	nomem("repairing a text in many passes", mojibake_rounds);
	nomem("repairing one match after the other", mojibake_matches);
	nomem("normalising marks in the wrong order", use_nfc);
	check_vocabulary();
	nomem("merging a long word", use_merger);
	chain = make_chain(chained);
	if (ok(chain != NULL, "a vocabulary of a chain of merges is made")) {
		in_chain = naive(chain, chained, sizeof(chained) - 2,
		    chained_id);
		nomem("merging a word in which all merges depend on its end",
		    use_chain);
	}
	npu_bpe_close(chain);
	for (size_t i = 0; i < TEXTS; i++)
		free(ids[i].id);
	return done();
}
