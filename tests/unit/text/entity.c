// SPDX-License-Identifier: Apache-2.0
/* Compares HTML references with ftfy 6.3.1 and html.unescape() of Python
 * 3.11. */
#include "parts.h"
#include "text/entity.h"
#include "text/entity_data.h"

static bool
settle(const struct codepoints *in, struct codepoints *out, bool *changed)
{
	bool plain, rc = entity_fix_nested(in, out, &plain);

	*changed = rc && !parts_same(in, out);
	return rc;
}

/* Tests the table of names.  It is sorted as for the digest of the
 * reference. */
static void
check_names(void)
{
	uint64_t h = PARTS_DIGEST;
	unsigned count[8] = { 0 };

	for (unsigned n = 1; n <= ENTITY_LONGEST; n++) {
		const char *s = entity_names + entity_name[n];

		for (unsigned i = entity_first[n]; i < entity_first[n + 1];
		    i++) {
			const struct entity *e = &entities[i];
			uint32_t head[2] = { e->kinds, e->n }, c;

			for (unsigned k = 0; k < n; k++) {
				c = (uint32_t)*s++;
				h = parts_digest(h, &c, 1);
			}
			h = parts_digest(h, head, 2);
			h = parts_digest(h, entity_values + e->value, e->n);
			count[e->kinds & 7]++;
		}
	}
	parts_check_digest("names", h);
	ok(count[1] == 2019 && count[3] == 106 && count[4] == 1376,
	    "%u names, %u of them also without semicolon, %u in capitals",
	    count[1] + count[3], count[3], count[4]);
}

static size_t
reference_to(uint32_t c, uint32_t *out)
{
	char s[16];
	size_t n = (size_t)snprintf(s, sizeof(s), "&#%" PRIu32 ";", c);

	for (size_t i = 0; i < n; i++)
		out[i] = (uint32_t)s[i];
	return n;
}

static void
add_ascii(struct codepoints *w, const char *s)
{
	for (; *s != '\0'; s++)
		if (!codepoints_add(w, &(uint32_t){ (uint32_t)*s }, 1))
			abort();
}

/* Tests a numeric reference with leading zeros. */
static void
check_zeros(const char *start, size_t zeros, const char *end, uint32_t want)
{
	struct codepoints in = { 0 }, out = { 0 };
	bool changed = false;

	add_ascii(&in, start);
	for (size_t i = 0; i < zeros; i++)
		add_ascii(&in, "0");
	add_ascii(&in, end);
	ok(entity_unescape(&in, &out, &changed) && changed && out.n == 1 &&
	    out.p[0] == want,
	    "the reference %s, %zu zeros, %s becomes U+%04" PRIX32, start,
	    zeros, end, want);
	codepoints_free(&in);
	codepoints_free(&out);
}

/* Tests nested references.  entity_fix() would need one call for each level. */
static void
check_levels(const char *start, const char *level, const char *end)
{
	enum { LEVELS = 200000 };
	struct codepoints in = { 0 }, out = { 0 };
	bool plain = false;

	add_ascii(&in, start);
	for (int i = 0; i < LEVELS; i++)
		add_ascii(&in, level);
	add_ascii(&in, end);
	ok(entity_fix_nested(&in, &out, &plain) && plain && out.n == 1,
	    "%d times %s become one code point", LEVELS, level);
	codepoints_free(&in);
	codepoints_free(&out);
}

static bool
is_plain(const uint32_t *p, size_t n)
{
	struct codepoints in = { 0 }, out = { 0 };
	bool plain = false;

	if (!codepoints_add(&in, p, n) || !entity_fix_nested(&in, &out, &plain))
		abort();
	codepoints_free(&in);
	codepoints_free(&out);
	return plain;
}

int
main(void)
{
	check_names();
	parts_check("fix", entity_fix);
	parts_check("settle", settle);
	parts_check("unescape", entity_unescape);
	parts_check_all("fix", entity_fix, reference_to);
	parts_check_all("unescape", entity_unescape, reference_to);
	/* int() of Python 3.11 reads at most 4300 digits. */
	check_zeros("&#", 4298, "65;", 'A');
	check_zeros("&#", 4299, "65;", 0xfffd);
	check_zeros("&#x", 100000, "41;", 'A');
	check_levels("&", "amp;", "");
	check_levels("", "&semi", ";");
	ok(is_plain(U"&amp;lt;\u00e9", 9) && !is_plain(U"&amp;eacute;", 12) &&
	    !is_plain(U"&#13;", 5) && is_plain(U"&eacute", 7),
	    "a text is plain if its references stand for ASCII that is not "
	    "suspect");
	return done();
}
