// SPDX-License-Identifier: Apache-2.0
/*
 * entities - writes the tables of text/entity_data.h.
 *
 *	entities FOLDER /usr/share/unicode > entities_tables.c
 *
 * FOLDER is REC-xml-entity-names-20100401 of Debian's w3c-sgml-lib: its file
 * htmlmathml-f.ent declares the names of HTML that may be used as "&name;".
 */
#include <ctype.h>

#include "text/entity_data.h"
#include "ucdfile.h"

enum { MAX_NAMES = 4000, MOST = ENTITY_MOST };

struct name {
	char s[ENTITY_LONGEST + 1];
	uint32_t p[MOST];
	unsigned n, kinds;
};

static struct name names[MAX_NAMES];
static unsigned nnames;
static struct {
	uint32_t p[MOST];
	unsigned n;
} upper[CODEPOINTS];

/* ---- Upper case, as in Python's str.upper() ---------------------------- */

static void
unicode_data(char *field[MAX_FIELDS])
{
	uint32_t c = (uint32_t)strtoul(field[0], NULL, 16);

	if (c < CODEPOINTS && known(c, PYTHON))
		upper[c].n = sequence(field[12], upper[c].p, 1);
}

/* code; lower; title; upper; conditions */
static void
special_casing(char *field[MAX_FIELDS])
{
	uint32_t c = (uint32_t)strtoul(field[0], NULL, 16);

	if (c < CODEPOINTS && known(c, PYTHON) && field[4][0] == '\0')
		upper[c].n = sequence(field[3], upper[c].p, MOST);
}

static void
add_upper(struct name *to, uint32_t c)
{
	bool same = upper[c].n == 0;
	unsigned n = same ? 1 : upper[c].n;

	if (to->n + n > MOST)
		fail(to->s, "is too long in capitals");
	memcpy(to->p + to->n, same ? &c : upper[c].p, n * sizeof(c));
	to->n += n;
}

/* ---- Names ------------------------------------------------------------- */

static struct name *
find(const char *s)
{
	for (unsigned i = 0; i < nnames; i++)
		if (strcmp(names[i].s, s) == 0)
			return &names[i];
	return NULL;
}

static struct name *
add(const char *s, unsigned kinds)
{
	struct name *name = &names[nnames++];

	if (nnames > MAX_NAMES || s[strspn(s, "0123456789ABCDEFGHIJKLMNOPQRS"
	    "TUVWXYZabcdefghijklmnopqrstuvwxyz")] != '\0')
		fail(s, "is one name too many, or none");
	snprintf(name->s, sizeof(name->s), "%s", s);
	name->kinds = kinds;
	return name;
}

/*
 * Parses a value such as "&#x02242;&#x00338;", which may have a space before a
 * combining mark, or begin with "&#38;#60;".  An entity's text is parsed again
 * where the entity is used; therefore the five values that begin with & or <
 * are escaped twice.
 */
static void
set_value(struct name *name, const char *value)
{
	const char *s = value + (*value == ' ');
	char *end;

	for (; *s != '\0'; s = end + 1) {
		if (strncmp(s, "&#38;#", 6) == 0)
			s += 5;
		else if (strncmp(s, "&#", 2) == 0)
			s++;
		if (*s++ != '#' || name->n == MOST)
			fail(name->s, "has an unexpected value");
		name->p[name->n++] = (uint32_t)(*s == 'x' ?
		    strtoul(s + 1, &end, 16) : strtoul(s, &end, 10));
		if (*end != ';')
			fail(name->s, "has an unexpected value");
	}
}

/* Calls each() for the entities that a file declares, one on each line. */
static void
read_entities(const char *folder, const char *file,
    void (*each)(const char *name, const char *value))
{
	char path[4096], line[4096], name[ENTITY_LONGEST + 1], value[100];
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	if ((f = fopen(path, "r")) == NULL)
		fail(path, "cannot be read (Debian: apt-get install "
		    "w3c-sgml-lib)");
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "<!ENTITY %31s \"%99[^\"]\"", name,
		    value) == 2) {
			each(name, value);
			n++;
		}
	}
	if (ferror(f) || n < 90)
		fail(path, "does not declare the names of HTML");
	fclose(f);
}

static void
html_name(const char *s, const char *value)
{
	set_value(add(s, ENTITY_HTML), value);
}

/* Adds a name of xhtml1-lat1.ent.  That file has the names of U+00A0 to U+00FF,
 * which old pages write without the semicolon. */
static void
bare_name(const char *s, const char *value)
{
	struct name *name = find(s);

	(void)value;
	if (name == NULL || strlen(s) > ENTITY_BARE_LONGEST)
		fail(s, "is not a name of HTML");
	name->kinds |= ENTITY_BARE;
}

/* Returns whether html.unescape() leaves "&s;" unchanged. */
static bool
unknown(const char *s)
{
	char start[ENTITY_BARE_LONGEST + 1];
	const struct name *name;

	if (find(s) != NULL)
		return false;
	for (size_t n = 1; n < sizeof(start) && n <= strlen(s); n++) {
		snprintf(start, sizeof(start), "%.*s", (int)n, s);
		name = find(start);
		if (name != NULL && (name->kinds & ENTITY_BARE) != 0)
			return false;
	}
	return true;
}

/* Does the same as _build_html_entities() in ftfy/chardata.py: a lower-case
 * name, written in capitals, stands for the upper-case character, unless the
 * name in capitals already has a meaning. */
static void
add_capitals(void)
{
	for (unsigned i = 0, html = nnames; i < html; i++) {
		char s[ENTITY_LONGEST + 1];
		struct name *name;
		size_t k = 0;

		for (k = 0; names[i].s[k] != '\0'; k++)
			s[k] = (char)toupper((unsigned char)names[i].s[k]);
		s[k] = '\0';
		if (strpbrk(names[i].s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL ||
		    !unknown(s))
			continue;
		name = add(s, ENTITY_CAPITALS);
		for (k = 0; k < names[i].n; k++)
			add_upper(name, names[i].p[k]);
	}
}

/* ---- Tables ------------------------------------------------------------ */

static int
by_length(const void *a, const void *b)
{
	const struct name *p = a, *q = b;
	size_t n = strlen(p->s), m = strlen(q->s);

	return n != m ? (n < m ? -1 : 1) : strcmp(p->s, q->s);
}

static uint32_t values[UINT16_MAX];
static unsigned nvalues;

/* Returns the index of a name's code points among the values. */
static unsigned
place(const struct name *name)
{
	size_t bytes = name->n * sizeof(*values);
	unsigned i = 0;

	while (i + name->n <= nvalues &&
	    memcmp(values + i, name->p, bytes) != 0)
		i++;
	if (i + name->n > nvalues) {
		i = nvalues;
		memcpy(values + i, name->p, bytes);
		nvalues += name->n;
	}
	return i;
}

static void
write_entities(void)
{
	printf("const struct entity entities[] = {\n");
	for (unsigned i = 0; i < nnames; i++)
		printf("\t{ %u, %u, %u },\n", place(&names[i]), names[i].n,
		    names[i].kinds);
	/* Not a string literal: C11 guarantees only 4095 characters. */
	printf("};\nconst char entity_names[] = {\n");
	for (unsigned i = 0; i < nnames; i++) {
		for (const char *s = names[i].s; *s != '\0'; s++)
			printf("'%c',", *s);
		printf("\n");
	}
	printf("};\nconst uint32_t entity_values[] = {\n");
	for (unsigned i = 0; i < nvalues; i++)
		printf("\t0x%x,\n", values[i]);
	printf("};\n");
}

static void
write_lengths(void)
{
	unsigned first[ENTITY_LONGEST + 2], at[ENTITY_LONGEST + 2];
	unsigned i = 0, bytes = 0;

	for (unsigned n = 0; n < ENTITY_LONGEST + 2; n++) {
		first[n] = i;
		at[n] = bytes;
		for (; i < nnames && strlen(names[i].s) == n; i++)
			bytes += n;
	}
	printf("const uint16_t entity_first[] = {\n");
	for (unsigned n = 0; n < ENTITY_LONGEST + 2; n++)
		printf("\t%u,\n", first[n]);
	printf("};\nconst uint16_t entity_name[] = {\n");
	for (unsigned n = 0; n < ENTITY_LONGEST + 2; n++)
		printf("\t%u,\n", at[n]);
	printf("};\n");
}

int
main(int argc, char *argv[])
{
	static const char *const bare[] = { "amp", "lt", "gt", "quot", "AMP",
	    "LT", "GT", "QUOT", "COPY", "REG" };

	if (argc != 3)
		fail("usage", "entities FOLDER UNICODE");
	read_ages(argv[2]);
	read_ucd(argv[2], "UnicodeData.txt", 15, unicode_data);
	read_ucd(argv[2], "SpecialCasing.txt", 5, special_casing);
	read_entities(argv[1], "htmlmathml-f.ent", html_name);
	read_entities(argv[1], "xhtml1-lat1.ent", bare_name);
	for (unsigned i = 0; i < sizeof(bare) / sizeof(*bare); i++)
		bare_name(bare[i], NULL);
	add_capitals();
	qsort(names, nnames, sizeof(*names), by_length);
	printf("// SPDX-License-Identifier: Apache-2.0 AND W3C\n"
	    "/* Made by scripts/tables/entities.c from the W3C's XML Entity\n"
	    " * Definitions for Characters (Debian's w3c-sgml-lib 1.3), Copyright\n"
	    " * (c) 1998-2010 W3C (MIT, ERCIM, Keio). */\n"
	    "#include \"text/entity_data.h\"\n\n");
	write_entities();
	write_lengths();
	return fflush(stdout) != 0 || ferror(stdout);
}
