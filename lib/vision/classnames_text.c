// SPDX-License-Identifier: Apache-2.0
/* Reads names from text: lines, Python's literals, YAML. */
#include <string.h>

#include "base/encoding.h"
#include "base/err.h"
#include "base/utf8.h"
#include "vision/classnames_list.h"

struct classnames_reader {
	const char *p, *end;
	bool yaml;		/* also accepts bare words and comments */
	struct classnames_list l;
	struct npu_err *err;
};

/* A name while it is read.  classnames_list_add() refuses longer names. */
struct classnames_word {
	char s[CLASSNAMES_LONGEST + 8];
	size_t n;
};

static void
put(struct classnames_word *w, const char *s, size_t n)
{
	for (; n > 0 && w->n < sizeof(w->s); n--)
		w->s[w->n++] = *s++;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void
skip_blanks(struct classnames_reader *r)
{
	while (r->p < r->end) {
		if (r->yaml && *r->p == '#')
			while (r->p < r->end && *r->p != '\n')
				r->p++;
		else if (is_blank(*r->p))
			r->p++;
		else
			break;
	}
}

/* Returns the next character that is not blank, or 0 at the end. */
static char
peek(struct classnames_reader *r)
{
	skip_blanks(r);
	return (char)(r->p < r->end ? *r->p : '\0');
}

static bool
accept(struct classnames_reader *r, char c)
{
	if (peek(r) != c || r->p == r->end)
		return false;
	r->p++;
	return true;
}

/* ---- Words ------------------------------------------------------------ */

static int
cut(const struct classnames_reader *r)
{
	return npu_fail(r->err, NPU_EFORMAT, "ends within the names");
}

/* Reads digits hexadecimal digits as a code point. */
static bool
code_point(struct classnames_reader *r, unsigned digits,
    struct classnames_word *w)
{
	static const char hex[] = "0123456789abcdef";
	char bytes[4];
	uint32_t c = 0;
	const char *h;

	for (; digits > 0; digits--, r->p++) {
		if (r->p == r->end || *r->p == '\0' ||
		    (h = strchr(hex, *r->p | 0x20)) == NULL)
			return false;
		c = c << 4 | (uint32_t)(h - hex);
	}
	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return false;
	put(w, bytes, utf8_encode(c, bytes));
	return true;
}

/* Reads the character after a backslash. */
static int
escaped(struct classnames_reader *r, struct classnames_word *w)
{
	char c;

	if (r->p == r->end)
		return cut(r);
	c = *r->p++;
	if ((c == 'x' && code_point(r, 2, w)) ||
	    (c == 'u' && code_point(r, 4, w)) ||
	    (c == 'U' && code_point(r, 8, w)))
		return 0;
	if (c != '\\' && c != '\'' && c != '"')
		return npu_fail(r->err, NPU_EFORMAT, "'\\%c' is not an escape "
		    "that names have", c >= ' ' && c < 0x7f ? c : '?');
	put(w, &c, 1);
	return 0;
}

static int
quoted(struct classnames_reader *r, struct classnames_word *w)
{
	const char quote = *r->p++;
	int rc;

	while (r->p < r->end) {
		char c = *r->p++;

		/* Between single quotes YAML has no escapes, except '' for
		 * '. */
		if (c == quote && r->yaml && quote == '\'' && r->p < r->end &&
		    *r->p == quote)
			r->p++;
		else if (c == quote)
			return 0;
		else if (c == '\\' && !(r->yaml && quote == '\'')) {
			if ((rc = escaped(r, w)) < 0)
				return rc;
			continue;
		}
		put(w, &c, 1);
	}
	return cut(r);
}

/* Reads a word without quotes, up to a character in ends. */
static void
bare(struct classnames_reader *r, const char *ends, struct classnames_word *w)
{
	const char *from = r->p, *to;

	while (r->p < r->end && *r->p != '\n' &&
	    (*r->p == '\0' || strchr(ends, *r->p) == NULL) &&
	    !(*r->p == '#' && r->p > from && is_blank(r->p[-1])))
		r->p++;
	for (to = r->p; to > from && is_blank(to[-1]); to--)
		;
	put(w, from, (size_t)(to - from));
}

static int
word(struct classnames_reader *r, const char *ends, struct classnames_word *w)
{
	char c = peek(r);

	w->n = 0;
	if (c == '\'' || c == '"')
		return quoted(r, w);
	if (!r->yaml)
		return npu_fail(r->err, NPU_EFORMAT, c == '\0' ?
		    "ends within the names" : "a name is not in quotes");
	bare(r, ends, w);
	return 0;
}

/* Reads a class's number, which may be quoted, and the colon. */
static int
key(struct classnames_reader *r, uint64_t *class)
{
	char quote = peek(r);
	uint64_t n = 0;
	size_t digits = 0;

	if (quote == '\'' || quote == '"')
		r->p++;
	for (; r->p < r->end && *r->p >= '0' && *r->p <= '9' && digits < 9;
	    digits++)
		n = n * 10 + (uint64_t)(*r->p++ - '0');
	if ((quote == '\'' || quote == '"') && !accept(r, quote))
		digits = 0;
	if (digits == 0 || !accept(r, ':'))
		return npu_fail(r->err, NPU_EFORMAT, "where a class' number "
		    "and a colon must be, after %zu names, there is something "
		    "else", r->l.n);
	*class = n;
	return 0;
}

/* ---- Literals --------------------------------------------------------- */

/* Reads the contents of brackets: numbers with names, or only names. */
static int
entries(struct classnames_reader *r, char close)
{
	uint64_t class;
	struct classnames_word w;
	int rc;

	while (!accept(r, close)) {
		class = r->l.n;
		if (close == '}' && (rc = key(r, &class)) < 0)
			return rc;
		if ((rc = word(r, ",]}", &w)) < 0 || (rc = classnames_list_add(
		    &r->l, class, w.s, w.n, r->err)) < 0)
			return rc;
		if (!accept(r, ',') && peek(r) != close)
			return npu_fail(r->err, NPU_EFORMAT, "neither a comma "
			    "nor '%c' after name %zu", close, r->l.n);
	}
	return 0;
}

static int
literal(struct classnames_reader *r)
{
	char open = peek(r), close = ')';

	if (open != '{' && open != '[' && open != '(')
		return npu_fail(r->err, NPU_EFORMAT, "no list of names in "
		    "brackets");
	if (open != '(')
		close = open == '{' ? '}' : ']';
	r->p++;
	return entries(r, close);
}

static int
finish(struct classnames_reader *r, int rc, struct classnames *names)
{
	if (rc < 0) {
		classnames_list_free(&r->l);
		return rc;
	}
	return classnames_list_finish(&r->l, names, r->err);
}

static struct classnames_reader
reader(struct bytes text, bool yaml, struct npu_err *err)
{
	const char *p = text.n > 0 ? (const char *)text.p : "";

	return (struct classnames_reader){ .p = p, .end = p + text.n,
	    .yaml = yaml, .err = err };
}

int
classnames_literal(struct classnames *names, struct bytes text,
    struct npu_err *err)
{
	struct classnames_reader r = reader(text, false, err);
	int rc = literal(&r);

	skip_blanks(&r);
	if (rc == 0 && r.p < r.end)
		rc = npu_fail(err, NPU_EFORMAT, "more text after the names");
	return finish(&r, rc, names);
}

/* ---- Files ------------------------------------------------------------ */

/* Returns the end of the line at r->p, without its newline. */
static const char *
line_end(const struct classnames_reader *r)
{
	const char *e = memchr(r->p, '\n', (size_t)(r->end - r->p));

	return e != NULL ? e : r->end;
}

static void
next_line(struct classnames_reader *r)
{
	r->p = line_end(r);
	if (r->p < r->end)
		r->p++;
}

/* Returns the text after "names:" if the line begins with it, otherwise
 * NULL. */
static const char *
find_key(struct classnames_reader r)
{
	static const char names[] = "names:";
	const size_t n = sizeof(names) - 1;

	for (; r.p < r.end; next_line(&r))
		if ((size_t)(r.end - r.p) >= n && memcmp(r.p, names, n) == 0)
			return r.p + n;
	return NULL;
}

/* Reads the rest of a line of a block, but not the next line. */
static int
rest_of_line(struct classnames_reader *r, struct classnames_word *w)
{
	const char *end = line_end(r);

	skip_blanks(r);
	w->n = 0;
	return r->p > end ? 0 : word(r, "", w);
}

/* Reads lines of "  0: person" or "- person", up to a line of another level. */
static int
block(struct classnames_reader *r)
{
	uint64_t class;
	struct classnames_word w;
	bool indented;
	char c;
	int rc;

	for (skip_blanks(r); r->p < r->end; skip_blanks(r)) {
		c = *r->p;
		indented = r->p[-1] != '\n';
		class = r->l.n;
		if (c == '-' && r->p + 1 < r->end && r->p[1] == ' ')
			r->p += 2;
		else if (!indented)
			break;
		else if ((rc = key(r, &class)) < 0)
			return rc;
		if ((rc = rest_of_line(r, &w)) < 0 ||
		    (rc = classnames_list_add(&r->l, class, w.s, w.n,
		    r->err)) < 0)
			return rc;
	}
	return 0;
}

static int
from_yaml(struct classnames_reader *r, const char *value)
{
	char c;

	r->yaml = true;
	r->p = value;
	c = peek(r);
	return c == '[' || c == '{' ? literal(r) : block(r);
}

/* Reads one name a line; only blanks may follow the last name. */
static int
lines(struct classnames_reader *r)
{
	const char *from, *to;
	int rc;

	while (r->p < r->end) {
		from = r->p;
		to = line_end(r);
		next_line(r);
		while (from < to && is_blank(*from))
			from++;
		while (from < to && is_blank(to[-1]))
			to--;
		if (from == to && peek(r) == '\0' && r->p == r->end)
			break;
		if ((rc = classnames_list_add(&r->l, r->l.n, from,
		    (size_t)(to - from), r->err)) < 0)
			return npu_prefix(r->err, rc, "line %zu", r->l.n + 1);
	}
	return 0;
}

int
classnames_read(struct classnames *names, struct bytes text,
    struct npu_err *err)
{
	struct classnames_reader r;
	const char *value;
	int rc;

	if ((rc = encoding_begin(&text, true, err)) < 0)
		return rc;
	r = reader(text, false, err);
	value = find_key(r);
	return finish(&r, value != NULL ? from_yaml(&r, value) : lines(&r),
	    names);
}
