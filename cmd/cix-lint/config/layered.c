// SPDX-License-Identifier: Apache-2.0
/* layered.c - values that differ between layers. */
#include <stdlib.h>

#include "cmd.h"
#include "ir_type.h"
#include "layered.h"

enum { MOST_SELECTORS = 10000 };

/* ---- Words --------------------------------------------------------------- */

static bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *
skip_blanks(const char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

/* Returns the text without blanks at both ends. */
static struct bytes
trim(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	while (end > p && is_blank(end[-1]))
		end--;
	return (struct bytes){ (const uint8_t *)p, (size_t)(end - p) };
}

static char *
copy(struct bytes b)
{
	char *s = cmd_alloc(b.n + 1);

	memcpy(s, b.p, b.n);
	return s;
}

bool
selector_word(const char **list, struct bytes *word)
{
	const char *p = skip_blanks(*list), *end;

	if (*p == '\0')
		return false;
	end = p + strcspn(p, ",");
	*word = trim(p, end);
	*list = *end == ',' ? end + 1 : end;
	return true;
}

static bool
is_word(struct bytes b, bool *number)
{
	*number = b.n > 0;
	for (size_t i = 0; i < b.n; i++) {
		char c = (char)b.p[i];
		bool digit = c >= '0' && c <= '9';

		*number = *number && digit;
		if (!digit && c != '_' && !((c | 0x20) >= 'a' &&
		    (c | 0x20) <= 'z'))
			return false;
	}
	return b.n > 0;
}

/* Checks "A, B": all numbers are single ids. */
static const char *
check_words(struct selector *s)
{
	const char *list = s->what;
	size_t n = 0, numbers = 0;
	struct bytes word;
	bool number;

	while (selector_word(&list, &word)) {
		if (!is_word(word, &number))
			return "a list is neither ranges of ids, such as "
			    "[(3,5)], nor types of operators";
		n++;
		numbers += number;
	}
	if (n == 0)
		return "a list in brackets is empty";
	s->single = n == numbers;
	s->kind = s->single ? SELECT_IDS : SELECT_TYPES;
	return NULL;
}

static const char *
skip_number(const char *p)
{
	const char *digits = p = skip_blanks(p);

	while (*p >= '0' && *p <= '9')
		p++;
	return p > digits ? skip_blanks(p) : NULL;
}

/* Checks "(1,3), (5,5)". */
static const char *
check_ranges(struct selector *s)
{
	static const char reason[] = "a range of ids is not of the form (3,5)";
	const char *p = s->what;

	s->kind = SELECT_IDS;
	for (;;) {
		p = skip_blanks(p);
		if (*p != '(' || (p = skip_number(p + 1)) == NULL ||
		    *p != ',' || (p = skip_number(p + 1)) == NULL || *p != ')')
			return reason;
		p = skip_blanks(p + 1);
		if (*p == '\0')
			return NULL;
		if (*p++ != ',')
			return reason;
	}
}

/* ---- Selectors ----------------------------------------------------------- */

static const char *
parse_what(struct selector *s, struct bytes key)
{
	char close = key.p[0] == '[' ? ']' : '}';

	if (key.n < 2 || key.p[key.n - 1] != (uint8_t)close)
		return close == ']' ? "a '[' has no ']' before the ':'" :
		    "a '{' has no '}' before the ':', which an expression "
		    "cannot contain";
	key = trim((const char *)key.p + 1, (const char *)key.p + key.n - 1);
	s->what = copy(key);
	if (close == '}') {
		s->kind = SELECT_NAME;
		s->pattern = name_pattern_new(s->what, key.n);
		return NULL;
	}
	return *s->what == '(' ? check_ranges(s) : check_words(s);
}

/* Parses what stands between '<' and '>'. */
static const char *
parse_selector(struct layered *v, const char *p, const char *end)
{
	const char *colon = memchr(p, ':', (size_t)(end - p));
	struct bytes key, value;
	struct selector *s;

	if (colon == NULL)
		return "a selector has no ':' and value";
	key = trim(p, colon);
	value = trim(colon + 1, end);
	if (key.n == 0 || (key.p[0] != '[' && key.p[0] != '{'))
		return "a selector begins neither with '[' nor with '{'";
	if (value.n == 0)
		return "a selector has no value behind its ':'";
	if (v->n == MOST_SELECTORS)
		return "it has more than 10000 selectors";
	if ((v->n & (v->n - 1)) == 0)
		v->selector = cmd_realloc(v->selector, (v->n == 0 ? 1 :
		    2 * v->n) * sizeof(*v->selector));
	s = &v->selector[v->n++];
	*s = (struct selector){ .kind = SELECT_IDS, .value = copy(value) };
	return parse_what(s, key);
}

static const char *
parse_selectors(struct layered *v, const char *p)
{
	const char *end, *reason;

	p = skip_blanks(p);
	if (*p == '\0')
		return "nothing follows the '&'";
	for (; *p != '\0'; p = skip_blanks(end + 1)) {
		if (*p != '<')
			return "a selector does not begin with '<'";
		p++;
		end = p + strcspn(p, "<>");
		if (*end != '>')
			return *end == '<' ? "a '<' is inside a selector" :
			    "a '<' has no '>'";
		if ((reason = parse_selector(v, p, end)) != NULL)
			return reason;
	}
	return NULL;
}

const char *
layered_parse(struct layered *v, const char *text)
{
	size_t n = strcspn(text, "&<");

	*v = (struct layered){ .global = copy(trim(text, text + n)) };
	if (text[n] == '<')
		return "'&' is missing before the first '<'";
	return text[n] == '&' ? parse_selectors(v, text + n + 1) : NULL;
}

void
layered_free(struct layered *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->selector[i].what);
		free(v->selector[i].value);
		name_pattern_free(v->selector[i].pattern);
	}
	free(v->selector);
	free(v->global);
	*v = (struct layered){ .global = NULL };
}

/* ---- Nodes --------------------------------------------------------------- */

static bool
types_match(const struct selector *s, struct bytes type)
{
	const char *list = s->what;
	struct bytes word;

	while (selector_word(&list, &word))
		if (ir_type_covers(word, type))
			return true;
	return false;
}

bool
selector_matches(const struct selector *s, struct bytes type,
    struct bytes name)
{
	if (s->kind == SELECT_TYPES)
		return types_match(s, type);
	return s->kind == SELECT_NAME && s->pattern != NULL &&
	    name_pattern_matches(s->pattern, name);
}

const char *
layered_value(const struct layered *v, struct bytes type, struct bytes name,
    const struct selector **by)
{
	const struct selector *found = NULL, *s;

	/* The last entry of an operator applies, and the first expression. */
	for (size_t i = 0; i < v->n; i++) {
		s = &v->selector[i];
		if (s->kind == SELECT_TYPES ? selector_matches(s, type, name) :
		    found == NULL && selector_matches(s, type, name))
			found = s;
	}
	if (by != NULL)
		*by = found;
	return found != NULL ? found->value : v->global;
}
