// SPDX-License-Identifier: Apache-2.0
/*
 * nfc - writes the tables of text/nfc_data.h.
 *
 *	nfc /usr/share/unicode > nfc_tables.c
 */
#include "text/nfc_data.h"
#include "ucdfile.h"

enum { MAX_PAIRS = 2000 };

static struct decomposition {
	uint32_t part[2];
	unsigned n;		/* 0: no decomposition */
} decompositions[CODEPOINTS];
static bool excluded[CODEPOINTS];	/* from composition */
static struct nfc_pair pairs[MAX_PAIRS];
static unsigned npairs;

static void
unicode_data(char *field[MAX_FIELDS])
{
	uint32_t c = (uint32_t)strtoul(field[0], NULL, 16);

	if (c >= CODEPOINTS)
		fail(field[0], "is not a code point");
	if (known(c, PYTHON) && field[5][0] != '<')
		decompositions[c].n =
		    sequence(field[5], decompositions[c].part, 2);
}

static void
normalization(char *field[MAX_FIELDS])
{
	uint32_t first, last;

	if (strcmp(field[1], "Full_Composition_Exclusion") != 0)
		return;
	range(field[0], &first, &last);
	for (uint32_t c = first; c <= last; c++)
		excluded[c] = true;
}

/* Appends the full decomposition of c.  The size of out limits the depth of the
 * recursion. */
static unsigned
decompose(uint32_t c, uint32_t out[NFC_MOST], unsigned n)
{
	const struct decomposition *d = &decompositions[c];

	if (n == NFC_MOST)
		fail("UnicodeData.txt", "has a longer decomposition");
	if (d->n == 0) {
		out[n] = c;
		return n + 1;
	}
	for (unsigned i = 0; i < d->n; i++)
		n = decompose(d->part[i], out, n);
	return n;
}

static void
write_decompositions(void)
{
	static uint32_t parts[UINT16_MAX];
	unsigned at = 0, count = 0;

	printf("const struct nfc_decomposition nfc_decompositions[] = {\n");
	for (uint32_t c = 0; c < CODEPOINTS; c++) {
		unsigned n;

		if (decompositions[c].n == 0)
			continue;
		if (at > UINT16_MAX - NFC_MOST)
			fail("UnicodeData.txt", "has too many decompositions");
		n = decompose(c, parts + at, 0);
		printf("\t{ 0x%x, %u, %u },\n", c, at, n);
		at += n;
		count++;
	}
	printf("};\nconst uint16_t nfc_ndecompositions = %u;\n", count);
	printf("const uint32_t nfc_parts[] = {\n");
	for (unsigned i = 0; i < at; i++)
		printf("0x%x,%s", parts[i], i % 8 == 7 ? "\n" : "");
	printf("};\n");
}

static int
by_parts(const void *a, const void *b)
{
	const struct nfc_pair *p = a, *q = b;

	if (p->first != q->first)
		return p->first < q->first ? -1 : 1;
	return p->second < q->second ? -1 : p->second > q->second;
}

static void
write_pairs(void)
{
	for (uint32_t c = 0; c < CODEPOINTS; c++) {
		const struct decomposition *d = &decompositions[c];

		if (d->n != 2 || excluded[c])
			continue;
		if (npairs == MAX_PAIRS)
			fail("UnicodeData.txt", "has too many compositions");
		pairs[npairs++] = (struct nfc_pair){ d->part[0], d->part[1],
		    c };
	}
	qsort(pairs, npairs, sizeof(*pairs), by_parts);
	printf("const struct nfc_pair nfc_pairs[] = {\n");
	for (unsigned i = 0; i < npairs; i++)
		printf("\t{ 0x%x, 0x%x, 0x%x },\n", pairs[i].first,
		    pairs[i].second, pairs[i].both);
	printf("};\nconst uint16_t nfc_npairs = %u;\n", npairs);
}

int
main(int argc, char *argv[])
{
	if (argc != 2)
		fail("usage", "nfc FOLDER");
	read_ages(argv[1]);
	read_ucd(argv[1], "UnicodeData.txt", 15, unicode_data);
	read_ucd(argv[1], "DerivedNormalizationProps.txt", 2, normalization);
	printf("// SPDX-License-Identifier: Unicode-DFS-2016\n"
	    "/* Made by scripts/tables/nfc.c from the Unicode Character\n"
	    " * Database 15.0.0 (Debian's unicode-data), Copyright (c)\n"
	    " * 1991-2022 Unicode, Inc. */\n"
	    "#include \"text/nfc_data.h\"\n\n");
	write_decompositions();
	write_pairs();
	return fflush(stdout) != 0 || ferror(stdout);
}
