// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "text/badness.h"
#include "text/characters.h"
#include "text/entity.h"
#include "text/fix.h"
#include "text/nfc.h"
#include "text/ucd.h"

enum {
	/*
	 * The limit of passes over a line, and the number of code points that
	 * the passes may read in total before this limit applies.  Each pass
	 * unescapes one level of "&amp;amp;amp;" in a text that is not all
	 * ASCII.  ftfy continues as long as the text changes, which takes hours
	 * for a malicious text.
	 */
	MOST_PASSES = 100,
	MOST_LOOKED = 1 << 26,
};

/*
 * Each rule of badness.h has a pair of neighbours that would be in
 * traits->pairs.  In NFC a space does not compose with anything, and no other
 * step looks past a space.
 */
bool
fix_no_repair(const struct fix_traits *traits, const struct codepoints *text)
{
	return !traits->odd && (traits->flags & UCD_FIX) == 0 &&
	    traits->pairs == 0 &&
	    ((traits->flags & UCD_NFC) == 0 || nfc_quick(text->p, text->n));
}

bool
fix_needed(const struct fix_traits *traits, const struct codepoints *text)
{
	if (fix_no_repair(traits, text))
		return false;
	if (traits->odd || (traits->flags & UCD_FIX))
		return true;
	/* Whether a text is bad may depend on where lines begin. */
	if (traits->pairs != 0 && (traits->lines || text->n > FIX_LINE ||
	    text_is_bad(text->p, text->n)))
		return true;
	return (traits->flags & UCD_NFC) && !nfc_quick(text->p, text->n);
}

/* The steps of the repair that have something to do, in order, as bits. */
enum { ENTITIES = 1, MOJIBAKE = 2, CHARACTERS = 4, ORDER = 8, ALL = 15 };

/* Returns the steps that may change the text.  Other steps do not change it. */
static unsigned
steps_for(const struct codepoints *text)
{
	struct fix_traits traits = { 0 };
	unsigned steps = 0;
	uint32_t before = ' ';

	for (size_t i = 0; i < text->n; before = text->p[i++]) {
		fix_traits_add(&traits, before, text->p[i]);
		traits.flags |= ucd(text->p[i])->flags;
		if (text->p[i] == '&')
			steps |= ENTITIES;
	}
	fix_traits_add(&traits, before, ' ');
	return steps | (traits.pairs != 0 ? MOJIBAKE : 0) |
	    (traits.flags & UCD_FIX ? CHARACTERS : 0) |
	    (traits.flags & UCD_NFC ? ORDER : 0);
}

static bool
step(struct fixer *f,
    bool (*fix)(const struct codepoints *in, struct codepoints *out,
	bool *changed))
{
	bool changed;

	if (!fix(&f->line, &f->next, &changed))
		return false;
	if (changed)
		codepoints_swap(&f->line, &f->next);
	f->changed |= changed;
	return true;
}

static bool
step_mojibake(struct fixer *f)
{
	struct codepoints *a = &f->line, *b = &f->before;

	b->n = 0;
	if (!codepoints_add(b, a->p, a->n) || !mojibake_fix(&f->mojibake, a))
		return false;
	if (a->n != b->n || memcmp(a->p, b->p, a->n * sizeof(*a->p)) != 0)
		f->changed = true;
	return true;
}

/* Does one pass of fix_and_explain(). */
static bool
fix_pass(struct fixer *f, bool entities)
{
	unsigned steps = steps_for(&f->line);

	f->changed = false;
	if (entities && (steps & ENTITIES) && !step(f, entity_fix))
		return false;
	steps = f->changed ? ALL : steps;
	if ((steps & MOJIBAKE) && !step_mojibake(f))
		return false;
	steps = f->changed ? ALL : steps;
	if ((steps & CHARACTERS) && !step(f, characters_fix))
		return false;
	steps = f->changed ? ALL : steps;
	return (steps & ORDER) == 0 || step(f, nfc);
}

/* Returns whether only entity_fix() may have something to do. */
static bool
only_entities(const struct codepoints *text)
{
	for (size_t i = 0; i < text->n; i++)
		if (ucd_is(text->p[i], UCD_FIX | UCD_NFC) ||
		    text_suspect(text->p[i]))
			return false;
	return true;
}

/* fix_and_explain(): repeats all steps until they change nothing. */
static bool
fix_line(struct fixer *f, bool entities)
{
	unsigned passes = 0;
	bool ascii;

	if (entities && only_entities(&f->line)) {
		if (!entity_fix_nested(&f->line, &f->next, &ascii))
			return false;
		if (ascii) {
			codepoints_swap(&f->line, &f->next);
			return true;
		}
	}
	do {
		f->looked += f->line.n;
		if (!fix_pass(f, entities))
			return false;
	} while (f->changed &&
	    (++passes < MOST_PASSES || f->looked < MOST_LOOKED));
	return true;
}

/* Returns the end of the line that begins at at: after its newline, or after
 * FIX_LINE code points.  ftfy calls a line a segment. */
static size_t
line_end(const struct codepoints *text, size_t at)
{
	size_t n = text->n - at;

	if (n > FIX_LINE)
		n = FIX_LINE;
	for (size_t i = at; i < at + n; i++)
		if (text->p[i] == '\n')
			return i + 1;
	return at + n;
}

static bool
fix_lines(struct fixer *f, const struct codepoints *text)
{
	bool entities = true;
	size_t end;

	f->out.n = 0;
	f->looked = 0;
	for (size_t at = 0; at < text->n; at = end) {
		end = line_end(text, at);
		f->line.n = 0;
		if (!codepoints_add(&f->line, text->p + at, end - at))
			return false;
		/* A '<' indicates HTML in this line and in all later lines. */
		if (codepoints_has(&f->line, '<'))
			entities = false;
		if (!fix_line(f, entities) ||
		    !codepoints_add(&f->out, f->line.p, f->line.n))
			return false;
	}
	return true;
}

bool
fix_text(struct fixer *f, struct codepoints *text)
{
	if (!fix_lines(f, text))
		return false;
	codepoints_swap(text, &f->out);
	return true;
}

/*
 * Without a suspect pair and without '&', a pass only replaces code points and
 * composes them within the segment.  If the result has neither and nothing to
 * replace, the next pass changes nothing.
 */
bool
fix_segment(struct fixer *f, const struct fix_traits *traits,
    struct codepoints *text, bool *no_repair)
{
	*no_repair = false;
	if (traits->odd || traits->pairs != 0)
		return true;
	f->line.n = 0;
	if (!codepoints_add(&f->line, text->p, text->n) ||
	    !step(f, characters_fix) || !step(f, nfc))
		return false;
	*no_repair = (steps_for(&f->line) & ~(unsigned)ORDER) == 0;
	if (*no_repair)
		codepoints_swap(text, &f->line);
	return true;
}

void
fix_free(struct fixer *f)
{
	codepoints_free(&f->line);
	codepoints_free(&f->before);
	codepoints_free(&f->next);
	codepoints_free(&f->out);
	mojibake_free(&f->mojibake);
}
