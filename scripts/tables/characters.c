// SPDX-License-Identifier: Apache-2.0
/*
 * characters - writes the tables of text/characters_data.h.
 *
 *	characters /usr/share/unicode ftfy-characters.txt > characters_tables.c
 */
#include "text/characters_data.h"
#include "ucdfile.h"

enum { ROWS = CHARACTERS_END / CHARACTERS_BLOCK, MOST = CHARACTERS_MOST };

/* The steps, in the order of data/ftfy-characters.txt. */
enum { C1, LIGATURE, WIDTH, QUOTE, LINE, STEPS, DROP };
static const char *const names[] = {
	[C1] = "c1", [LIGATURE] = "ligature", [WIDTH] = "width",
	[QUOTE] = "quote", [LINE] = "line", [DROP] = "drop",
};

struct text {
	uint32_t p[MOST];
	unsigned n;		/* 0 in a table: the character stays */
};

static struct text compatible[CODEPOINTS], step[STEPS][CHARACTERS_END];
static bool dropped[CHARACTERS_END];
static struct text longs[256];
static unsigned nlongs;

/* Reads a decomposition such as "<wide> 0021".  The NFKC of the characters in
 * ftfy-characters.txt needs no composition. */
static void
unicode_data(char *field[MAX_FIELDS])
{
	uint32_t c = (uint32_t)strtoul(field[0], NULL, 16);
	const char *s = field[5];

	if (*s == '<')
		s += strcspn(s, " ") + 1;
	if (c < CODEPOINTS && known(c, PYTHON) && strlen(s) < MOST * 6)
		compatible[c].n = sequence(s, compatible[c].p, MOST);
}

static void
add(struct text *to, const struct text *t)
{
	if (to->n + t->n > MOST)
		fail("ftfy-characters.txt", "makes too long a text");
	memcpy(to->p + to->n, t->p, t->n * sizeof(*t->p));
	to->n += t->n;
}

/* Returns the replacement of c in table, or c. */
static struct text
look_up(const struct text *table, uint32_t c)
{
	return table[c].n > 0 ? table[c] : (struct text){ { c }, 1 };
}

static struct text
decompose(uint32_t c)
{
	struct text t = look_up(compatible, c), out = { { 0 }, 0 };

	if (compatible[c].n == 0)
		return t;
	for (unsigned i = 0; i < t.n; i++) {
		struct text part = decompose(t.p[i]);

		add(&out, &part);
	}
	return out;
}

static void
ftfy_line(char *field[MAX_FIELDS])
{
	uint32_t first, last;
	unsigned kind = 0;

	while (kind <= DROP &&
	    (names[kind] == NULL || strcmp(field[1], names[kind]) != 0))
		kind++;
	range(field[0], &first, &last);
	if (kind > DROP || last >= CHARACTERS_END)
		fail(field[0], "has an unknown step or is too high");
	for (uint32_t c = first; c <= last; c++) {
		if (kind == DROP)
			dropped[c] = true;
		else if (kind == WIDTH)
			step[kind][c] = decompose(c);
		else
			step[kind][c].n = sequence(field[2], step[kind][c].p,
			    MOST);
	}
}

/* Applies all steps except the steps that drop characters. */
static struct text
repair(uint32_t c)
{
	struct text t = { { c }, 1 };

	for (unsigned s = 0; s < STEPS; s++) {
		struct text was = t;

		t.n = 0;
		for (unsigned i = 0; i < was.n; i++) {
			struct text part = look_up(step[s], was.p[i]);

			add(&t, &part);
		}
	}
	return t;
}

/* Checks that no replacement contains a character that is changed or dropped.
 * Therefore text/characters.c may drop all such characters that are left. */
static void
check(const struct text *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		struct text again;

		if (t->p[i] >= CHARACTERS_LONG)
			fail("ftfy-characters.txt", "makes a high character");
		again = repair(t->p[i]);
		if (dropped[t->p[i]] || again.n != 1 || again.p[0] != t->p[i])
			fail("ftfy-characters.txt", "changes something twice");
	}
}

/* Returns the entry of c in a row, or 0 if c stays. */
static uint16_t
entry(uint32_t c)
{
	struct text t = repair(c);

	if (t.n == 1 && t.p[0] == c)
		return 0;
	check(&t);
	if (t.n == 1)
		return (uint16_t)t.p[0];
	if (nlongs == sizeof(longs) / sizeof(*longs))
		fail("ftfy-characters.txt", "makes too many texts");
	longs[nlongs] = t;
	return (uint16_t)(CHARACTERS_LONG + nlongs++);
}

static void
write_row(const uint16_t *row, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		printf("0x%x,%s", row[i], i % 8 == 7 ? "\n" : "");
}

static void
write_rows(void)
{
	static uint16_t rows[ROWS][CHARACTERS_BLOCK];
	unsigned at[ROWS], n = 1;	/* row 0: all stay */

	for (unsigned i = 0; i < ROWS; i++) {
		for (unsigned k = 0; k < CHARACTERS_BLOCK; k++)
			rows[n][k] = entry(i * CHARACTERS_BLOCK + k);
		at[i] = memcmp(rows[n], rows[0], sizeof(*rows)) != 0 ? n++ : 0;
	}
	if (n > UINT8_MAX)
		fail("ftfy-characters.txt", "has characters all over");
	printf("const uint8_t character_index[] = {\n");
	for (unsigned i = 0; i < ROWS; i++)
		printf("%u,%s", at[i], i % 16 == 15 ? "\n" : "");
	printf("};\nconst uint16_t character_rows[][CHARACTERS_BLOCK] = {\n");
	for (unsigned i = 0; i < n; i++) {
		printf("{");
		write_row(rows[i], CHARACTERS_BLOCK);
		printf("},\n");
	}
	printf("};\n");
}

static void
write_longs(void)
{
	printf("const uint16_t character_long[][CHARACTERS_MOST] = {\n");
	for (unsigned i = 0; i < nlongs; i++) {
		printf("\t{ ");
		for (unsigned k = 0; k < longs[i].n; k++)
			printf("0x%x, ", longs[i].p[k]);
		printf("},\n");
	}
	printf("};\n");
}

static void
write_c1(void)
{
	printf("const uint16_t character_c1[32] = {\n");
	for (uint32_t c = 0x80; c < 0xa0; c++)
		printf("\t0x%x,\n", look_up(step[C1], c).p[0]);
	printf("};\n");
}

int
main(int argc, char *argv[])
{
	if (argc != 3)
		fail("usage", "characters FOLDER ftfy-characters.txt");
	read_ages(argv[1]);
	read_ucd(argv[1], "UnicodeData.txt", 15, unicode_data);
	read_file(argv[2], 2, ftfy_line);
	printf("// SPDX-License-Identifier: Apache-2.0 AND Unicode-DFS-2016\n"
	    "/* Made by scripts/tables/characters.c from the Unicode\n"
	    " * Character Database 15.0.0 (Debian's unicode-data), Copyright (c)\n"
	    " * 1991-2022 Unicode, Inc., and ftfy-characters.txt. */\n"
	    "#include \"text/characters_data.h\"\n\n");
	write_c1();
	write_rows();
	write_longs();
	return fflush(stdout) != 0 || ferror(stdout);
}
