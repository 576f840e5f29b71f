// SPDX-License-Identifier: Apache-2.0
/* explain.c - finds the row that explains a message. */
#include <errno.h>
#include <string.h>

#include "diagnose/xclbin/explain.h"

/* The forms in which a line can name an error: its number, after one of the
 * prefixes below; its name; or strerror(3)'s text in the C locale. */
static const struct error_form {
	int error;
	const char *name, *words;
} forms[] = {
	{ EPERM, "EPERM", "Operation not permitted" },
	{ ENOENT, "ENOENT", "No such file or directory" },
	{ EIO, "EIO", "Input/output error" },
	{ EAGAIN, "EAGAIN", "Resource temporarily unavailable" },
	{ ENOMEM, "ENOMEM", "Cannot allocate memory" },
	{ EACCES, "EACCES", "Permission denied" },
	{ EEXIST, "EEXIST", "File exists" },
	{ ENODEV, "ENODEV", "No such device" },
	{ EINVAL, "EINVAL", "Invalid argument" },
	{ ENOSPC, "ENOSPC", "No space left on device" },
	{ ETIME, "ETIME", "Timer expired" },
	{ EOPNOTSUPP, "EOPNOTSUPP", "Operation not supported" },
	{ ETIMEDOUT, "ETIMEDOUT", "Connection timed out" },
};

static const char *const prefixes[] = { "err=", "ret=", "ret ", "error ",
    "Errno " };

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_alnum(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* ---- The line ---------------------------------------------------------- */

/* Returns the length of the terminal sequence that begins at p[i], an ESC:
 * ESC [, parameters, and a final byte, or ESC and one byte (ECMA-48, 5.4). */
static size_t
escape_length(struct bytes b, size_t i)
{
	size_t n = 2;

	if (i + 1 < b.n && b.p[i + 1] == '[') {
		while (i + n < b.n && b.p[i + n] >= 0x20 && b.p[i + n] < 0x40)
			n++;
		n++;
	}
	return n;
}

/*
 * Copies the visible characters of b.  Blanks and control characters between
 * words become one ' ': a log has thousands of NULs where the machine crashed.
 */
static void
read_line(struct bytes b, char line[EXPLAIN_LINE])
{
	bool blank = false;
	size_t n = 0;

	for (size_t i = 0; i < b.n && n < EXPLAIN_LINE - 1; i++) {
		if (b.p[i] == 0x1b) {
			i += escape_length(b, i) - 1;
		} else if (b.p[i] <= ' ') {
			blank = n > 0;
		} else {
			if (blank)
				line[n++] = ' ';
			if (n < EXPLAIN_LINE - 1)
				line[n++] = (char)b.p[i];
			blank = false;
		}
	}
	line[n] = '\0';
}

/* ---- Fixed parts ------------------------------------------------------- */

/* Returns whether a pattern that begins at p would cut a word of the line:
 * "bitset" must not be found in "xbitset". */
static bool
cuts_word(const char *line, const char *p)
{
	return p > line && is_alnum(p[-1]) && is_alnum(p[0]);
}

/*
 * Finds part, of n characters, in line at or after from.  The first part must
 * not cut a word at its beginning, the last part must not cut a word at its
 * end.
 */
static const char *
find_part(const char *line, const char *from, const char *part, size_t n,
    bool first, bool last)
{
	const char *at;

	do {
		if ((at = memmem(from, strlen(from), part, n)) == NULL)
			return NULL;
		from = at + 1;
	} while (n > 0 && ((first && cuts_word(line, at)) ||
	    (last && cuts_word(at, at + n))));
	return at;
}

/* Finds the pattern's parts, in order.  Finding each part as early as possible
 * leaves the most room for the next part, so no backtracking is needed. */
static bool
fits(const char *line, const char *pattern)
{
	const char *from = line, *end = line + strlen(line), *at, *star;
	bool begins = *pattern == '^', first = true;
	size_t n;

	for (pattern += begins;; first = false) {
		star = strchrnul(pattern, '*');
		n = (size_t)(star - pattern);
		if (n > 0 && pattern[n - 1] == '$') {
			n--;
			if ((size_t)(end - from) < n)
				return false;
			from = end - n;
		}
		at = find_part(line, from, pattern, n, first, *star == '\0');
		if (at == NULL || (begins && first && at > line))
			return false;
		if (*star == '\0')
			return true;
		from = at + n;
		pattern = star + 1;
	}
}

/* ---- Errors ------------------------------------------------------------ */

static const struct error_form *
form_of(int error)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (forms[i].error == error)
			return &forms[i];
	return NULL;
}

/* Returns whether the number at s is error or -error. */
static bool
is_number(const char *s, int error)
{
	int v = 0;

	s += *s == '-';
	if (!is_digit(*s))
		return false;
	for (; is_digit(*s) && v < 10000; s++)
		v = 10 * v + (*s - '0');
	return v == error;
}

static bool
has_number(const char *line, int error)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		for (const char *s = line; (s = strstr(s, prefixes[i])) !=
		    NULL; s++)
			if (is_number(s + strlen(prefixes[i]), error))
				return true;
	return false;
}

static bool
has_error(const char *line, int error)
{
	const struct error_form *f = form_of(error);

	return error == 0 || has_number(line, error) || (f != NULL &&
	    (fits(line, f->name) || fits(line, f->words)));
}

/* ---- Rows -------------------------------------------------------------- */

/* Returns how specific a row is: the number of fixed characters in its pattern,
 * plus the length of its error's text. */
static size_t
weight(const struct explain_row *r)
{
	const struct error_form *f = form_of(r->error);
	size_t n = f != NULL ? strlen(f->words) : 0;

	for (const char *s = r->pattern; *s != '\0'; s++)
		n += strchr("^*$", *s) == NULL;
	return n;
}

/* Returns the most specific of best, which may be NULL, and the rows that
 * fit. */
static const struct explain_row *
choose(const char *line, const struct explain_row *rows, size_t n,
    const struct explain_row *best)
{
	for (size_t i = 0; i < n; i++)
		if (fits(line, rows[i].pattern) &&
		    has_error(line, rows[i].error) &&
		    (best == NULL || weight(&rows[i]) > weight(best)))
			best = &rows[i];
	return best;
}

const struct explanation *
explain(struct bytes b)
{
	const struct explain_row *best = NULL;
	char line[EXPLAIN_LINE];

	read_line(b, line);
	best = choose(line, explain_file, explain_file_rows, best);
	best = choose(line, explain_machine, explain_machine_rows, best);
	best = choose(line, explain_run, explain_run_rows, best);
	return best != NULL ? &best->is : NULL;
}
