// SPDX-License-Identifier: Apache-2.0
/*
 * Conditions that entity, nfc and characters of lib/text fulfil for any text:
 * repairing a repaired text changes nothing, and fast checks agree with slow
 * ones.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/characters.h"
#include "text/entity.h"
#include "text/nfc.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

typedef bool fix(const struct codepoints *in, struct codepoints *out,
    bool *changed);

/*
 * Returns the code points, in memory without room after them; a byte that is
 * not UTF-8 becomes a code point with its value.
 */
static struct codepoints
decode(const uint8_t *p, size_t n)
{
	struct codepoints w = { 0 };
	size_t len;
	uint32_t c;

	for (size_t i = 0; i < n; i += len) {
		if ((len = utf8_decode((const char *)p + i, n - i, &c)) == 0) {
			c = p[i];
			len = 1;
		}
		if (!codepoints_add(&w, &c, 1))
			abort();
	}
	if (w.n > 0 && (w.p = realloc(w.p, w.n * sizeof(*w.p))) == NULL)
		abort();
	w.cap = w.n;
	return w;
}

static bool
same(const struct codepoints *a, const struct codepoints *b)
{
	return a->n == b->n &&
	    (a->n == 0 || memcmp(a->p, b->p, a->n * sizeof(*a->p)) == 0);
}

static bool
run(fix *f, const struct codepoints *in, struct codepoints *out)
{
	bool changed;

	if (!f(in, out, &changed) || changed == same(in, out))
		abort();
	for (size_t i = 0; i < out->n; i++)
		if (out->p[i] > 0x10ffff ||
		    (out->p[i] >= 0xd800 && out->p[i] < 0xe000))
			abort();
	return changed;
}

static void
check_characters(const struct codepoints *in)
{
	struct codepoints out = { 0 };
	bool suspect = false;

	for (size_t i = 0; i < in->n; i++)
		suspect |= character_suspect(in->p[i]);
	if (run(characters_fix, in, &out) != suspect)
		abort();
	for (size_t i = 0; i < out.n; i++)
		if (character_suspect(out.p[i]))
			abort();
	codepoints_free(&out);
}

static void
check_nfc(const struct codepoints *in)
{
	struct codepoints out = { 0 }, again = { 0 };
	bool changed = run(nfc, in, &out);

	if ((changed && nfc_quick(in->p, in->n)) || run(nfc, &out, &again))
		abort();
	codepoints_free(&out);
	codepoints_free(&again);
}

static void
check_entities(const struct codepoints *in)
{
	struct codepoints now = { 0 }, next = { 0 }, end = { 0 };
	bool plain;

	run(entity_unescape, in, &now);
	if (now.n > in->n || !entity_fix_nested(in, &end, &plain))
		abort();
	now.n = 0;
	if (!codepoints_add(&now, in->p, in->n))
		abort();
	while (run(entity_fix, &now, &next))
		codepoints_swap(&now, &next);
	if (!same(&now, &end))
		abort();
	codepoints_free(&now);
	codepoints_free(&next);
	codepoints_free(&end);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct codepoints w = decode(p, n);

	check_characters(&w);
	check_nfc(&w);
	check_entities(&w);
	codepoints_free(&w);
	return 0;
}
