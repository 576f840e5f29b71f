// SPDX-License-Identifier: Apache-2.0
/*
 * mojibake - writes the tables of text/badness.h and text/charmap.h.
 *
 *	mojibake lib/text/data /usr/share/unicode > mojibake_tables.c
 *
 * The files in data describe their own formats.
 */
#include "text/badness.h"
#include "text/charmap.h"
#include "ucdfile.h"

enum { RULES = 64, NAMES = 32, KINDS = 256 };

static const char *file;		/* the file being read */
static unsigned line_number;

/* \w and \s of Python 3.11. */
static bool word[CODEPOINTS], space[CODEPOINTS];

static struct category {
	char name[32];
	bool has[CODEPOINTS];
} categories[NAMES];

static uint64_t at[CODEPOINTS + 1][BADNESS_SPAN];	/* last: the end */
static uint64_t pair[CODEPOINTS + 1][2];
static bool suspect[CODEPOINTS + 1];
static uint64_t anchored;
static unsigned rules, before;

static struct charmap_point mapped[CODEPOINTS];

_Noreturn static void
wrong(const char *reason)
{
	char place[4200];

	snprintf(place, sizeof(place), "%s:%u", file, line_number);
	fail(place, reason);
}

/* Calls each() for every line that is not empty, after joining lines that a tab
 * continues. */
static void
read_lines(const char *folder, const char *name, void (*each)(char *line))
{
	static char path[4096];
	char text[8192] = "", line[4096];
	bool more = true;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = path;
	line_number = 0;
	if ((f = fopen(path, "r")) == NULL)
		wrong(strerror(errno));
	while (more) {
		more = fgets(line, sizeof(line), f) != NULL;
		line[strcspn(line, "\n")] = '\0';
		if (more && line[0] == '\t' &&
		    strlen(text) + strlen(line) < sizeof(text)) {
			strcat(text, line + 1);
		} else {
			if (text[0] != '\0' && text[0] != '#')
				each(text);
			strcpy(text, more ? line : "");
		}
		line_number++;
	}
	if (ferror(f) || line_number < 10)
		wrong("cut");
	fclose(f);
}

/* ---- Unicode ----------------------------------------------------------- */

static bool
is(const char *field, const char *value)
{
	return strcmp(field, value) == 0;
}

/* Code; name; General_Category; 3; Bidi_Class; 5; numeric values in 6 to 8.
 * CPython, Objects/unicodectype.c: isalnum() and isspace(). */
static void
unicode_data(char *field[MAX_FIELDS])
{
	static uint32_t first;
	uint32_t c = (uint32_t)strtoul(field[0], NULL, 16);

	if (strstr(field[1], ", Last>") == NULL)
		first = c;
	for (uint32_t i = first; i <= c && i < CODEPOINTS; i++) {
		if (!known(i, PYTHON))
			continue;
		word[i] = field[2][0] == 'L' || *field[6] != '\0' ||
		    *field[7] != '\0' || *field[8] != '\0';
		space[i] = is(field[2], "Zs") || is(field[4], "WS") ||
		    is(field[4], "B") || is(field[4], "S");
	}
	word['_'] = true;
}

/* ---- Sets of characters ------------------------------------------------ */

static bool set[CODEPOINTS];
static bool listed;		/* set is exactly what the file lists */

/* Reads the code point at *p, UTF-8 or \uXXXX, and moves *p past it. */
static unsigned
code_point(char **p)
{
	const unsigned char *s = (const unsigned char *)*p;
	unsigned c = s[0], n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	char *end;

	if (s[0] == '\\' && s[1] == 'u') {
		c = (unsigned)strtoul(*p + 2, &end, 16);
		if (end != *p + 6)
			wrong("\\u without four digits");
		*p = end;
		return c;
	}
	if (n > 1)
		c &= 0x7fU >> n;
	for (unsigned i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			wrong("not UTF-8");
		c = c << 6 | (s[i] & 0x3f);
	}
	*p += n;
	return c;
}

static struct category *
category(const char *name, size_t n, bool make)
{
	for (int i = 0; i < NAMES; i++) {
		struct category *k = &categories[i];

		if (make && k->name[0] == '\0' && n < sizeof(k->name))
			memcpy(k->name, name, n);
		if (strlen(k->name) == n && memcmp(k->name, name, n) == 0)
			return k;
	}
	wrong("no such category, or too many");
}

/* Reads the set in brackets.  Moves *p from after the first bracket to after
 * the second. */
static void
brackets(char **p)
{
	bool other = **p == '^';
	unsigned c, last;

	*p += other;
	while (**p != ']' && **p != '\0') {
		if (**p == '{') {
			size_t n = strcspn(++*p, "}");
			struct category *k = category(*p, n, false);

			for (c = 0; c < CODEPOINTS; c++)
				set[c] |= k->has[c];
			*p += n + 1;
			continue;
		}
		last = c = code_point(p);
		if (**p == '-') {
			++*p;
			last = code_point(p);
		}
		for (; c <= last; c++)
			set[c] = true;
	}
	if (*(*p)++ != ']')
		wrong("a bracket is not closed");
	for (c = 0; other && c < CODEPOINTS; c++)
		set[c] = !set[c];
	listed = !other;
}

/* Reads the set at *p and moves *p past it. */
static void
read_set(char **p)
{
	memset(set, 0, sizeof(set));
	listed = false;
	if (**p == '[') {
		++*p;
		brackets(p);
	} else if (strncmp(*p, "\\w", 2) == 0 || strncmp(*p, "\\s", 2) == 0) {
		memcpy(set, (*p)[1] == 'w' ? word : space, sizeof(set));
		*p += 2;
	} else if (**p == '.') {
		memset(set, 1, sizeof(set));
		set['\n'] = false;
		++*p;
	} else {
		set[code_point(p)] = true;
		listed = true;
	}
}

/* ---- The rules --------------------------------------------------------- */

/* Returns whether set contains only suspect code points. */
static bool
certain(void)
{
	for (unsigned c = 0x80; listed && c < CODEPOINTS; c++)
		suspect[c] |= set[c];
	return listed && memchr(set, 1, 0x80) == NULL;
}

/* Adds the rule at p, after its "=".  A rule with a "?" becomes two rules; the
 * second lacks the element before the "?". */
static void
add_rule(char *p, bool leave_out)
{
	uint64_t bit = UINT64_C(1) << rules;
	unsigned i = 0, sure = BADNESS_SPAN;
	bool optional = false;
	char *start = p;

	if (rules++ == RULES)
		wrong("too many rules");
	while (*(p += strspn(p, " ")) != '\0') {
		if (*p == '^') {
			anchored |= bit;
			p++;
			continue;
		}
		read_set(&p);
		if (*p == '?') {
			optional = true;
			p++;
			if (leave_out)
				continue;
		}
		if (certain() && sure == BADNESS_SPAN)
			sure = i;
		if (i == BADNESS_SPAN)
			wrong("a rule is too long");
		for (unsigned c = 0; c < CODEPOINTS; c++)
			at[c][i] |= set[c] ? bit : 0;
		i++;
	}
	if (sure >= i)
		wrong("a rule that an ASCII text can match");
	if (sure > before)
		before = sure;
	for (; i < BADNESS_SPAN; i++)
		for (unsigned c = 0; c <= CODEPOINTS; c++)
			at[c][i] |= bit;
	for (unsigned c = 0; c <= CODEPOINTS; c++) {
		pair[c][0] |= at[c][sure > 0 ? sure - 1 : 0] & bit;
		pair[c][1] |= at[c][sure > 0 ? sure : 1] & bit;
	}
	if (optional && !leave_out)
		add_rule(start, true);
}

static void
badness(char *line)
{
	size_t n = strcspn(line, " ");
	char *p = line + n + strspn(line + n, " ");
	struct category *k;

	if (line[0] == '=') {
		add_rule(p, false);
		return;
	}
	k = category(line, n, true);
	read_set(&p);
	for (unsigned c = 0; c < CODEPOINTS; c++)
		k->has[c] |= set[c];
}

static void
clues(char *line)
{
	static const char *const names[] = { "first_of_2", "first_of_3",
		"first_of_4", "continuation", "strict" };
	size_t n = strcspn(line, " "), i = 0;
	char *p = line + n + 1;

	while (i < 5 && (strlen(names[i]) != n || memcmp(names[i], line,
	    n) != 0))
		i++;
	if (i == 5)
		wrong("no such clue");
	read_set(&p);
	for (unsigned c = 0; c < CODEPOINTS; c++)
		if (set[c])
			mapped[c].clues |= (uint8_t)(1U << i);
	for (unsigned c = 0; i < 3 && c < CODEPOINTS; c++)
		if ((mapped[c].clues & 7) != 0 &&
		    (mapped[c].clues & 7) != 1U << i && set[c])
			wrong("the first of characters of two lengths");
}

/* ---- The encodings ----------------------------------------------------- */

static uint16_t c1[32];
static unsigned charmaps_read, row_next = 0x100;

static void
map(unsigned e, unsigned byte, unsigned c)
{
	if (mapped[c].in & 1U << e)
		wrong("a code point twice in an encoding");
	mapped[c].in |= (uint16_t)(1U << e);
	mapped[c].byte[e] = (uint8_t)byte;
	if (e == CHARMAP_WINDOWS_1252 && byte >= 0x80 && byte < 0xa0)
		c1[byte - 0x80] = (uint16_t)c;
}

static bool
is_sloppy(unsigned e)
{
	return (CHARMAP_SLOPPY >> e & 1) != 0;
}

static void
next_charmap(const char *name)
{
	static const char *const names[] = { "latin-1", "sloppy-windows-1252",
		"sloppy-windows-1251", "sloppy-windows-1250",
		"sloppy-windows-1253", "sloppy-windows-1254",
		"sloppy-windows-1257", "iso-8859-2", "macroman", "cp437" };
	unsigned e = ++charmaps_read;

	if (row_next != 0x100)
		wrong("an encoding is cut");
	if (e == CHARMAPS || strcmp(name, names[e]) != 0)
		wrong("not the next encoding");
	for (unsigned c = 0; c < 0x80; c++)
		map(e, c, c == 0x1a && is_sloppy(e) ? 0xfffd : c);
	row_next = 0x80;
}

static void
charmaps(char *line)
{
	char *p = line, *end;
	unsigned c;

	if (strtoul(p, &end, 16) != row_next || end != p + 2) {
		next_charmap(line);
		return;
	}
	p = end;
	for (int i = 0; i < 8; i++, row_next++) {
		p += strspn(p, " ");
		if (*p == '-' && is_sloppy(charmaps_read)) {
			map(charmaps_read, row_next, row_next);
			p++;
			continue;
		}
		c = (unsigned)strtoul(p, &end, 16);
		if (end != p + 4)
			wrong("not a code point");
		map(charmaps_read, row_next, c);
		p = end;
	}
}

/* ---- The tables -------------------------------------------------------- */

/* Writes two levels of table over number[0..points). */
static void
write_levels(const char *name, const char *index, const char *type,
    const uint16_t *number, unsigned points)
{
	static uint16_t place[CODEPOINTS / BADNESS_BLOCK];
	size_t size = BADNESS_BLOCK * sizeof(*number);
	unsigned n = 0;

	printf("const %s %s_rows[][%d] = {\n", type, name, BADNESS_BLOCK);
	for (unsigned i = 0; i < points / BADNESS_BLOCK; i++) {
		const uint16_t *row = number + i * BADNESS_BLOCK;
		unsigned k = 0;

		while (k < i && memcmp(row, number + k * BADNESS_BLOCK,
		    size) != 0)
			k++;
		place[i] = (uint16_t)(k < i ? place[k] : n++);
		if (k < i)
			continue;
		printf("{");
		for (unsigned j = 0; j < BADNESS_BLOCK; j++)
			printf("%u,%s", row[j], j % 32 == 31 ? "\n" : "");
		printf("},\n");
	}
	printf("};\nconst %s %s_index[] = {\n", index, name);
	for (unsigned i = 0; i < points / BADNESS_BLOCK; i++)
		printf("%u,%s", place[i], i % 16 == 15 ? "\n" : "");
	printf("};\n");
}

static uint16_t number[CODEPOINTS + 1];

/* Kind 0 is the end; the kinds of suspect code points come last. */
static void
write_badness(void)
{
	static unsigned first[KINDS];	/* code point of each kind */
	unsigned n = 1, suspects = 0, k;

	first[0] = CODEPOINTS;
	for (unsigned pass = 0; pass < 2; pass++) {
		suspects = pass == 0 ? n : suspects;
		for (unsigned c = 0; c < CODEPOINTS; c++) {
			if (suspect[c] != (pass == 1))
				continue;
			for (k = pass ? suspects : 1; k < n; k++)
				if (!memcmp(at[first[k]], at[c], sizeof(*at)))
					break;
			if (k == KINDS)
				wrong("too many kinds");
			first[k] = k == n ? c : first[k];
			n += k == n;
			number[c] = (uint16_t)k;
		}
		suspects = pass == 0 ? n : suspects;
	}
	write_levels("badness", "uint16_t", "uint8_t", number, CODEPOINTS);
	printf("const uint64_t badness_at[][BADNESS_SPAN] = {\n");
	for (k = 0; k < n; k++) {
		printf("{");
		for (int i = 0; i < BADNESS_SPAN; i++)
			printf("0x%llx,",
			    (unsigned long long)at[first[k]][i]);
		printf("},\n");
	}
	printf("};\nconst uint64_t badness_pairs[][2] = {\n");
	for (k = 0; k < n; k++)
		printf("{0x%llx,0x%llx},\n",
		    (unsigned long long)pair[first[k]][0],
		    (unsigned long long)pair[first[k]][1]);
	printf("};\nconst uint64_t badness_anchored = 0x%llx;\n"
	    "const uint8_t badness_suspects = %u;\n"
	    "const uint8_t badness_before = %u;\n",
	    (unsigned long long)anchored, suspects, before);
}

static void
write_charmaps(void)
{
	unsigned n = 1;

	printf("const struct charmap_point charmap_points[] = {\n{0,0,{0}},\n");
	for (unsigned c = 0; c < 0x10000; c++) {
		const struct charmap_point *m = &mapped[c];

		number[c] = 0;
		if (m->in == 0 && m->clues == 0)
			continue;
		number[c] = (uint16_t)n++;
		printf("{0x%x,%u,{", m->in, m->clues);
		for (int e = 0; e < CHARMAPS; e++)
			printf("0x%x,", m->byte[e]);
		printf("}},\n");
	}
	printf("};\n");
	write_levels("charmap", "uint8_t", "uint16_t", number, 0x10000);
	printf("const uint16_t charmap_c1[32] = {\n");
	for (int i = 0; i < 32; i++)
		printf("0x%x,%s", c1[i], i % 8 == 7 ? "\n" : "");
	printf("};\n");
}

int
main(int argc, char *argv[])
{
	const char *data = argc == 3 ? argv[1] : "", *unicode = argv[argc - 1];

	for (unsigned c = 0; c < 0x100; c++)
		map(CHARMAP_LATIN_1, c, c);
	read_ages(unicode);
	read_ucd(unicode, "UnicodeData.txt", 15, unicode_data);
	read_lines(data, "ftfy-badness.txt", badness);
	read_lines(data, "ftfy-utf8-clues.txt", clues);
	read_lines(data, "charmaps.txt", charmaps);
	if (charmaps_read != CHARMAPS - 1 || row_next != 0x100)
		wrong("an encoding is missing");
	printf("// SPDX-License-Identifier: Apache-2.0\n"
	    "/* Made by scripts/tables/mojibake.c from the texts here. */\n"
	    "#include \"text/badness.h\"\n#include \"text/charmap.h\"\n\n");
	write_badness();
	write_charmaps();
	return fflush(stdout) != 0 || ferror(stdout);
}
