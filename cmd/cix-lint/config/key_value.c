// SPDX-License-Identifier: Apache-2.0
/* key_value.c - the value of one key. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd.h"
#include "config_parts.h"
#include "layered.h"
#include "suggest.h"

enum {
	LONGEST_FORM = 4096,	/* bytes of a value that a form describes */
	LONGEST_WORD = 64,
	MOST_FINDINGS = 10,	/* for the selectors of one key */
};

/* ---- Words --------------------------------------------------------------- */

static bool
same(const struct key_type *t, const char *a, const char *b, size_t n)
{
	return (t->flags & KEY_ANY_CASE) != 0 ? strncasecmp(a, b, n) == 0 :
	    memcmp(a, b, n) == 0;
}

/* Returns whether p..p+n is one of the key's words; for a metric, also without
 * "Metric" at its end. */
static bool
is_word_of(const struct key_type *t, const char *p, size_t n)
{
	static const char suffix[] = "Metric";
	const char *words = t->words, *word;
	size_t len;

	while ((len = next_word(&words, &word)) > 0) {
		if (len == n && same(t, word, p, n))
			return true;
		if (t->kind == KEY_METRIC && len == n + strlen(suffix) &&
		    memcmp(word + n, suffix, strlen(suffix)) == 0 &&
		    same(t, word, p, n))
			return true;
	}
	return false;
}

/* Returns the word that was probably meant and sets *len, or NULL. */
static const char *
closest_word(const struct key_type *t, const char *p, size_t n, size_t *len)
{
	const char *words = t->words, *word, *best = NULL;
	char other[LONGEST_WORD];
	struct suggestion s;
	size_t m;

	suggest_begin(&s, p, n);
	while ((m = next_word(&words, &word)) > 0) {
		snprintf(other, sizeof(other), "%.*s", (int)m, word);
		suggest_try(&s, other);
		if (s.best == NULL)
			continue;
		/* The next best word sets it again. */
		s.best = NULL;
		best = word;
		*len = m;
	}
	return best;
}

/* Returns "a, b or c" for few words. */
static char *
list_words(const char *words)
{
	struct buf b = { 0 };
	const char *word, *next;
	size_t n, count = 0;

	while ((n = next_word(&words, &word)) > 0) {
		next = words + strspn(words, " ");
		buf_printf(&b, "%s%.*s", count == 0 ? "" :
		    *next == '\0' ? " or " : ", ", (int)n, word);
		count++;
	}
	return b.p;
}

/* Returns what to write in place of a word, or of a value with a form; or
 * NULL. */
static char *
word_instead(const struct key_type *t, const char *p, size_t n)
{
	const char *best;
	size_t len;
	char *list, *fix;

	if (t->words == NULL)
		return NULL;
	if ((best = closest_word(t, p, n, &len)) != NULL)
		return cmd_text("write %.*s", (int)len, best);
	if (t->kind == KEY_FORM || strlen(t->words) > 300)
		return NULL;
	list = list_words(t->words);
	fix = cmd_text("write %s", list);
	free(list);
	return fix;
}

/* ---- Values -------------------------------------------------------------- */

static bool
has_form(const struct key_type *t, const char *text)
{
	char *whole;
	regex_t form;
	int rc;

	if (strlen(text) > LONGEST_FORM)
		return false;
	whole = cmd_text("^(%s)$", t->form);
	if (regcomp(&form, whole, REG_EXTENDED | REG_NOSUB |
	    ((t->flags & KEY_ANY_CASE) != 0 ? REG_ICASE : 0)) != 0)
		cmd_die("out of memory");
	free(whole);
	rc = regexec(&form, text, 0, NULL, 0);
	regfree(&form);
	if (rc != 0 && rc != REG_NOMATCH)
		cmd_die("out of memory");
	return rc == 0;
}

/* Returns the first word of a list that is not known; *n is its length.  Words
 * have commas between them and, in a metric, arguments in parentheses. */
static const char *
unknown_word(const struct key_type *t, const char *p, size_t *n)
{
	static const char blanks[] = " \t\n";

	while (*p != '\0') {
		const char *end;

		p += strspn(p, blanks);
		*n = strcspn(p, t->kind == KEY_METRIC ? ",( \t\n" : ", \t\n");
		end = p + *n;
		end += strspn(end, blanks);
		if (*end == '(' && (end = strchr(end, ')')) != NULL)
			end += 1 + strspn(end + 1, blanks);
		if (!is_word_of(t, p, *n) || end == NULL ||
		    (*end != '\0' && *end != ','))
			return p;
		p = *end == ',' ? end + 1 : end;
	}
	return NULL;
}

/* Takes ownership of message and fix. */
static void
report(struct lint *l, const struct ini_key *k, const struct key_type *t,
    char *message, char *fix)
{
	findings_add(&l->findings, (t->flags & KEY_IS_DATASET) != 0 ?
	    RULE_DATASET : RULE_VALUE, (t->flags & KEY_LENIENT) != 0 ?
	    LEVEL_WARNING : LEVEL_ERROR, k->line, cmd_copy(k->name), message,
	    fix);
}

static void
report_word(struct lint *l, const struct ini_key *k, const struct key_type *t,
    const char *p, size_t n)
{
	char *shown = shown_text(p, n);

	if (strcmp(t->name, "model_type") == 0 && strcasecmp(shown,
	    "caffe") == 0)
		report(l, k, t, cmd_copy("the parser refuses Caffe models "
		    "('Caffe model parsing is no longer supported!')"),
		    cmd_copy("convert the model to ONNX"));
	else
		report(l, k, t, cmd_text("'%s' is not %s %s", shown,
		    (t->flags & KEY_IS_DATASET) != 0 ? "the name of a" :
		    "a value of", k->name), word_instead(t, p, n));
	free(shown);
}

/* Reports a value of the wrong form.  Returns whether it did. */
static bool
check_plain(struct lint *l, const struct ini_key *k, const struct key_type *t,
    const char *text)
{
	const char *p;
	size_t n = strlen(text);
	char *shown;

	switch (t->kind) {
	case KEY_ANY:
		return false;
	case KEY_WORD:
		if (is_word_of(t, text, n))
			return false;
		report_word(l, k, t, text, n);
		return true;
	case KEY_WORDS:
	case KEY_METRIC:
		if ((p = unknown_word(t, text, &n)) == NULL)
			return false;
		report_word(l, k, t, p, n);
		return true;
	case KEY_TARGET:
		if (l->o->target == NULL)
			check_target(l, k->name, k->line, text);
		return false;
	case KEY_FORM:
		break;
	}
	if (has_form(t, text))
		return false;
	shown = shown_text(text, n);
	report(l, k, t, cmd_text("'%s' is not %s", shown, t->noun),
	    word_instead(t, text, n));
	free(shown);
	return true;
}

/* ---- Layers -------------------------------------------------------------- */

/* One warning for each key: ids are numbers of the parsed graph. */
static void
warn_ids(struct lint *l, const struct ini_key *k, const char *what, bool single)
{
	char *shown = shown_text(what, strlen(what));

	findings_add(&l->findings, RULE_LAYER_IDS, LEVEL_WARNING, k->line,
	    cmd_copy(k->name), single ? cmd_text("[%s] is read as the names of "
	    "operators, not as layers, and no layer takes the value", shown) :
	    cmd_text("[%s] are numbers of layers, which change with the "
	    "exporter and with the parser", shown), cmd_copy("name the layers: "
	    "<{NAME.*}:VALUE> takes those whose names begin with NAME"));
	free(shown);
}

static void
check_layered(struct lint *l, const struct ini_key *k,
    const struct key_type *t, const char *text)
{
	struct layered v;
	const char *reason = layered_parse(&v, text);
	unsigned findings = 0;
	bool ids = false;

	if (reason != NULL)
		report(l, k, t, cmd_text("the value is not of the form GLOBAL "
		    "& <[TYPE]:VALUE> <{NAME.*}:VALUE>: %s", reason), NULL);
	else if (v.n > 0 && *v.global == '\0')
		report(l, k, t, cmd_copy("no value for all layers stands "
		    "before the '&'"), NULL);
	else
		findings += check_plain(l, k, t, v.global);
	for (size_t i = 0; reason == NULL && i < v.n; i++) {
		const struct selector *s = &v.selector[i];

		if (s->kind == SELECT_IDS && !ids)
			warn_ids(l, k, s->what, s->single);
		ids = ids || s->kind == SELECT_IDS;
		if (findings < MOST_FINDINGS)
			findings += check_plain(l, k, t, s->value);
	}
	layered_free(&v);
}

/* A method of global_calibration names layers in its second brackets. */
static void
check_global(struct lint *l, const struct ini_key *k, const char *text)
{
	const char *p = strstr(text, "][("), *end;
	char *what;

	if (p == NULL || (end = strchr(p + 2, ']')) == NULL)
		return;
	what = cmd_text("%.*s", (int)(end - p - 2), p + 2);
	warn_ids(l, k, what, false);
	free(what);
}

/* Returns a copy without blanks, which the optimizer removes. */
static char *
without_spaces(const char *value)
{
	char *copy = cmd_copy(value), *out = copy;

	for (const char *p = copy; *p != '\0'; p++)
		if (*p != ' ')
			*out++ = *p;
	*out = '\0';
	return copy;
}

void
check_value(struct lint *l, const struct ini_key *k, const struct key_type *t)
{
	bool optimizer = key_by_name(SECTION_OPTIMIZER, t->name) == t;
	char *text;

	/* Empty: the default. */
	if (*k->value == '\0')
		return;
	text = optimizer ? without_spaces(k->value) : cmd_copy(k->value);
	if ((t->flags & KEY_LAYERED) != 0)
		check_layered(l, k, t, text);
	else
		(void)check_plain(l, k, t, text);
	if (strcmp(t->name, "global_calibration") == 0)
		check_global(l, k, text);
	free(text);
}
