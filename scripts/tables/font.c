// SPDX-License-Identifier: Apache-2.0
/*
 * font - writes the table of image/font.h.
 *
 *	font lib/image/data/font.txt > font_tables.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/font.h"

enum { GLYPHS = 4096, ACROSS = 8, LINE = 200 };

static struct glyph glyphs[GLYPHS];
static size_t count;
static const char *file;
static unsigned line_number;

_Noreturn static void
wrong(const char *reason)
{
	fprintf(stderr, "%s:%u: %s\n", file, line_number, reason);
	exit(1);
}

/* Appends the code points of a block to glyphs.  Returns their number. */
static size_t
read_head(char *line)
{
	size_t n = 0;

	for (char *w = strtok(line, " "); w != NULL; w = strtok(NULL, " ")) {
		struct glyph *g = &glyphs[count + n];
		char *end;

		if (n++ == ACROSS || count + n > GLYPHS)
			wrong("too many glyphs");
		if (strncmp(w, "U+", 2) != 0)
			wrong("U+ and a code point are wanted");
		g->codepoint = (uint32_t)strtoul(w + 2, &end, 16);
		if (end == w + 2 || *end != '\0')
			wrong("no code point");
		if (g > glyphs && g[-1].codepoint >= g->codepoint)
			wrong("not in ascending order");
	}
	return n;
}

static void
read_row(const char *line, size_t n, int y)
{
	if (strlen(line) != n * (FONT_WIDTH + 1) - 1)
		wrong("a row of another length");
	for (size_t i = 0; line[i] != '\0'; i++) {
		size_t g = i / (FONT_WIDTH + 1), x = i % (FONT_WIDTH + 1);

		if (x == FONT_WIDTH ? line[i] != ' ' :
		    line[i] != '.' && line[i] != '#')
			wrong("neither '.' nor '#'");
		if (line[i] == '#')
			glyphs[count + g].row[y] |= (uint8_t)(0x80 >> x);
	}
}

static void
read_font(FILE *f)
{
	char line[LINE];
	size_t n = 0;
	int y = FONT_HEIGHT;

	while (fgets(line, sizeof(line), f) != NULL) {
		line_number++;
		line[strcspn(line, "\n")] = '\0';
		if (y < FONT_HEIGHT) {
			read_row(line, n, y);
			if (++y == FONT_HEIGHT)
				count += n;
		} else if (line[0] != '\0' && line[0] != '#') {
			n = read_head(line);
			y = 0;
		}
	}
	if (ferror(f) || y < FONT_HEIGHT)
		wrong("cut");
}

static void
check(void)
{
	for (uint32_t c = ' '; c <= '~'; c++)
		if (count <= c - ' ' || glyphs[c - ' '].codepoint != c)
			wrong("U+0020 to U+007E must come first");
	for (size_t i = 0; i < count; i++)
		if (glyphs[i].codepoint == 0xfffd)
			return;
	wrong("U+FFFD is missing");
}

int
main(int argc, char *argv[])
{
	FILE *f;

	file = argc == 2 ? argv[1] : "font";
	if (argc != 2 || (f = fopen(file, "r")) == NULL)
		wrong("a font to read is wanted");
	read_font(f);
	check();
	fclose(f);
	printf("// SPDX-License-Identifier: Apache-2.0\n"
	    "/* Made by scripts/tables/font.c from font.txt. */\n"
	    "#include \"image/font.h\"\n\n"
	    "const size_t font_glyph_count = %zu;\n"
	    "const struct glyph font_glyphs[] = {\n", count);
	for (size_t i = 0; i < count; i++) {
		printf("\t{ 0x%04x, {", (unsigned)glyphs[i].codepoint);
		for (int y = 0; y < FONT_HEIGHT; y++)
			printf("%s %u", y > 0 ? "," : "", glyphs[i].row[y]);
		printf(" } },\n");
	}
	printf("};\n");
	return fflush(stdout) != 0 || ferror(stdout);
}
