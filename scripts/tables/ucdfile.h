/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files in the format of the Unicode Character Database (Unicode Standard
 * Annex 44), for the programs in this folder.
 */
#ifndef TABLES_UCDFILE_H
#define TABLES_UCDFILE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CODEPOINTS = 0x110000,
	MAX_FIELDS = 16,
	PYTHON = 1400,		/* Unicode 14.0: Python 3.11 */
	REGEX = 1500,		/* Unicode 15.0: regex 2.5.123 */
};

static uint16_t age[CODEPOINTS];	/* 1500 is 15.0; 0 is unassigned */

_Noreturn static inline void
fail(const char *file, const char *reason)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, file,
	    reason);
	exit(1);
}

/* Splits line at ';' into trimmed fields.  '#' begins a comment.  Returns the
 * number of fields, or 0 if the first is empty. */
static inline int
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
		for (end = p + strlen(p); end > p && strchr(" \t", end[-1]); )
			*--end = '\0';
		field[n++] = p;
		p = next;
	}
	for (int i = n; i < MAX_FIELDS; i++)
		field[i] = line + strlen(line);
	return *field[0] == '\0' ? 0 : n;
}

/* Calls each() for every line of a file that has at least least fields. */
static inline void
read_file(const char *path, int least, void (*each)(char *field[MAX_FIELDS]))
{
	char line[4096], *field[MAX_FIELDS];
	unsigned lines = 0;
	FILE *f;

	if ((f = fopen(path, "r")) == NULL)
		fail(path, "cannot be read (Debian: apt-get install "
		    "unicode-data)");
	while (fgets(line, sizeof(line), f) != NULL) {
		if (cut(line, field) >= least) {
			each(field);
			lines++;
		}
	}
	if (ferror(f) || lines < 10)
		fail(path, "is not a file of the Unicode database");
	fclose(f);
}

/* Does the same for a file of the database in folder. */
static inline void
read_ucd(const char *folder, const char *name, int least,
    void (*each)(char *field[MAX_FIELDS]))
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	read_file(path, least, each);
}

/* Parses "0041" or "0041..005A". */
static inline void
range(const char *s, uint32_t *first, uint32_t *last)
{
	char *end;

	*first = *last = (uint32_t)strtoul(s, &end, 16);
	if (strncmp(end, "..", 2) == 0)
		*last = (uint32_t)strtoul(end + 2, &end, 16);
	if (*end != '\0' || *last >= CODEPOINTS || *first > *last)
		fail(s, "is not a range of code points");
}

/* Parses "0041 030A".  Stores at most max code points, and returns their
 * number. */
static inline unsigned
sequence(const char *s, uint32_t *out, unsigned max)
{
	unsigned n = 0;
	char *end;

	for (; *s != '\0'; s = end + strspn(end, " ")) {
		if (n == max)
			fail(s, "is a longer sequence than expected");
		out[n++] = (uint32_t)strtoul(s, &end, 16);
		if (end == s || out[n - 1] >= CODEPOINTS)
			fail(s, "is not a sequence of code points");
	}
	return n;
}

static inline void
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

static inline void
read_ages(const char *folder)
{
	read_ucd(folder, "DerivedAge.txt", 2, derived_age);
	if (age[0x1e4d0] != REGEX)	/* Nag Mundari, new in 15.0 */
		fail("DerivedAge.txt", "is older than Unicode 15.0");
}

/* Returns whether the version has c.  A newer database is reduced to the
 * version in this way; an older database is not enough. */
static inline bool
known(uint32_t c, unsigned version)
{
	return age[c] != 0 && age[c] <= version;
}

#endif
