// SPDX-License-Identifier: Apache-2.0
/* Compares the repair of single characters with ftfy 6.3.1. */
#include "parts.h"
#include "text/characters.h"

/* Tests half a million escape sequences without an end, one after the other. */
static void
check_linear(void)
{
	enum { N = 1500000 };
	static const uint32_t piece[] = { 0x1b, '[', ';' };
	struct codepoints in = { 0 }, out = { 0 };
	bool changed = false;

	for (size_t i = 0; i < N / 3; i++)
		if (!codepoints_add(&in, piece, 3))
			abort();
	ok(characters_fix(&in, &out, &changed) && changed &&
	    out.n == N / 3 * 2 && out.p[0] == '[' && out.p[out.n - 1] == ';',
	    "an escape sequence that does not end loses only its ESC");
	codepoints_free(&in);
	codepoints_free(&out);
}

/* Tests the characters with the longest replacement: there must be room. */
static void
check_room(void)
{
	struct codepoints in = { 0 }, out = { 0 };
	uint32_t ffi = 0xfb03;
	bool changed = false;

	for (size_t i = 0; i < 1000; i++)
		if (!codepoints_add(&in, &ffi, 1))
			abort();
	ok(characters_fix(&in, &out, &changed) && out.n == 3000 &&
	    out.p[0] == 'f' && out.p[2999] == 'i',
	    "a thousand ligatures become 3000 letters");
	codepoints_free(&in);
	codepoints_free(&out);
}

/* Tests that character_suspect() is exact for single characters.  It cannot be
 * exact for CR LF and escape sequences. */
static void
check_suspects(void)
{
	struct codepoints out = { 0 };
	unsigned wrong = 0;
	bool changed;

	for (uint32_t c = 0; c < 0x110000; c++) {
		struct codepoints in = { &c, 1, 1 };

		if (!characters_fix(&in, &out, &changed))
			abort();
		wrong += character_suspect(c) !=
		    (out.n != 1 || out.p[0] != c);
	}
	ok(wrong == 0, "exactly the suspect characters change when alone: %u "
	    "do not", wrong);
	codepoints_free(&out);
}

int
main(void)
{
	parts_check("characters", characters_fix);
	parts_check_all("characters", characters_fix, parts_itself);
	check_suspects();
	check_room();
	check_linear();
	return done();
}
