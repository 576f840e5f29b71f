// SPDX-License-Identifier: Apache-2.0
/*
 * Quotes file names as words of a shell (POSIX.1-2024, Shell Command Language,
 * 2.2).  The expected words follow from the standard, and sh reads each word
 * back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell.h"
#include "tap.h"

static const struct {
	const char *name, *word;
} rows[] = {
	{ "main.xclbin", "main.xclbin" },
	{ "/a/b_c-1.2+3,4:5@6%7", "/a/b_c-1.2+3,4:5@6%7" },
	{ "a b", "'a b'" },
	{ "it's", "'it'\\''s'" },
	{ "'", "''\\'''" },
	{ "''", "''\\'''\\'''" },
	{ "$(reboot)", "'$(reboot)'" },
	{ "a;b", "'a;b'" },
	{ "~", "'~'" },
	{ "*", "'*'" },
	{ "a\\", "'a\\'" },
	{ "a\"b", "'a\"b'" },
	{ "", "''" },
	{ "-x", "'./-x'" },
	{ "-'", "'./-'\\'''" },
	{ "\xc3\xa4", "'\xc3\xa4'" },
	{ "\xff", "'\xff'" },
};

/* Returns true if sh reads the word as the name, or as ./ and the name. */
static bool
reads_back(const char *word, const char *name)
{
	char command[200], got[100];
	size_t n;
	FILE *f;

	snprintf(command, sizeof(command), "printf %%s %s", word);
	if ((f = popen(command, "r")) == NULL)
		return false;
	n = fread(got, 1, sizeof(got) - 1, f);
	got[n] = '\0';
	return pclose(f) == 0 && (strcmp(got, name) == 0 ||
	    (*name == '-' && strncmp(got, "./", 2) == 0 &&
	    strcmp(got + 2, name) == 0));
}

static void
words(void)
{
	char word[100];
	size_t n;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		n = strlen(rows[i].word);
		ok(shell_word(word, sizeof(word), rows[i].name) &&
		    strcmp(word, rows[i].word) == 0, "the word is %s",
		    rows[i].word);
		ok(reads_back(word, rows[i].name),
		    "sh reads %s back as the name", word);
		ok(shell_word(word, n + 1, rows[i].name),
		    "the word fits into %zu bytes", n + 1);
		for (size_t room = 0; room <= n; room++)
			if (shell_word(word, room, rows[i].name))
				ok(false, "%zu bytes suffice for %s, but must "
				    "not", room,
				    rows[i].word);
	}
}

static void
refusals(void)
{
	static const char *const names[] = { "a\nb", "\n", "a\tb", "\033[m",
	    "\x7f", "\xc2\x9b" };
	char word[100];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ok(!shell_word(word, sizeof(word), names[i]),
		    "a name with a control character is refused: name %zu", i);
}

int
main(void)
{
	words();
	refusals();
	return done();
}
