// SPDX-License-Identifier: Apache-2.0
/*
 * unicode - writes the table of properties of text/ucd.h.
 *
 *	unicode /usr/share/unicode ftfy-characters.txt > unicode_tables.c
 */
#include "text/ucd.h"
#include "ucdfile.h"

enum { BLOCKS = CODEPOINTS / UCD_BLOCK };

static struct ucd_prop props[CODEPOINTS];
static bool decomposes[CODEPOINTS];	/* canonically or otherwise */
static uint32_t longs[64][UCD_LONG_MAX];
static unsigned nlongs;
static struct ucd_prop kinds[256];
static unsigned nkinds;

/* Returns the classes as the module regex defines them. */
static uint32_t
classes(char *field[MAX_FIELDS])
{
	uint32_t flags = 0;

	if (field[2][0] == 'L')
		flags |= UCD_LETTER;
	if (field[2][0] == 'N')
		flags |= UCD_NUMBER;
	return flags;
}

/* Returns the classes as Python defines them. */
static uint32_t
python_classes(char *field[MAX_FIELDS])
{
	uint32_t flags = (uint32_t)atoi(field[3]) << UCD_CCC_SHIFT;

	/* str.isalnum(): a letter, or Numeric_Type is not None. */
	if (field[2][0] == 'L' || field[8][0] != '\0')
		flags |= UCD_ALNUM;
	if (strcmp(field[2], "Nd") == 0)
		flags |= UCD_DIGIT;
	if (field[5][0] != '\0' && field[5][0] != '<')
		flags |= UCD_DECOMPOSES;
	return flags;
}

static void
unicode_data(char *field[MAX_FIELDS])
{
	static uint32_t first;
	uint32_t c = (uint32_t)strtoul(field[0], NULL, 16);
	int32_t lower = 0;

	if (strstr(field[1], ", Last>") == NULL)
		first = c;
	if (field[13][0] != '\0')
		lower = (int32_t)strtoul(field[13], NULL, 16) - (int32_t)c;
	for (uint32_t i = first; i <= c && i < CODEPOINTS; i++) {
		if (known(i, REGEX))
			props[i].flags = classes(field);
		if (known(i, PYTHON)) {
			props[i].flags |= python_classes(field);
			props[i].lower = lower;
			decomposes[i] = field[5][0] != '\0';
		}
		if (strncmp(field[1], "<Hangul Syllable", 16) == 0)
			props[i].flags |= UCD_DECOMPOSES;
	}
}

static void
set_flag(char *field[MAX_FIELDS], const char *property, uint32_t flag,
    unsigned version)
{
	uint32_t first, last;

	if (strcmp(field[1], property) != 0)
		return;
	range(field[0], &first, &last);
	for (uint32_t c = first; c <= last; c++)
		if (known(c, version))
			props[c].flags |= flag;
}

static void
prop_list(char *field[MAX_FIELDS])
{
	set_flag(field, "White_Space", UCD_SPACE, REGEX);
}

static void
core_properties(char *field[MAX_FIELDS])
{
	set_flag(field, "Cased", UCD_CASED, PYTHON);
	set_flag(field, "Case_Ignorable", UCD_IGNORABLE, PYTHON);
}

static void
normalization(char *field[MAX_FIELDS])
{
	if (strcmp(field[2], "N") == 0)
		set_flag(field, "NFC_QC", UCD_NFC_NO, PYTHON);
	else
		set_flag(field, "NFC_QC", UCD_NFC_MAYBE, PYTHON);
}

/* code; lower; title; upper; conditions.  Rows with conditions are for some
 * languages, or for the final sigma, which text/clean.c handles. */
static void
special_casing(char *field[MAX_FIELDS])
{
	uint32_t c = (uint32_t)strtoul(field[0], NULL, 16);

	if (field[4][0] != '\0' || strchr(field[1], ' ') == NULL ||
	    !known(c, PYTHON))
		return;
	if (nlongs == sizeof(longs) / sizeof(*longs))
		fail("SpecialCasing.txt", "has too many lower cases");
	sequence(field[1], longs[nlongs], UCD_LONG_MAX);
	props[c].flags |= UCD_LONG;
	props[c].lower = (int32_t)nlongs++;
}

/* Marks the characters of ftfy-characters.txt; characters.c writes their
 * replacements. */
static void
repaired(char *field[MAX_FIELDS])
{
	uint32_t first, last;

	range(field[0], &first, &last);
	for (uint32_t c = first; c <= last; c++)
		if (strcmp(field[1], "width") != 0 || decomposes[c])
			props[c].flags |= UCD_FIX;
}

/* Returns the index of p among the distinct properties, the later ucd_props. */
static uint8_t
kind_number(const struct ucd_prop *p)
{
	unsigned i = 0;

	while (i < nkinds && (kinds[i].flags != p->flags ||
	    kinds[i].lower != p->lower))
		i++;
	if (i == sizeof(kinds) / sizeof(*kinds))
		fail("UnicodeData.txt", "has over 256 kinds of code points");
	if (i == nkinds)
		kinds[nkinds++] = *p;
	return (uint8_t)i;
}

static void
write_kinds(void)
{
	printf("const struct ucd_prop ucd_props[] = {\n");
	for (unsigned i = 0; i < nkinds; i++)
		printf("\t{ %u, %d },\n", kinds[i].flags, kinds[i].lower);
	printf("};\n");
}

static void
write_rows(void)
{
	static uint8_t rows[BLOCKS][UCD_BLOCK];
	static uint16_t at[BLOCKS];
	unsigned n = 0, i, k;

	for (i = 0; i < BLOCKS; i++) {
		for (k = 0; k < UCD_BLOCK; k++)
			rows[n][k] = kind_number(&props[i * UCD_BLOCK + k]);
		for (k = 0; memcmp(rows[k], rows[n], UCD_BLOCK) != 0; k++)
			continue;
		at[i] = (uint16_t)k;
		n += k == n;
	}
	printf("const uint16_t ucd_index[%d] = {\n", BLOCKS);
	for (i = 0; i < BLOCKS; i++)
		printf("%u,%s", at[i], i % 16 == 15 ? "\n" : "");
	printf("};\nconst uint8_t ucd_rows[][UCD_BLOCK] = {\n");
	for (i = 0; i < n; i++) {
		printf("{");
		for (k = 0; k < UCD_BLOCK; k++)
			printf("%u,%s", rows[i][k], k % 32 == 31 ? "\n" : "");
		printf("},\n");
	}
	printf("};\n");
}

static void
write_longs(void)
{
	printf("const uint32_t ucd_long[][UCD_LONG_MAX] = {\n");
	for (unsigned i = 0; i < nlongs; i++)
		printf("\t{ 0x%x, 0x%x, 0x%x },\n", longs[i][0], longs[i][1],
		    longs[i][2]);
	printf("};\n");
}

int
main(int argc, char *argv[])
{
	const char *folder = argv[1];

	if (argc != 3)
		fail("usage", "unicode FOLDER ftfy-characters.txt");
	read_ages(folder);
	read_ucd(folder, "UnicodeData.txt", 15, unicode_data);
	read_ucd(folder, "PropList.txt", 2, prop_list);
	read_ucd(folder, "DerivedCoreProperties.txt", 2, core_properties);
	read_ucd(folder, "DerivedNormalizationProps.txt", 3, normalization);
	read_ucd(folder, "SpecialCasing.txt", 5, special_casing);
	read_file(argv[2], 2, repaired);
	printf("// SPDX-License-Identifier: Unicode-DFS-2016\n"
	    "/* Made by scripts/tables/unicode.c from the Unicode Character\n"
	    " * Database 15.0.0 (Debian's unicode-data), Copyright (c)\n"
	    " * 1991-2022 Unicode, Inc. */\n"
	    "#include \"text/ucd.h\"\n\n");
	write_rows();
	write_kinds();
	write_longs();
	return fflush(stdout) != 0 || ferror(stdout);
}
