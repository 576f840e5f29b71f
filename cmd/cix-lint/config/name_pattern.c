// SPDX-License-Identifier: Apache-2.0
/*
 * name_pattern.c - regular expressions as a set of states (K. Thompson, Regular
 * Expression Search Algorithm, 1968).  A repetition {m,n} repeats its code.
 */
#include <stdlib.h>

#include "cmd.h"
#include "name_pattern.h"
#include "pattern_code.h"

enum {
	MOST_WORK = 20000,	/* parts that are compiled, with repetitions */
	DEEPEST = 50,		/* groups in groups */
	NO_LIMIT = -1,
};

/* ---- Compilation --------------------------------------------------------- */

struct pattern_parser {
	const char *p, *end;
	struct name_pattern *out;
	unsigned work, depth;
};

static bool parse_choice(struct pattern_parser *c);

static bool
emit(struct pattern_parser *c, struct code code)
{
	struct name_pattern *o = c->out;

	if (o->n == MOST_CODE)
		return false;
	o->code[o->n++] = code;
	return true;
}

static bool
take(struct pattern_parser *c, char want)
{
	if (c->p == c->end || *c->p != want)
		return false;
	c->p++;
	return true;
}

/* Reads the character behind a backslash, which stands for itself or for a
 * control character.  Returns false for other letters and digits. */
static bool
parse_escape(char e, unsigned *value)
{
	static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
	const char *at = e != '\0' ? strchr(letters, e) : NULL;

	*value = (unsigned char)(at != NULL ? values[at - letters] : e);
	return *value < 128 && (at != NULL || !((e >= '0' && e <= '9') ||
	    ((e | 0x20) >= 'a' && (e | 0x20) <= 'z')));
}

/* Reads one character of a set.  Sets *class if it is a class such as \d. */
static bool
parse_set_item(struct pattern_parser *c, struct char_set *s, unsigned *value,
    bool *class)
{
	char e = *c->p++;

	*class = false;
	*value = (unsigned char)e;
	if (e != '\\')
		return *value < 128;
	if (c->p == c->end)
		return false;
	e = *c->p++;
	*class = char_set_class(s, e);
	return *class || (e != 'b' ? parse_escape(e, value) :
	    (*value = '\b', true));
}

/* Reads a set behind its '['. */
static bool
parse_set(struct pattern_parser *c)
{
	struct code code = { .op = OP_SET };
	bool inverted = take(c, '^'), first = true, class;
	struct char_set s;
	unsigned low, high;

	for (; c->p < c->end && (*c->p != ']' || first); first = false) {
		if (!parse_set_item(c, &s, &low, &class))
			return false;
		if (class) {
			char_set_union(&code.set, s);
			continue;
		}
		high = low;
		if (c->end - c->p >= 2 && c->p[0] == '-' && c->p[1] != ']') {
			c->p++;
			if (!parse_set_item(c, &s, &high, &class) || class ||
			    high < low)
				return false;
		}
		char_set_add(&code.set, low, high);
	}
	if (inverted)
		char_set_invert(&code.set);
	return take(c, ']') && emit(c, code);
}

/* Reads a group behind its '('. */
static bool
parse_group(struct pattern_parser *c)
{
	bool ok;

	if (take(c, '?') && !take(c, ':'))
		return false;
	if (c->depth == DEEPEST)
		return false;
	c->depth++;
	ok = parse_choice(c) && take(c, ')');
	c->depth--;
	return ok;
}

/* Reads what follows a backslash outside a set. */
static bool
parse_backslash(struct pattern_parser *c)
{
	struct code code = { .op = OP_SET };
	unsigned value;
	char e;

	if (c->p == c->end)
		return false;
	e = *c->p++;
	switch (e) {
	case 'A': code.op = OP_BEGIN; break;
	case 'Z': code.op = OP_END; break;
	case 'b': code.op = OP_WORD; break;
	case 'B': code.op = OP_NO_WORD; break;
	default:
		if (char_set_class(&code.set, e))
			break;
		if (!parse_escape(e, &value))
			return false;
		char_set_add(&code.set, value, value);
	}
	return emit(c, code);
}

static bool
parse_atom(struct pattern_parser *c)
{
	struct code code = { .op = OP_SET };
	char e = *c->p++;

	switch (e) {
	case '(': return parse_group(c);
	case '[': return parse_set(c);
	case '\\': return parse_backslash(c);
	case '*': case '+': case '?': return false;
	case '^': code.op = OP_BEGIN; break;
	case '$': code.op = OP_END; break;
	case '.':
		char_set_add(&code.set, '\n', '\n');
		char_set_invert(&code.set);
		break;
	default:
		if ((unsigned char)e >= 128)
			return false;
		char_set_add(&code.set, (unsigned char)e, (unsigned char)e);
	}
	return emit(c, code);
}

/* Reads a number, which becomes at most MOST_WORK + 9.  Without a digit, *value
 * stays. */
static void
parse_number(struct pattern_parser *c, int *value)
{
	bool first = true;

	for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; first = false) {
		*value = first ? 0 : *value > MOST_WORK / 10 ? MOST_WORK :
		    *value * 10;
		*value += *c->p++ - '0';
	}
}

/*
 * Reads "*", "+", "?", "{m}", "{m,n}" and the '?' that makes them lazy, which
 * does not change whether there is a match.  Returns false if nothing of this
 * follows.  As in Python, other braces are characters.
 */
static bool
parse_repetition(struct pattern_parser *c, int *least, int *most)
{
	const char *begin = c->p;

	*least = 0;
	*most = NO_LIMIT;
	if (take(c, '*')) {
		;
	} else if (take(c, '+')) {
		*least = 1;
	} else if (take(c, '?')) {
		*most = 1;
	} else if (take(c, '{')) {
		parse_number(c, least);
		if (!take(c, ','))
			*most = *least;
		else
			parse_number(c, most);
		if (!take(c, '}') || c->p - begin == 2) {
			c->p = begin;
			return false;
		}
	} else {
		return false;
	}
	(void)take(c, '?');
	return true;
}

/* Emits the code of atom, which begins at text. */
static bool
emit_again(struct pattern_parser *c, const char *text)
{
	const char *p = c->p;
	bool ok;

	if (++c->work > MOST_WORK)
		return false;
	c->p = text;
	ok = parse_atom(c);
	c->p = p;
	return ok;
}

/* Emits an atom that may be left out or, with loop, repeated. */
static bool
emit_optional(struct pattern_parser *c, const char *text, bool loop)
{
	unsigned split = c->out->n;

	if (!emit(c, (struct code){ .op = OP_SPLIT, .to = split + 1 }) ||
	    !emit_again(c, text) || (loop && !emit(c, (struct code){
	    .op = OP_JUMP, .to = split })))
		return false;
	c->out->code[split].or = c->out->n;
	return true;
}

/* Returns whether a repetition follows. */
static bool
repeats_next(struct pattern_parser c)
{
	int least, most;

	return parse_repetition(&c, &least, &most);
}

/* Emits the code of an atom at text, which was read already. */
static bool
emit_repeated(struct pattern_parser *c, const char *text, int least, int most)
{
	for (int i = 0; i < least; i++)
		if (!emit_again(c, text))
			return false;
	if (most == NO_LIMIT)
		return emit_optional(c, text, true);
	for (int i = least; i < most; i++)
		if (!emit_optional(c, text, false))
			return false;
	return true;
}

/* Reads an atom and its repetition.  As in Python, a condition cannot be
 * repeated, nor a repetition. */
static bool
parse_piece(struct pattern_parser *c)
{
	const char *text = c->p;
	unsigned begin = c->out->n;
	int least, most;

	if (++c->work > MOST_WORK || repeats_next(*c) || !parse_atom(c))
		return false;
	if (!parse_repetition(c, &least, &most))
		return true;
	if (repeats_next(*c) || (most != NO_LIMIT && most < least) ||
	    (c->out->n == begin + 1 && c->out->code[begin].op >= OP_BEGIN))
		return false;
	c->out->n = begin;
	return emit_repeated(c, text, least, most);
}

/* Reads alternatives up to ')' or the end. */
static bool
parse_choice(struct pattern_parser *c)
{
	unsigned split, jumps[64], n = 0;

	for (;;) {
		/* Becomes a split if another alternative follows. */
		split = c->out->n;
		if (!emit(c, (struct code){ .op = OP_JUMP, .to = split + 1 }))
			return false;
		while (c->p < c->end && *c->p != '|' && *c->p != ')')
			if (!parse_piece(c))
				return false;
		if (!take(c, '|'))
			break;
		if (n == 64 || !emit(c, (struct code){ .op = OP_JUMP }))
			return false;
		jumps[n++] = c->out->n - 1;
		c->out->code[split] = (struct code){ .op = OP_SPLIT,
		    .to = split + 1, .or = c->out->n };
	}
	while (n > 0)
		c->out->code[jumps[--n]].to = c->out->n;
	return true;
}

struct name_pattern *
name_pattern_new(const char *text, size_t n)
{
	struct name_pattern *p = cmd_alloc(sizeof(*p));
	struct pattern_parser c = { .p = text, .end = text + n, .out = p };

	p->code = cmd_alloc(MOST_CODE * sizeof(*p->code));
	if (n > LONGEST_TEXT || !parse_choice(&c) || c.p != c.end ||
	    !emit(&c, (struct code){ .op = OP_MATCH })) {
		name_pattern_free(p);
		return NULL;
	}
	p->code = cmd_realloc(p->code, p->n * sizeof(*p->code));
	return p;
}

void
name_pattern_free(struct name_pattern *p)
{
	if (p == NULL)
		return;
	free(p->code);
	free(p);
}
