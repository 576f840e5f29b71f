// SPDX-License-Identifier: Apache-2.0
/*
 * unicode - write the tables of text/ucd.h.
 *
 *	unicode /usr/share/unicode > unicode_tables.c
 *
 * Runs while the project is built, on the machine that builds it.  Formats:
 * Unicode Standard Annex 44.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/ucd.h"

enum { POINTS = 0x110000, BLOCKS = POINTS / UCD_BLOCK, MAX_FIELDS = 16 };

static const char *folder;
static struct ucd_prop props[POINTS];
static uint16_t age[POINTS];		/* 1500 is 15.0; 0 is unassigned */
static uint32_t longs[64][UCD_LONG_MAX];
static unsigned nlongs;
static struct ucd_prop kinds[256];
static unsigned nkinds;

_Noreturn static void
fail(const char *name, const char *reason)
{
	fprintf(stderr, "unicode: %s/%s: %s (Debian: apt-get install "
	    "unicode-data)\n", folder, name, reason);
	exit(1);
}

/* Cuts line at ';' into trimmed fields; what follows '#' is a comment. */
static int
cut(char *line, char *field[MAX_FIELDS])
{
	char *p = line, *end;
	int n = 0;

	line[strcspn(line, "#\r\n")] = '\0';
	while (n < MAX_FIELDS && p != NULL) {
		char *next = strchr(p, ';');

		if (next != NULL)
			*next++ = '\0';
		p += strspn(p, " \t");
		for (end = p + strlen(p); end > p && end[-1] == ' '; )
			*--end = '\0';
		field[n++] = p;
		p = next;
	}
	for (int i = n; i < MAX_FIELDS; i++)
		field[i] = line + strlen(line);
	return *field[0] == '\0' ? 0 : n;
}

/* Calls each() for every line of a file that has at least least fields. */
static void
read_file(const char *name, int least, void (*each)(char *field[MAX_FIELDS]))
{
	char path[4096], line[4096], *field[MAX_FIELDS];
	unsigned lines = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if ((f = fopen(path, "r")) == NULL)
		fail(name, "cannot be read");
	while (fgets(line, sizeof(line), f) != NULL) {
		if (cut(line, field) >= least) {
			each(field);
			lines++;
		}
	}
	if (ferror(f) || lines < 10)
		fail(name, "is not a file of the Unicode database");
	fclose(f);
}

/* "0041" or "0041..005A" */
static void
range(const char *s, uint32_t *first, uint32_t *last)
{
	char *end;

	*first = *last = (uint32_t)strtoul(s, &end, 16);
	if (strncmp(end, "..", 2) == 0)
		*last = (uint32_t)strtoul(end + 2, &end, 16);
	if (*end != '\0' || *last >= POINTS || *first > *last)
		fail(s, "is not a range of code points");
}

static void
derived_age(char *field[MAX_FIELDS])
{
	uint32_t first, last;
	unsigned major, minor;

	range(field[0], &first, &last);
	if (sscanf(field[1], "%u.%u", &major, &minor) != 2)
		fail("DerivedAge.txt", "has a line without an age");
	for (uint32_t c = first; c <= last; c++)
		age[c] = (uint16_t)(major * 100 + minor);
}

/* A newer database is cut back to 15.0, an older one cannot serve. */
static bool
known(uint32_t c, unsigned version)
{
	return age[c] != 0 && age[c] <= version;
}

static void
unicode_data(char *field[MAX_FIELDS])
{
	static uint32_t first;
	uint32_t c = (uint32_t)strtoul(field[0], NULL, 16), flags = 0;
	int32_t lower = 0;

	if (strstr(field[1], ", Last>") == NULL)
		first = c;
	if (field[2][0] == 'L')
		flags |= UCD_LETTER;
	if (field[2][0] == 'N')
		flags |= UCD_NUMBER;
	/* CPython, Tools/unicode/makeunicodedata.py, SPACE_MASK. */
	if (strcmp(field[2], "Zs") == 0 || strcmp(field[4], "WS") == 0 ||
	    strcmp(field[4], "B") == 0 || strcmp(field[4], "S") == 0)
		flags |= UCD_STRIP;
	if (field[13][0] != '\0')
		lower = (int32_t)strtoul(field[13], NULL, 16) - (int32_t)c;
	for (uint32_t i = first; i <= c && i < POINTS; i++) {
		if (known(i, 1500))
			props[i].flags = flags;
		if (known(i, 1400))
			props[i].lower = lower;
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
	set_flag(field, "White_Space", UCD_SPACE, 1500);
}

static void
core_properties(char *field[MAX_FIELDS])
{
	set_flag(field, "Cased", UCD_CASED, 1400);
	set_flag(field, "Case_Ignorable", UCD_IGNORABLE, 1400);
}

/* code; lower; title; upper; conditions: those with conditions are for some
 * languages, or the final sigma, which text/clean.c knows. */
static void
special_casing(char *field[MAX_FIELDS])
{
	uint32_t c = (uint32_t)strtoul(field[0], NULL, 16);
	char *p = field[1], *end;
	unsigned n = 0;

	if (field[4][0] != '\0' || strchr(p, ' ') == NULL || !known(c, 1400))
		return;
	if (nlongs == sizeof(longs) / sizeof(*longs))
		fail("SpecialCasing.txt", "has too many lower cases");
	for (; *p != '\0'; p = end + strspn(end, " ")) {
		if (n == UCD_LONG_MAX)
			fail("SpecialCasing.txt", "has a longer lower case");
		longs[nlongs][n++] = (uint32_t)strtoul(p, &end, 16);
		if (end == p)
			fail("SpecialCasing.txt", "has a bad line");
	}
	props[c].flags |= UCD_LONG;
	props[c].lower = (int32_t)nlongs++;
}

/* The place of p among the different ones, which become ucd_props. */
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
	folder = argc == 2 ? argv[1] : "";
	read_file("DerivedAge.txt", 2, derived_age);
	if (age[0x1e4d0] != 1500)	/* Nag Mundari, new in 15.0 */
		fail("DerivedAge.txt", "is older than Unicode 15.0");
	read_file("UnicodeData.txt", 15, unicode_data);
	read_file("PropList.txt", 2, prop_list);
	read_file("DerivedCoreProperties.txt", 2, core_properties);
	read_file("SpecialCasing.txt", 5, special_casing);
	printf("// SPDX-License-Identifier: Unicode-DFS-2016\n"
	    "/* Made by lib/text/gen/unicode.c from the Unicode Character "
	    "Database. */\n#include \"text/ucd.h\"\n\n");
	write_rows();
	write_kinds();
	write_longs();
	return fflush(stdout) != 0 || ferror(stdout);
}
