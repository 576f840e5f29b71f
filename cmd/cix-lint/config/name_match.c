// SPDX-License-Identifier: Apache-2.0
/* name_match.c - finds whether a regular expression matches a name: all states
 * of its code at a time. */
#include <string.h>

#include "base/utf8.h"
#include "name_pattern.h"
#include "pattern_code.h"

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

	(void)char_set_class(&word, 'w');
	return at < m->n && char_set_has(&word, (unsigned char)m->name[at]);
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
			if (char_set_has(&code->set, c) &&
			    !then->has[now->list[i] + 1])
				add_state(&m, then, now->list[i] + 1);
		}
		swap = now, now = then, then = swap;
	}
	return m.matched;
}
