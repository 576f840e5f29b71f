// SPDX-License-Identifier: Apache-2.0
/*
 * ini.c - reads what Python's configparser reads with its default settings
 * (CPython 3.11, Lib/configparser.py, RawConfigParser._read), without
 * interpolation.
 */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "cmd.h"
#include "ini.h"
#include "ini_line.h"
#include "off_comment.h"

enum {
	MOST_ENTRIES = 1 << 20,	/* sections, and keys */
	MOST_FAULTS = 50,	/* findings of this file */
};

struct ini_reader {
	struct ini *ini;
	struct findings *f;
	struct ini_line line;
	char *section;		/* name of the current section; NULL: none */
	struct ini_key *key;	/* which lines may continue; NULL: none */
	char *value_end;	/* of key */
	size_t indent;		/* of the last line that began something */
	unsigned faults;
	bool no_section;	/* found, and reported once */
};

/* ---- Findings ------------------------------------------------------------ */

/* Takes ownership of the texts, as findings_add() does. */
static void
fault(struct ini_reader *r, enum rule rule, unsigned line, char *message,
    char *fix)
{
	if (++r->faults <= MOST_FAULTS) {
		findings_add(r->f, rule, LEVEL_ERROR, line, NULL, message,
		    fix);
		return;
	}
	free(message);
	free(fix);
}

static void
fault_before_section(struct ini_reader *r)
{
	if (!r->no_section)
		fault(r, RULE_SECTION, r->line.number, cmd_copy("this line "
		    "comes before the first section "
		    "(MissingSectionHeaderError)"), cmd_copy("write a section "
		    "above it, such as [Common]"));
	r->no_section = true;
}

/* Returns the text behind a byte order mark, which is reported. */
static char *
skip_mark(struct ini_reader *r, char *p, const char *end)
{
	if (end - p < 3 || memcmp(p, "\xef\xbb\xbf", 3) != 0)
		return p;
	fault(r, RULE_SECTION, 1, cmd_copy("the file begins with a byte order "
	    "mark, which configparser takes for a part of the first line "
	    "(MissingSectionHeaderError)"), cmd_copy("save the file as UTF-8 "
	    "without a byte order mark"));
	return p + 3;
}

/* Reports the first byte that is not UTF-8.  Fails if a byte is NUL. */
static int
check_encoding(struct ini_reader *r, struct bytes text, struct npu_err *err)
{
	const char *p = (const char *)text.p, *end = p + text.n;
	unsigned line = 1;
	bool reported = false;
	size_t n;
	uint32_t c;

	for (; p < end; p += n) {
		n = utf8_decode(p, (size_t)(end - p), &c);
		if (n > 0 && c == 0)
			return npu_fail(err, NPU_EFORMAT, "line %u has a NUL "
			    "byte: this is not a text file in UTF-8", line);
		if (n == 0 && !reported) {
			fault(r, RULE_VALUE, line, cmd_text("byte 0x%02x is "
			    "not UTF-8 (UnicodeDecodeError)",
			    (unsigned char)*p), cmd_copy("save the file as "
			    "UTF-8"));
			reported = true;
		}
		line += *p == '\n' || (*p == '\r' &&
		    !(p + 1 < end && p[1] == '\n'));
		n += n == 0;
	}
	return 0;
}

/* ---- Lines --------------------------------------------------------------- */

/* Ends the value of the current key. */
static void
end_key(struct ini_reader *r)
{
	if (r->key != NULL)
		*ini_trim_end(r->key->value, r->value_end) = '\0';
	r->key = NULL;
}

/* Returns a pointer to a new last entry of an array with n entries. */
static void *
add_entry(void *array, size_t n, size_t size)
{
	/* Doubles the room at each power of two. */
	if ((n & (n - 1)) == 0)
		array = cmd_realloc(array, (n == 0 ? 1 : 2 * n) * size);
	return array;
}

static void
begin_section(struct ini_reader *r, char *close)
{
	struct ini *ini = r->ini;

	*close = '\0';
	r->section = r->line.p + 1;
	if (strcmp(r->section, INI_DEFAULT) == 0)
		return;
	ini->section = add_entry(ini->section, ini->n_sections,
	    sizeof(*ini->section));
	ini->section[ini->n_sections++] = (struct ini_section){ r->section,
	    r->line.number };
}

/* Adds a key, with its value up to the end of the line. */
static void
begin_key(struct ini_reader *r, char *delimiter)
{
	struct ini *ini = r->ini;
	char *end = r->line.p + r->line.n;
	char *name_end = ini_trim_end(r->line.p, delimiter);
	size_t blanks;

	if (name_end == r->line.p) {
		fault(r, RULE_KEY, r->line.number, cmd_text("no key comes "
		    "before '%c' (ParsingError)", *delimiter),
		    cmd_copy("write KEY = VALUE"));
		return;
	}
	ini->key = add_entry(ini->key, ini->n_keys, sizeof(*ini->key));
	r->key = &ini->key[ini->n_keys++];
	*r->key = (struct ini_key){ .section = r->section, .name = r->line.p,
	    .value = ini_skip_space(delimiter + 1, end, &blanks),
	    .line = r->line.number };
	r->value_end = end;
	*name_end = '\0';
	for (char *p = r->key->name; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p += 'a' - 'A';
}

/* Adds a line to the current value.  The line lies behind the value, because a
 * line end separates them. */
static void
continue_key(struct ini_reader *r)
{
	*r->value_end++ = '\n';
	memmove(r->value_end, r->line.p, r->line.n);
	r->value_end += r->line.n;
}

/* Returns the bracket that closes a section's name; NULL: the line is not a
 * section.  As in configparser, the last bracket closes it, and what follows
 * does not matter. */
static char *
section_close(const struct ini_reader *r)
{
	char *close;

	if (*r->line.p != '[')
		return NULL;
	close = memrchr(r->line.p, ']', r->line.n);
	return close != NULL && close - r->line.p >= 2 ? close : NULL;
}

static char *
find_delimiter(const struct ini_reader *r)
{
	for (size_t i = 0; i < r->line.n; i++)
		if (r->line.p[i] == '=' || r->line.p[i] == ':')
			return r->line.p + i;
	return NULL;
}

/* Reads a line that is neither empty nor a comment. */
static void
read_line(struct ini_reader *r)
{
	char *mark;

	if (r->key != NULL && r->line.indent > r->indent) {
		continue_key(r);
		return;
	}
	end_key(r);
	r->indent = r->line.indent;
	if ((mark = section_close(r)) != NULL)
		begin_section(r, mark);
	else if (r->section == NULL)
		fault_before_section(r);
	else if ((mark = find_delimiter(r)) != NULL)
		begin_key(r, mark);
	else
		fault(r, RULE_KEY, r->line.number, cmd_text("'%.*s' has no '=' "
		    "or ':' (ParsingError)", (int)(r->line.n < 200 ?
		    r->line.n : 200), r->line.p), cmd_copy("write KEY = "
		    "VALUE, or indent the line to continue the value above"));
}

static int
read_lines(struct ini_reader *r, char *at, char *end, struct npu_err *err)
{
	while (ini_next_line(&r->line, &at, end)) {
		if (r->line.n == 0 && r->key != NULL)
			*r->value_end++ = '\n';
		if (r->line.n == 0 || ini_is_comment(&r->line))
			continue;
		if (r->ini->n_keys >= MOST_ENTRIES ||
		    r->ini->n_sections >= MOST_ENTRIES)
			return npu_fail(err, NPU_EFORMAT, "line %u: a "
			    "configuration has at most %d keys and sections",
			    r->line.number, MOST_ENTRIES);
		read_line(r);
	}
	end_key(r);
	return 0;
}

/* ---- Duplicates ---------------------------------------------------------- */

static int
by_section_name(const void *a, const void *b)
{
	const struct ini_section *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c != 0 ? c : (x->line > y->line) - (x->line < y->line);
}

static int
by_section_line(const void *a, const void *b)
{
	const struct ini_section *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* Sorts by name, and reports and removes repeated names. */
static void
unite_sections(struct ini_reader *r)
{
	struct ini *ini = r->ini;
	struct ini_section *s = ini->section;
	size_t n = 0;

	if (ini->n_sections == 0)
		return;
	qsort(s, ini->n_sections, sizeof(*s), by_section_name);
	for (size_t i = 1; i < ini->n_sections; i++) {
		if (strcmp(s[n].name, s[i].name) != 0) {
			s[++n] = s[i];
			continue;
		}
		fault(r, RULE_SECTION, s[i].line, cmd_text("[%s] is there "
		    "twice, on lines %u and %u (DuplicateSectionError)",
		    s[n].name, s[n].line, s[i].line), cmd_text("put the keys "
		    "of both under one [%s]", s[n].name));
	}
	ini->n_sections = n + 1;
}

static int
find_name(const void *name, const void *section)
{
	return strcmp(name, ((const struct ini_section *)section)->name);
}

/* Makes the keys of a repeated section share the first one's name.  The
 * sections are sorted by name. */
static void
share_names(struct ini *ini)
{
	static char default_name[] = INI_DEFAULT;
	const char *last = NULL;
	char *shared = NULL;
	struct ini_section *s;

	for (size_t i = 0; i < ini->n_keys; i++) {
		if (ini->key[i].section != last) {
			last = ini->key[i].section;
			s = ini->n_sections == 0 ? NULL : bsearch(last,
			    ini->section, ini->n_sections,
			    sizeof(*ini->section), find_name);
			shared = s != NULL ? s->name : default_name;
		}
		ini->key[i].section = shared;
	}
}

static int
by_key_name(const void *a, const void *b)
{
	const struct ini_key *x = a, *y = b;
	int c = strcmp(x->section, y->section);

	if (c == 0)
		c = strcmp(x->name, y->name);
	return c != 0 ? c : (x->line > y->line) - (x->line < y->line);
}

static int
by_key_line(const void *a, const void *b)
{
	const struct ini_key *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* Reports and removes repeated keys; the last value stays. */
static void
unite_keys(struct ini_reader *r)
{
	struct ini_key *k = r->ini->key;
	size_t n = 0;

	if (r->ini->n_keys == 0)
		return;
	qsort(k, r->ini->n_keys, sizeof(*k), by_key_name);
	for (size_t i = 1; i < r->ini->n_keys; i++) {
		if (k[n].section != k[i].section ||
		    strcmp(k[n].name, k[i].name) != 0) {
			k[++n] = k[i];
			continue;
		}
		fault(r, RULE_KEY, k[i].line, cmd_text("'%s' is there twice in "
		    "[%s], on lines %u and %u (DuplicateOptionError)",
		    k[i].name, k[i].section, k[n].line, k[i].line),
		    cmd_text("remove line %u or line %u", k[n].line,
		    k[i].line));
		k[n] = k[i];
	}
	r->ini->n_keys = n + 1;
	qsort(k, r->ini->n_keys, sizeof(*k), by_key_line);
}

/* ---- Files --------------------------------------------------------------- */

static void
finish(struct ini_reader *r)
{
	struct ini *ini = r->ini;

	unite_sections(r);
	share_names(ini);
	unite_keys(r);
	if (ini->n_sections > 0)
		qsort(ini->section, ini->n_sections, sizeof(*ini->section),
		    by_section_line);
	if (r->faults > MOST_FAULTS)
		findings_add(r->f, RULE_KEY, LEVEL_ERROR, 0, NULL,
		    cmd_text("%u more lines are not in configparser's form",
		    r->faults - MOST_FAULTS), NULL);
}

int
ini_read(struct ini *ini, struct bytes text, struct findings *f,
    struct npu_err *err)
{
	struct ini_reader r = { .ini = ini, .f = f };
	char *begin, *end;
	int rc;

	*ini = (struct ini){ .text = cmd_alloc(text.n + 1) };
	if (text.n > 0)
		memcpy(ini->text, text.p, text.n);
	end = ini->text + text.n;
	off_comments(ini->text, end, f);
	begin = skip_mark(&r, ini->text, end);
	if ((rc = check_encoding(&r, text, err)) < 0 ||
	    (rc = read_lines(&r, begin, end, err)) < 0)
		return rc;
	finish(&r);
	return 0;
}

void
ini_free(struct ini *ini)
{
	free(ini->section);
	free(ini->key);
	free(ini->text);
	*ini = (struct ini){ .text = NULL };
}

const struct ini_key *
ini_find(const struct ini *ini, const char *section, const char *name)
{
	const struct ini_key *found = NULL, *general = NULL;
	bool exists = false;

	for (size_t i = 0; i < ini->n_sections && !exists; i++)
		exists = strcmp(ini->section[i].name, section) == 0;
	if (!exists)
		return NULL;
	for (size_t i = 0; i < ini->n_keys && found == NULL; i++) {
		if (strcmp(ini->key[i].name, name) != 0)
			continue;
		if (strcmp(ini->key[i].section, section) == 0)
			found = &ini->key[i];
		else if (strcmp(ini->key[i].section, INI_DEFAULT) == 0)
			general = &ini->key[i];
	}
	return found != NULL ? found : general;
}

const char *
ini_value(const struct ini *ini, const char *section, const char *name)
{
	const struct ini_key *key = ini_find(ini, section, name);

	return key != NULL ? key->value : NULL;
}
