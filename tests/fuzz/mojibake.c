// SPDX-License-Identifier: Apache-2.0
/*
 * Any text is repaired completely, as if rounds over the whole text were made:
 * another round changes nothing.  The text does not become longer, and it
 * consists of Unicode scalar values.
 */
#include "base/utf8.h"
#include "support/naive_mojibake.h"
#include "text/mojibake.h"

enum { NAIVE_MOST = 1000 };	/* code points; naive_fix() takes quadratic time
				   */

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/*
 * Reads code points from UTF-8; a byte that is not UTF-8 becomes a code point.
 */
static void
read_text(const uint8_t *p, size_t n, struct codepoints *out)
{
	uint32_t c;
	size_t len;

	out->n = 0;
	for (size_t i = 0; i < n; i += len) {
		if ((len = utf8_decode((const char *)p + i, n - i, &c)) == 0) {
			c = p[i];
			len = 1;
		}
		if (!codepoints_add(out, &c, 1))
			abort();
	}
}

static bool
same(const struct codepoints *a, const struct codepoints *b)
{
	return a->n == b->n && (a->n == 0 ||
	    memcmp(a->p, b->p, a->n * sizeof(*a->p)) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct mojibake m;
	static struct codepoints text, other;
	size_t before;

	read_text(p, n, &text);
	before = text.n;
	if (!mojibake_fix(&m, &text) || text.n > before)
		abort();
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] > 0x10ffff ||
		    (text.p[i] >= 0xd800 && text.p[i] < 0xe000))
			abort();
	read_text(p, n, &other);
	if (other.n <= NAIVE_MOST) {
		naive_fix(&other);
		if (!same(&text, &other))
			abort();
	}
	other.n = 0;
	if (!codepoints_add(&other, text.p, text.n) ||
	    !mojibake_fix(&m, &text) || !same(&text, &other))
		abort();
	return 0;
}
