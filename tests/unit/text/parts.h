/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a module on its lines of tests/data/text-parts.txt, which were made by
 * Python and ftfy. */
#ifndef TESTS_UNIT_TEXT_PARTS_H
#define TESTS_UNIT_TEXT_PARTS_H

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "text/codepoints.h"

#define PARTS_LINE 8192

/* A function that makes *out from in, as the modules of lib/text do. */
typedef bool parts_fix(const struct codepoints *in, struct codepoints *out,
    bool *changed);

/* Reads code points such as "26,61", or "-".  The result has exactly as much
 * memory as needed, for AddressSanitizer to detect a read past its end. */
static inline struct codepoints
parts_read(const char *s)
{
	struct codepoints w = { 0 };
	char *end;

	for (; *s != '-' && *s != '\0'; s = *end == ',' ? end + 1 : end) {
		uint32_t c = (uint32_t)strtoul(s, &end, 16);

		if (end == s || !codepoints_add(&w, &c, 1))
			abort();
	}
	if (w.n > 0 && (w.p = realloc(w.p, w.n * sizeof(*w.p))) == NULL)
		abort();
	w.cap = w.n;
	return w;
}

static inline bool
parts_same(const struct codepoints *a, const struct codepoints *b)
{
	return a->n == b->n &&
	    (a->n == 0 || memcmp(a->p, b->p, a->n * sizeof(*a->p)) == 0);
}

/* Calls each() for every line of the table that begins with op.  Returns the
 * number of these lines. */
static inline unsigned
parts_lines(const char *op, void (*each)(const char *first, const char *then,
    parts_fix *fix), parts_fix *fix)
{
	static char line[PARTS_LINE], name[32], first[PARTS_LINE],
	    then[PARTS_LINE];
	FILE *f = fopen("tests/data/text-parts.txt", "r");
	unsigned n = 0;

	if (!ok(f != NULL, "tests/data/text-parts.txt can be opened"))
		return 0;
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%31s %8191s %8191s", name, first,
		    then) != 3 ||
		    strcmp(name, op) != 0)
			continue;
		each(first, then, fix);
		n++;
	}
	fclose(f);
	return n;
}

static inline void
parts_compare(const char *in, const char *want, parts_fix *fix)
{
	struct codepoints a = parts_read(in), b = parts_read(want), out = { 0 };
	bool changed = false;

	if (!ok(fix(&a, &out, &changed) && parts_same(&out, &b) &&
	    changed == !parts_same(&a, &b), "%s becomes %s", in, want))
		for (size_t i = 0; i < out.n; i++)
			diag("%" PRIx32, out.p[i]);
	codepoints_free(&a);
	codepoints_free(&b);
	codepoints_free(&out);
}

/* Compares fix() with every line of the table for op. */
static inline void
parts_check(const char *op, parts_fix *fix)
{
	ok(parts_lines(op, parts_compare, fix) > 50,
	    "%s: the table has more than 50 lines", op);
}

/* Computes FNV-1a over code points. */
#define PARTS_DIGEST UINT64_C(0xcbf29ce484222325)

static inline uint64_t
parts_digest(uint64_t h, const uint32_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static char parts_wanted[32];
static const char *parts_digest_name;

static inline void
parts_find_digest(const char *name, const char *digest, parts_fix *fix)
{
	(void)fix;
	if (strcmp(name, parts_digest_name) == 0)
		snprintf(parts_wanted, sizeof(parts_wanted), "%s", digest);
}

static inline void
parts_check_digest(const char *name, uint64_t h)
{
	char got[32];

	parts_digest_name = name;
	parts_wanted[0] = '\0';
	parts_lines("digest", parts_find_digest, NULL);
	snprintf(got, sizeof(got), "%" PRIx64, h);
	ok(strcmp(got, parts_wanted) == 0,
	    "%s: the digest over all results is as in the table: %s", name,
	    got);
}

/* Tests each code point alone, in the text that write() makes from the code
 * point. */
static inline void
parts_check_all(const char *name, parts_fix *fix,
    size_t (*write)(uint32_t c, uint32_t *out))
{
	struct codepoints out = { 0 };
	uint64_t h = PARTS_DIGEST;
	uint32_t text[16];
	bool changed;

	if (brief())
		return;		/* the digest needs all code points */
	for (uint32_t c = 0; c < 0x110000; c++) {
		struct codepoints in = { text, 0, 16 };
		uint32_t n;

		if (c >= 0xd800 && c < 0xe000)
			continue;
		in.n = write(c, text);
		if (!fix(&in, &out, &changed))
			abort();
		n = (uint32_t)out.n;
		h = parts_digest(parts_digest(h, &n, 1), out.p, out.n);
	}
	parts_check_digest(name, h);
	codepoints_free(&out);
}

static inline size_t
parts_itself(uint32_t c, uint32_t *out)
{
	*out = c;
	return 1;
}

#endif
