// SPDX-License-Identifier: Apache-2.0
/*
 * name_pattern.c - regular expressions as a set of states (K. Thompson, Regular
 * Expression Search Algorithm, 1968).  A repetition {m,n} repeats its code.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "cmd.h"
#include "name_pattern.h"

enum {
	MOST_CODE = 2000,	/* instructions */
	MOST_WORK = 20000,	/* parts that are compiled, with repetitions */
	DEEPEST = 50,		/* groups in groups */
	LONGEST_TEXT = 4096,	/* of an expression, and of a name */
	NO_LIMIT = -1,
};

enum op { OP_SET, OP_SPLIT, OP_JUMP, OP_BEGIN, OP_END, OP_WORD, OP_NO_WORD,
    OP_MATCH };

/* A set of ASCII characters. */
struct char_set {
	uint64_t bit[2];
};

struct code {
	enum op op;
	struct char_set set;	/* of OP_SET */
	unsigned to, or;	/* of OP_SPLIT; to of OP_JUMP */
};

struct name_pattern {
	struct code *code;
	unsigned n;
};

/* ---- Sets ---------------------------------------------------------------- */

static void
set_add(struct char_set *s, unsigned first, unsigned last)
{
	for (unsigned c = first; c <= last && c < 128; c++)
		s->bit[c / 64] |= UINT64_C(1) << c % 64;
}

static bool
set_has(const struct char_set *s, unsigned char c)
{
	return c < 128 && (s->bit[c / 64] >> c % 64 & 1) != 0;
}

static void
set_invert(struct char_set *s)
{
	s->bit[0] = ~s->bit[0];
	s->bit[1] = ~s->bit[1];
}

static void
set_union(struct char_set *s, struct char_set other)
{
	s->bit[0] |= other.bit[0];
	s->bit[1] |= other.bit[1];
}

/* The set of \d, \w and \s, and of \D, \W and \S.  Returns false for other
 * letters. */
static bool
class_set(char letter, struct char_set *s)
{
	*s = (struct char_set){ { 0 } };
	switch (letter | 0x20) {
	case 'd':
		set_add(s, '0', '9');
		break;
	case 'w':
		set_add(s, '0', '9');
		set_add(s, 'A', 'Z');
		set_add(s, 'a', 'z');
		set_add(s, '_', '_');
		break;
	case 's':
		set_add(s, '\t', '\r');
		set_add(s, ' ', ' ');
		set_add(s, 0x1c, 0x1f);
		break;
	default:
		return false;
	}
	if ((letter & 0x20) == 0)
		set_invert(s);
	return true;
}

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
	*class = class_set(e, s);
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
			set_union(&code.set, s);
			continue;
		}
		high = low;
		if (c->end - c->p >= 2 && c->p[0] == '-' && c->p[1] != ']') {
			c->p++;
			if (!parse_set_item(c, &s, &high, &class) || class ||
			    high < low)
				return false;
		}
		set_add(&code.set, low, high);
	}
	if (inverted)
		set_invert(&code.set);
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
		if (class_set(e, &code.set))
			break;
		if (!parse_escape(e, &value))
			return false;
		set_add(&code.set, value, value);
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
		set_add(&code.set, '\n', '\n');
		set_invert(&code.set);
		break;
	default:
		if ((unsigned char)e >= 128)
			return false;
		set_add(&code.set, (unsigned char)e, (unsigned char)e);
	}
	return emit(c, code);
}

/* Reads a number, which becomes at most MOST_WORK + 9; leaves *value if there
 * is none. */
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

/* ---- Matching ------------------------------------------------------------ */

/* States of one position of the name. */
struct states {
	unsigned list[MOST_CODE], n;
	bool has[MOST_CODE];
};

struct matching {
	const struct name_pattern *pattern;
	const char *name;
	size_t n, at;
	bool matched;
};

static bool
is_word(const struct matching *m, size_t at)
{
	struct char_set word;

	(void)class_set('w', &word);
	return at < m->n && set_has(&word, (unsigned char)m->name[at]);
}

/* Returns whether a condition holds between two characters. */
static bool
holds(const struct matching *m, enum op op)
{
	bool border;

	if (op == OP_BEGIN)
		return m->at == 0;
	if (op == OP_END)
		return m->at == m->n;
	border = is_word(m, m->at) != (m->at > 0 && is_word(m, m->at - 1));
	/* As in Python 3.11, an empty name has no inside. */
	return m->n > 0 && border == (op == OP_WORD);
}

/* Lists a state that waits for a character, or returns the number of states
 * that follow without one. */
static unsigned
next_states(struct matching *m, struct states *s, unsigned state,
    unsigned next[2])
{
	const struct code *code = &m->pattern->code[state];

	switch (code->op) {
	case OP_SET:
		s->list[s->n++] = state;
		return 0;
	case OP_MATCH:
		m->matched = true;
		return 0;
	case OP_SPLIT:
		next[0] = code->to;
		next[1] = code->or;
		return 2;
	case OP_JUMP:
		next[0] = code->to;
		return 1;
	default:
		next[0] = state + 1;
		return holds(m, code->op);
	}
}

/* Adds a state, and those that it leads to without a character. */
static void
add_state(struct matching *m, struct states *s, unsigned first)
{
	unsigned stack[MOST_CODE], depth = 0, next[2], state, n;

	stack[depth++] = first;
	s->has[first] = true;
	while (depth > 0) {
		state = stack[--depth];
		n = next_states(m, s, state, next);
		while (n > 0)
			if (!s->has[next[--n]]) {
				s->has[next[n]] = true;
				stack[depth++] = next[n];
			}
	}
}

static void
clear(struct states *s, unsigned n)
{
	memset(s->has, 0, n * sizeof(*s->has));
	s->n = 0;
}

/* Returns the character that the parser writes for c. */
static char
spelled(char c)
{
	bool kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') ||
	    (c != '\0' && strchr(".:/_;'\"", c) != NULL);

	if (kept)
		return c;
	return '_';
}

/* Copies the name as the parser spells it.  Returns its number of bytes. */
static size_t
spell(struct bytes name, char *out)
{
	const char *p = (const char *)name.p;
	size_t left = name.n, n = 0, len;
	uint32_t c;

	for (; left > 0 && n < LONGEST_TEXT; p += len, left -= len) {
		len = utf8_decode(p, left, &c);
		out[n++] = spelled(*p);
		if (len == 0)
			len = 1;
	}
	return n;
}

bool
name_pattern_matches(const struct name_pattern *p, struct bytes name)
{
	char text[LONGEST_TEXT];
	struct states states[2];
	struct states *now = &states[0], *then = &states[1], *swap;
	struct matching m = { .pattern = p, .name = text };
	const struct code *code;

	m.n = spell(name, text);
	clear(now, p->n);
	add_state(&m, now, 0);
	while (!m.matched && m.at < m.n && now->n > 0) {
		unsigned char c = (unsigned char)text[m.at++];

		clear(then, p->n);
		for (unsigned i = 0; i < now->n; i++) {
			code = &p->code[now->list[i]];
			if (set_has(&code->set, c) &&
			    !then->has[now->list[i] + 1])
				add_state(&m, then, now->list[i] + 1);
		}
		swap = now, now = then, then = swap;
	}
	return m.matched;
}
