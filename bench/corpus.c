// SPDX-License-Identifier: Apache-2.0
/*
 * corpus captions|multilingual SEED COUNT - writes texts for measuring a
 * tokenizer, one in each line.  A seed gives the same bytes on every machine.
 *
 * Words are drawn by Zipf's law from the lists of words.h and tongues.h.
 * Names, compounds and numbers that are made from these words are the long
 * tail.  One in twelve multilingual lines is written incorrectly, and CLIP's
 * cleaning changes that line.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "tongues.h"
#include "words.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { MOST = 1024, TAIL = 12000 };

/* ---- Random numbers ---------------------------------------------------- */

static uint64_t state;

/* S. Vigna, xorshift64*, ACM TOMS 42 (2016); state must not be 0. */
static uint32_t
any(uint32_t below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint32_t)((state * UINT64_C(0x2545f4914f6cdd1d) >> 32) *
	    below >> 32);
}

static bool
chance(uint32_t percent)
{
	return any(100) < percent;
}

/*
 * sum[i] is the sum of the likelihoods of 0 to i, which are 1 / (i + 3) each.
 */
static uint32_t sum[TAIL];

static void
make_sums(void)
{
	for (uint32_t i = 0; i < TAIL; i++)
		sum[i] = (i > 0 ? sum[i - 1] : 0) + (1 << 24) / (i + 3);
}

/* Draws a number from 0 to n - 1, by Zipf's law. */
static uint32_t
zipf(size_t n)
{
	uint32_t r = any(sum[n - 1]), low = 0, high = (uint32_t)n - 1;

	while (low < high) {
		uint32_t mid = (low + high) / 2;

		if (r < sum[mid])
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* ---- Lists ------------------------------------------------------------- */

struct list {
	const char *word[MOST];
	size_t n;
};

static struct list noun, adjective, action, place, relation, opener, syllable,
    ending, tongue[COUNT(tongues)];

/* Adds the words in s; '@' within a word stands for a space. */
static void
split(struct list *l, const char *s)
{
	char *copy = strdup(s), *p;

	if (copy == NULL)
		abort();
	for (p = strtok(copy, " "); p != NULL; p = strtok(NULL, " ")) {
		if (l->n == MOST)
			abort();
		l->word[l->n++] = p;
		while ((p = strchr(p, '@')) != NULL)
			*p = ' ';
	}
}

static const char *
likely(const struct list *l)
{
	return l->word[zipf(l->n)];
}

/* ---- The long tail ----------------------------------------------------- */

/* Every draw of the k-th made-up word gives the same word. */
static uint32_t
of(uint32_t k, uint32_t which)
{
	uint32_t h = (k * 4 + which + 1) * UINT32_C(0x9e3779b1);

	h = (h ^ h >> 15) * UINT32_C(0x85ebca6b);
	return h ^ h >> 13;
}

static void
put_name(struct buf *b)
{
	uint32_t k = zipf(3000), parts = 2 + of(k, 3) % 2;
	char s[4];

	for (uint32_t i = 0; i < parts; i++) {
		snprintf(s, sizeof(s), "%s", syllable.word[of(k, i) %
		    syllable.n]);
		if (i == 0)
			s[0] = (char)(s[0] - 'a' + 'A');
		buf_puts(b, s);
	}
}

static void
put_compound(struct buf *b)
{
	uint32_t k = zipf(TAIL);

	buf_puts(b, noun.word[of(k, 0) % noun.n]);
	if (of(k, 2) % 8 == 0)
		buf_puts(b, "-");
	if (of(k, 2) % 3 == 0)
		buf_puts(b, ending.word[of(k, 1) % ending.n]);
	else
		buf_puts(b, noun.word[of(k, 1) % noun.n]);
}

static void
put_number(struct buf *b)
{
	char s[40];
	uint32_t kind = any(8);

	if (kind < 3)
		snprintf(s, sizeof(s), "%u", 2 + zipf(99));
	else if (kind < 5)
		snprintf(s, sizeof(s), "%u", 1900 + any(130));
	else if (kind == 5)
		snprintf(s, sizeof(s), "%u.%u", any(20), any(10));
	else if (kind == 6)
		snprintf(s, sizeof(s), "%u:%02u", 1 + any(12), any(60));
	else
		snprintf(s, sizeof(s), "#%u", zipf(TAIL));
	buf_puts(b, s);
}

static void
put_rare(struct buf *b)
{
	switch (any(5)) {
	case 0:
	case 1: put_name(b); break;
	case 2: put_number(b); break;
	default: put_compound(b); break;
	}
}

/* ---- Captions ---------------------------------------------------------- */

static void
put_plural(struct buf *b, const char *word)
{
	size_t n = strlen(word);

	if (strchr("sxhz", word[n - 1]) != NULL) {
		buf_puts(b, word);
		buf_puts(b, "es");
	} else if (word[n - 1] == 'y' && strchr("aeou", word[n - 2]) == NULL) {
		buf_add(b, word, n - 1);
		buf_puts(b, "ies");
	} else {
		buf_puts(b, word);
		buf_puts(b, "s");
	}
}

/* "large red bus", "dogs", "Marlen's boat". */
static void
put_thing(struct buf *b, bool plural)
{
	if (chance(3)) {
		put_name(b);
		buf_puts(b, "'s ");
	}
	if (chance(40)) {
		buf_puts(b, likely(&adjective));
		buf_puts(b, chance(10) ? ", " : " ");
	}
	if (chance(8)) {
		buf_puts(b, likely(&adjective));
		buf_puts(b, " ");
	}
	if (chance(24))
		put_rare(b);
	else if (plural)
		put_plural(b, likely(&noun));
	else
		buf_puts(b, likely(&noun));
}

static void
put_relation(struct buf *b)
{
	static const char *const articles[] = { " a ", " the ", " ", " some " };

	buf_puts(b, " ");
	buf_puts(b, likely(&relation));
	buf_puts(b, articles[zipf(COUNT(articles))]);
	put_thing(b, chance(15));
}

static void
put_caption(struct buf *b)
{
	const char *open = likely(&opener);

	buf_puts(b, open);
	buf_puts(b, " ");
	put_thing(b, strchr("tsmf", open[0]) != NULL && chance(50));
	if (chance(15)) {
		buf_puts(b, " and a ");
		put_thing(b, false);
	}
	if (chance(70)) {
		buf_puts(b, chance(20) ? " is " : " ");
		buf_puts(b, likely(&action));
	}
	for (uint32_t i = chance(42); i < 2; i++)
		put_relation(b);
	if (chance(20)) {
		buf_puts(b, " ");
		buf_puts(b, likely(&place));
	}
	if (chance(4)) {
		buf_puts(b, ", ");
		put_number(b);
	}
	if (chance(70))
		b->p[0] = (char)(b->p[0] - 'a' + 'A');
	if (chance(80))
		buf_puts(b, chance(95) ? "." : "!");
}

/* ---- Other languages --------------------------------------------------- */

/* Every fourth word is a compound, as rare as the compounds in captions. */
static void
put_word(struct buf *b, const struct list *l)
{
	uint32_t k = zipf(TAIL);

	if (chance(75)) {
		buf_puts(b, likely(l));
		return;
	}
	buf_puts(b, l->word[of(k, 0) % l->n]);
	buf_puts(b, l->word[of(k, 1) % l->n]);
}

static void
put_sentence(struct buf *b)
{
	uint32_t which = zipf(COUNT(tongues)), n = 3 + any(10);
	const struct tongue *t = &tongues[which];

	n += t->joined ? 5 : 0;
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0 && (!t->joined || chance(4)))
			buf_puts(b, chance(4) ? ", " : " ");
		if (chance(3))
			put_rare(b);
		else
			put_word(b, &tongue[which]);
	}
	if (chance(40))
		buf_puts(b, t->stop);
}

/* ---- Texts that cleaning changes --------------------------------------- */

static void
put_point(struct buf *b, uint32_t c)
{
	char s[4];

	buf_add(b, s, utf8_encode(c, s));
}

/* UTF-8 read as windows-1252, or as Latin-1 for bytes that the former lacks. */
static void
mojibake(struct buf *b, const char *s)
{
	static const uint16_t high[32] = {
		0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021,
		0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
		0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
		0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
	};

	for (; *s != '\0'; s++) {
		uint8_t c = (uint8_t)*s;

		put_point(b, c >= 0x80 && c < 0xa0 ? high[c - 0x80] : c);
	}
}

static void
full_width(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++)
		if (*s > ' ' && *s <= '~')
			put_point(b, 0xff00 + (uint32_t)(*s - ' '));
		else
			buf_add(b, s, 1);
}

/* Writes a corrupted word among correct words. */
static void
put_spoilt(struct buf *b)
{
	static const char *const entities[] = { "&amp;", "&quot;", "&lt;3",
	    "&#39;", "&eacute;", "&copy; 2024", "&nbsp;", "&#x1F600;",
	    "&amp;amp;", "&hellip;" };
	static const char *const accents[] = { "cafe\u0301", "man\u0303ana",
	    "u\u0308ber", "de\u0301ja\u0300", "A\u030angstro\u0308m",
	    "fac\u0327ade", "\u1112\u1161\u11ab", "\u304b\u3099" };
	static const char *const garbled[] = { "caf\u00e9", "d\u00e9j\u00e0 vu",
	    "\u201cgood\u201d", "it\u2019s", "\u20ac 5", "M\u00fcnchen",
	    "\u043f\u0440\u0438\u0432\u0435\u0442",
	    "\u732b\u306e\u5199\u771f" };

	switch (any(6)) {
	case 0:
		buf_puts(b, "it\u2019s a \u201c");
		buf_puts(b, likely(&noun));
		buf_puts(b, "\u201d");
		break;
	case 1: buf_puts(b, entities[any(COUNT(entities))]); break;
	case 2: buf_puts(b, accents[any(COUNT(accents))]); break;
	case 3: full_width(b, likely(&noun)); break;
	case 4: mojibake(b, garbled[any(COUNT(garbled))]); break;
	default:
		buf_puts(b, "\ufb01sh and ");
		buf_puts(b, likely(&noun));
		buf_puts(b, "\u2019s");
		break;
	}
}

static void
put_line(struct buf *b)
{
	bool spoilt = any(1000) < 80, before = chance(50);

	if (spoilt && before) {
		put_spoilt(b);
		buf_puts(b, " ");
	}
	put_sentence(b);
	if (spoilt && !before) {
		buf_puts(b, " ");
		put_spoilt(b);
	}
}

/* ---- ------------------------------------------------------------------- */

static void
read_lists(void)
{
	split(&noun, nouns);
	split(&noun, more_nouns);
	split(&adjective, adjectives);
	split(&action, actions);
	split(&place, places);
	split(&relation, relations);
	split(&opener, openers);
	split(&syllable, syllables);
	split(&ending, endings);
	for (size_t i = 0; i < COUNT(tongues); i++)
		split(&tongue[i], tongues[i].words);
}

int
main(int argc, char *argv[])
{
	void (*put)(struct buf *) = NULL;
	struct buf b = { 0 };
	unsigned long count;

	if (argc == 4 && strcmp(argv[1], "captions") == 0)
		put = put_caption;
	else if (argc == 4 && strcmp(argv[1], "multilingual") == 0)
		put = put_line;
	if (put == NULL) {
		fprintf(stderr,
		    "usage: corpus captions|multilingual SEED COUNT\n");
		return 2;
	}
	state = strtoull(argv[2], NULL, 10) * 2 + 1;
	count = strtoul(argv[3], NULL, 10);
	make_sums();
	read_lists();
	for (unsigned long i = 0; i < count; i++) {
		buf_clear(&b);
		put(&b);
		buf_puts(&b, "\n");
		if (b.failed || fwrite(b.p, 1, b.n, stdout) != b.n)
			return 1;
	}
	buf_free(&b);
	return fflush(stdout) != 0;
}
