// SPDX-License-Identifier: Apache-2.0
/* off_comment.c - comments that turn rules off. */
#include <string.h>

#include "cmd.h"
#include "ini_line.h"
#include "off_comment.h"
#include "suggest.h"

enum { MOST_NOTES = 20 };

/* Returns the text behind word and blanks, or NULL if p..end does not begin
 * with word. */
static const char *
after(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	if (p == NULL || (size_t)(end - p) < n || memcmp(p, word, n) != 0)
		return NULL;
	p += n;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static void
note_unknown(struct findings *f, unsigned line, const char *word, size_t n)
{
	struct suggestion s;

	suggest_begin(&s, word, n);
	for (enum rule r = 0; r < RULE_N; r++)
		suggest_try(&s, rule_name(r));
	findings_add(f, RULE_VALUE, LEVEL_NOTE, line, NULL,
	    cmd_text("no rule is called '%.*s'", (int)n, word),
	    s.best != NULL ? cmd_text("# cix-lint: off %s", s.best) :
	    cmd_copy("cix-lint --list-rules lists the rules"));
}

static bool
separates(char c)
{
	return c == ',' || c == ' ' || c == '\t';
}

/* Turns off each rule of the list, and notes unknown names, *notes at most. */
static void
read_list(struct findings *f, unsigned line, const char *p, const char *end,
    unsigned *notes)
{
	const char *word;
	enum rule r;

	while (p < end) {
		for (word = p; p < end && !separates(*p);)
			p++;
		r = rule_by_name(word, (size_t)(p - word));
		if (r < RULE_N) {
			f->off[r] = true;
		} else if (p > word && *notes > 0) {
			note_unknown(f, line, word, (size_t)(p - word));
			(*notes)--;
		}
		if (p < end)
			p++;
	}
}

static void
read_comments(char *p, char *end, struct findings *f, unsigned notes)
{
	struct ini_line l = { .p = NULL };
	const char *stop, *list;

	while (ini_next_line(&l, &p, end)) {
		if (!ini_is_comment(&l))
			continue;
		stop = l.p + l.n;
		list = after(l.p, stop, l.p[0] == '#' ? "#" : ";");
		list = after(list, stop, "cix-lint:");
		list = after(list, stop, "off");
		if (list != NULL)
			read_list(f, l.number, list, stop, &notes);
	}
}

void
off_comments(char *p, char *end, struct findings *f)
{
	/* A later comment may turn the notes off. */
	read_comments(p, end, f, 0);
	read_comments(p, end, f, MOST_NOTES);
}
