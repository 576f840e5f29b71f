// SPDX-License-Identifier: Apache-2.0
/* Compares NFC with unicodedata.normalize() of Python 3.11. */
#include "parts.h"
#include "text/nfc.h"
#include "text/ucd.h"

/* Tests a million marks in the worst order.  An insertion sort would take
 * minutes. */
static void
check_long_run(void)
{
	enum { N = 1000000 };
	struct codepoints in = { 0 }, out = { 0 };
	bool changed = false, sorted = true;

	if (!codepoints_reserve(&in, N))
		abort();
	for (in.n = 0; in.n < N; in.n++)	/* of classes 230 and 220 */
		in.p[in.n] = in.n < N / 2 ? 0x300 : 0x316;
	ok(nfc(&in, &out, &changed) && changed && out.n == N,
	    "a million marks are sorted");
	for (size_t i = 0; i < out.n; i++)
		sorted &= out.p[i] == (i < N / 2 ? 0x316 : 0x300);
	ok(sorted, "marks of the lower class come first");
	codepoints_free(&in);
	codepoints_free(&out);
}

/* Checks that a text which nfc_quick() accepts does not change. */
static void
check_quick(const char *text, const char *want, parts_fix *fix)
{
	struct codepoints in = parts_read(text);

	(void)fix;
	if (nfc_quick(in.p, in.n))
		ok(strcmp(text, want) == 0,
		    "%s is accepted as NFC and does not change", text);
	codepoints_free(&in);
}

int
main(void)
{
	static const uint32_t none[] = { 0 };

	parts_check("nfc", nfc);
	parts_lines("nfc", check_quick, NULL);
	parts_check_all("nfc", nfc, parts_itself);
	ok(nfc_quick(none, 0) && nfc_quick(U"\u00e9\u4e2d\uac01", 3) &&
	    nfc_quick(U"a\u0332\u0346", 3), "nfc_quick() accepts plain texts");
	ok(nfc_quick(U"\u099b\u09be", 2) && nfc_quick(U"q\u0323\u0301", 3) &&
	    nfc_quick(U"e\u0346\u0301", 3) && nfc_quick(U"\u0301", 1) &&
	    nfc_quick(U"\u09c7\u0334\u09be", 3) &&
	    nfc_quick(U"\u1100\u11a8", 2),
	    "nfc_quick() accepts marks that compose only with other "
	    "characters");
	ok(!nfc_quick(U"\u09c7\u09be", 2) && !nfc_quick(U"e\u0332\u0301", 3) &&
	    !nfc_quick(U"\u1100\u1161", 2) && !nfc_quick(U"\uac00\u11a8", 2) &&
	    !nfc_quick(U"\u00e9\u0323", 2), "nfc_quick() refuses marks that "
	    "compose with the characters before");
	ok(!nfc_quick(U"e\u0301", 2) && !nfc_quick(U"a\u0346\u0332", 3) &&
	    !nfc_quick(U"\u212b", 1),
	    "nfc_quick() refuses texts that are decomposed, unsorted or have "
	    "singletons");
	check_long_run();
	return done();
}
