// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "text/nfc.h"
#include "text/nfc_data.h"
#include "text/ucd.h"

/* Hangul syllables are computed: The Unicode Standard 14.0, 3.12. */
enum {
	SYLLABLE = 0xac00, LEAD = 0x1100, VOWEL = 0x1161, TAIL = 0x11a7,
	LEADS = 19, VOWELS = 21, TAILS = 28,	/* the first tail means no
						 * tail */
	SYLLABLES = LEADS * VOWELS * TAILS,
};

/* ---- Composition ------------------------------------------------------- */

/* Returns the composition of first and second, or 0. */
static uint32_t
compose(uint32_t first, uint32_t second)
{
	size_t low = 0, high = nfc_npairs;

	if (first >= LEAD && first < LEAD + LEADS &&
	    second >= VOWEL && second < VOWEL + VOWELS)
		return SYLLABLE + ((first - LEAD) * VOWELS + second - VOWEL) *
		    TAILS;
	if (first >= SYLLABLE && first < SYLLABLE + SYLLABLES &&
	    (first - SYLLABLE) % TAILS == 0 &&
	    second > TAIL && second < TAIL + TAILS)
		return first + (second - TAIL);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct nfc_pair *p = &nfc_pairs[middle];

		if (p->first == first && p->second == second)
			return p->both;
		if (p->first < first ||
		    (p->first == first && p->second < second))
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

/*
 * Returns whether c, which may compose, may compose with the last starter; last
 * is the class of the code point before c.  If the starter decomposes, marks
 * can be inserted into it; this case returns true and is left to nfc().
 */
static bool
may_join(uint32_t starter, unsigned last, uint32_t c)
{
	unsigned class = ucd_class(c);

	if (class != 0 && ucd_is(starter, UCD_DECOMPOSES))
		return true;
	return (last == 0 || last < class) && compose(starter, c) != 0;
}

bool
nfc_quick(const uint32_t *p, size_t n)
{
	uint32_t starter = 0;	/* does not compose with anything */
	unsigned last = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t flags = ucd(p[i])->flags;
		unsigned class = flags >> UCD_CCC_SHIFT;

		if ((flags & UCD_NFC) == 0) {	/* nearly all */
			starter = p[i];
			last = 0;
			continue;
		}
		if ((flags & UCD_NFC_NO) != 0 ||
		    (class != 0 && class < last) ||
		    ((flags & UCD_NFC_MAYBE) != 0 &&
		    may_join(starter, last, p[i])))
			return false;
		if (class == 0)
			starter = p[i];
		last = class;
	}
	return true;
}

/* ---- Decomposition ----------------------------------------------------- */

static unsigned
decompose_syllable(uint32_t c, uint32_t out[NFC_MOST])
{
	uint32_t i = c - SYLLABLE;

	out[0] = LEAD + i / (VOWELS * TAILS);
	out[1] = VOWEL + i / TAILS % VOWELS;
	out[2] = TAIL + i % TAILS;
	return i % TAILS == 0 ? 2 : 3;
}

/* Writes the full decomposition of c.  Returns its number of code points. */
static unsigned
decompose(uint32_t c, uint32_t out[NFC_MOST])
{
	size_t low = 0, high = nfc_ndecompositions;
	const struct nfc_decomposition *d;

	out[0] = c;
	if (!ucd_is(c, UCD_DECOMPOSES))
		return 1;
	if (c >= SYLLABLE && c < SYLLABLE + SYLLABLES)
		return decompose_syllable(c, out);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		d = &nfc_decompositions[middle];
		if (d->c == c) {
			memcpy(out, nfc_parts + d->at, d->n * sizeof(*out));
			return d->n;
		}
		if (d->c < c)
			low = middle + 1;
		else
			high = middle;
	}
	return 1;		/* unreachable: both tables have one source */
}

static bool
decompose_all(const struct codepoints *in, struct codepoints *out)
{
	uint32_t parts[NFC_MOST];

	out->n = 0;
	if (!codepoints_reserve(out, in->n))
		return false;
	for (size_t i = 0; i < in->n; i++)
		if (!codepoints_add(out, parts, decompose(in->p[i], parts)))
			return false;
	return true;
}

/* ---- Order of marks ---------------------------------------------------- */

/* Sorts the marks p[0..n) by class, stably and in linear time.  other must have
 * room for n marks. */
static void
sort_marks(uint32_t *p, size_t n, uint32_t *other)
{
	size_t at[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[ucd_class(p[i])]++;
	for (unsigned class = 0; class < 256; class++) {
		size_t count = at[class];

		at[class] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		other[at[ucd_class(p[i])]++] = p[i];
	memcpy(p, other, n * sizeof(*p));
}

/* Returns the end of the run of marks that starts at i. */
static size_t
marks_end(const struct codepoints *w, size_t i, bool *ordered)
{
	unsigned class, last = 0;

	*ordered = true;
	for (; i < w->n && (class = ucd_class(w->p[i])) != 0; i++) {
		*ordered &= class >= last;
		last = class;
	}
	return i;
}

static bool
order_marks(struct codepoints *w)
{
	size_t end;
	bool ordered;

	for (size_t i = 0; i < w->n; i = end + 1) {
		end = marks_end(w, i, &ordered);
		if (ordered)
			continue;
		if (!codepoints_reserve(w, w->n + (end - i)))
			return false;
		sort_marks(w->p + i, end - i, w->p + w->n);
	}
	return true;
}

/* ---- Normalisation ----------------------------------------------------- */

/* Unicode Standard 14.0, 3.11, D117: a code point composes with the last
 * starter, unless a code point between them blocks this: a starter, or a mark
 * of the same or a higher class. */
static void
compose_all(struct codepoints *w)
{
	size_t starter = SIZE_MAX, out = 0;
	unsigned last = 0;	/* class of the last that did not compose */

	for (size_t i = 0; i < w->n; i++) {
		uint32_t c = w->p[i], flags = ucd(c)->flags, both;
		unsigned class = flags >> UCD_CCC_SHIFT;

		if ((flags & UCD_NFC_MAYBE) != 0 && starter != SIZE_MAX &&
		    (out == starter + 1 || last < class) &&
		    (both = compose(w->p[starter], c)) != 0) {
			w->p[starter] = both;
			continue;
		}
		if (class == 0)
			starter = out;
		last = class;
		w->p[out++] = c;
	}
	w->n = out;
}

bool
nfc(const struct codepoints *in, struct codepoints *out, bool *changed)
{
	*changed = false;
	if (nfc_quick(in->p, in->n)) {
		out->n = 0;
		return codepoints_add(out, in->p, in->n);
	}
	if (!decompose_all(in, out) || !order_marks(out))
		return false;
	compose_all(out);
	*changed = out->n != in->n ||
	    memcmp(out->p, in->p, in->n * sizeof(*in->p)) != 0;
	return true;
}
