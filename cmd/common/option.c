// SPDX-License-Identifier: Apache-2.0
/* option.c - the command line, from one table: options, help and version, and
 * the arguments: numbers, times and choices. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "cmd.h"
#include "completion/completion.h"
#include "suggest.h"

enum {
	COLUMN = 24,		/* column where --help explains an option */
	WIDTH = 80,
};

/* ---- Tables for getopt_long() ------------------------------------------- */

/* Made once, for getopt_long(). */
static struct option *table;
static char *letters;		/* ":ab:c::" */

static int
has_arg(const struct opt *o)
{
	if (o->arg == NULL)
		return no_argument;
	return *o->arg == '[' ? optional_argument : required_argument;
}

static void
make_table(void)
{
	size_t rows = 0, n = 0, len = 0;

	while (program.options[rows].help != NULL)
		rows++;
	table = cmd_alloc((rows + 1) * sizeof(*table));
	letters = cmd_alloc(3 * rows + 2);
	letters[len++] = ':';	/* getopt: ':' for a missing argument */
	for (const struct opt *o = program.options; o->help != NULL; o++) {
		if (o->name == NULL)
			continue;
		table[n++] = (struct option){ o->name, has_arg(o), NULL,
		    o->val };
		if (o->val > '~')
			continue;
		letters[len++] = (char)o->val;
		for (int i = 0; i < has_arg(o); i++)
			letters[len++] = ':';
	}
}

const char *
cmd_option_name(int val)
{
	for (const struct option *o = table; o->name != NULL; o++)
		if (o->val == val)
			return o->name;
	return NULL;
}

/* ---- Wrong options ------------------------------------------------------ */

/* Refuses word[0..n), "-R" or "--top", if it is an option's old name. */
static void
refuse_moved(const char *word, size_t n)
{
	for (const struct moved *m = program.moved; m && m->old; m++) {
		if (strncmp(m->old, word, n) != 0 || m->old[n] != '\0')
			continue;
		if (m->means == NULL)
			cmd_usage("%s: use %s", m->old, m->now);
		cmd_usage("%s: use %s, as %s means %s in every program",
		    m->old, m->now, m->old, m->means);
	}
}

/* Returns the long option that word[0..n) probably means, or NULL. */
static const char *
nearest(const char *word, size_t n)
{
	struct suggestion s;

	suggest_begin(&s, word, n);
	for (const struct option *o = table; o->name != NULL; o++)
		suggest_try(&s, o->name);
	return s.best;
}

static _Noreturn void
unknown_long(const char *word)
{
	size_t n = strcspn(word, "=");
	const char *near;

	refuse_moved(word, n);
	near = nearest(word + 2, n - 2);
	if (near != NULL)
		cmd_usage("unknown option '%.*s'; did you mean '--%s'?",
		    (int)n, word, near);
	cmd_usage("unknown option '%.*s'", (int)n, word);
}

/* A -r of another program may be -R here, and similar. */
static _Noreturn void
unknown_letter(int letter)
{
	const unsigned char c = (unsigned char)letter;
	const int other = isupper(c) ? tolower(c) : toupper(c);
	const char *name = cmd_option_name(other);
	const char word[] = { '-', (char)letter, '\0' };

	refuse_moved(word, 2);
	if (name != NULL && other != c)
		cmd_usage("unknown option '-%c'; did you mean '-%c' (--%s)?",
		    letter, other, name);
	cmd_usage("unknown option '-%c'", letter);
}

/* Refuses an option: c is what getopt_long() returned, word what it read. */
static _Noreturn void
wrong_option(int c, const char *word)
{
	const char *name = cmd_option_name(optopt);

	if (c == '?' && optopt == 0)
		unknown_long(word);
	if (name == NULL)
		unknown_letter(optopt);
	/* "--top" may be an abbreviation of an option with another argument. */
	refuse_moved(word, strcspn(word, "="));
	if (c == ':')
		cmd_usage("option '--%s' needs an argument", name);
	cmd_usage("option '--%s' takes no argument", name);
}

/* ---- Help --------------------------------------------------------------- */

/* Prints " -o, --output=FILE write to FILE", in lines of WIDTH columns. */
static void
print_option(const struct opt *o)
{
	char letter[] = "    ";
	int column, len;

	if (o->val <= '~')
		snprintf(letter, sizeof(letter) - 1, "-%c,", o->val);
	column = printf("  %-4s--%s%s", letter, o->name, o->arg ? o->arg : "");
	column += printf("%*s", column < COLUMN ? COLUMN - column : 2, "");
	for (const char *p = o->help; *p != '\0'; p += len + (p[len] == ' ')) {
		len = (int)strcspn(p, " ");
		if (p > o->help && column + 1 + len >= WIDTH)
			column = printf("\n%*s", COLUMN, "") - 1;
		else if (p > o->help)
			column += printf(" ");
		column += printf("%.*s", len, p);
	}
	printf("\n");
}

/* Prints usage, options and the current environment variables. */
static _Noreturn void
help(void)
{
	const char *value;

	printf("Examples:\n%s\nUsage: %s\n\n%s\n", program.examples,
	    program.synopsis, program.help);
	for (const struct opt *o = program.options; o->help != NULL; o++) {
		if (o->name == NULL)
			printf("%s\n", o->help);
		else
			print_option(o);
	}
	if (program.env != NULL)
		printf("\nEnvironment variables and their values:\n");
	for (const struct cmd_env *e = program.env; e && e->name; e++) {
		value = getenv(e->name);
		if (value != NULL)
			printf("  %s=%s\n      %s\n", e->name, value,
			    e->meaning);
		else
			printf("  %s (not set)\n      %s\n", e->name,
			    e->meaning);
	}
	printf("\nExit status: 0 done, 1 failed, 2 usage; for others see "
	    "%s(1).\n", program.name);
	cmd_exit(EXIT_DONE);
}

static _Noreturn void
version(void)
{
	char *more = program.version != NULL ? program.version() : NULL;
	struct buf b = { 0 };

	buf_printf(&b, "%s (npu-utils) %s\nlibnpu %s\n", program.name,
	    NPU_VERSION, NPU_VERSION);
	if (more != NULL)
		buf_printf(&b, "%s\n", more);
	cmd_write_document(NULL, &b);
	free(more);
	cmd_exit(EXIT_DONE);
}

static _Noreturn void
complete(const char *shell)
{
	struct buf b = { 0 };

	completion_write(&b, (enum shell)
	    cmd_choice("--completion", shell, cmd_shells));
	cmd_write_document(NULL, &b);
	cmd_exit(EXIT_DONE);
}

/* Guards the files of -o before any option is parsed, because options may be
 * read from inputs.  getopt_long() moves words and therefore gets a copy. */
static void
guard_outputs(int argc, char *const argv[])
{
	char **words = cmd_alloc(((size_t)argc + 1) * sizeof(*words));
	int c;

	memcpy(words, argv, (size_t)argc * sizeof(*words));
	while ((c = getopt_long(argc, words, letters, table, NULL)) != -1)
		if (c == 'o')
			cmd_guard_output(optarg);
	optind = 0;		/* start again, as glibc specifies */
	free(words);
}

int
cmd_option(int argc, char *argv[])
{
	int c, index = -1;
	const char *word;

	opterr = 0;
	if (table == NULL) {
		make_table();
		guard_outputs(argc, argv);
	}
	c = getopt_long(argc, argv, letters, table, &index);
	if (c == -1)
		return -1;
	/* A long option's word precedes its argument, if separate. */
	word = argv[optind - 1];
	if (index >= 0 && optarg == word)
		word = argv[optind - 2];
	if (c == '?' || c == ':')
		wrong_option(c, word);
	/*
	 * getopt_long() accepts abbreviations, which later options would break.
	 */
	if (index >= 0 && strcspn(word + 2, "=") !=
	    strlen(table[index].name))
		unknown_long(word);
	if (c == 'h')
		help();
	if (c == 'V')
		version();
	if (c == CMD_COMPLETION)
		complete(optarg);
	return c;
}

/* ---- Arguments --------------------------------------------------------- */

/* Parses with num_int() or num_size(). */
static int64_t
whole(const char *option, const char *arg, int64_t least, int64_t most,
    int (*parse)(const char *, int64_t, int64_t, int64_t *, struct npu_err *))
{
	struct npu_err err;
	int64_t v;

	if (parse(arg, least, most, &v, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return v;
}

int64_t
cmd_int(const char *option, const char *arg, int64_t least, int64_t most)
{
	return whole(option, arg, least, most, num_int);
}

int64_t
cmd_size(const char *option, const char *arg, int64_t least, int64_t most)
{
	return whole(option, arg, least, most, num_size);
}

int
cmd_choice(const char *option, const char *arg, const char *const *names)
{
	struct buf all = { 0 };

	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(arg, names[i]) == 0)
			return i;
	for (int i = 0; names[i] != NULL; i++)
		buf_printf(&all, "%s%s", i == 0 ? "" : names[i + 1] != NULL ?
		    ", " : " or ", names[i]);
	cmd_usage("%s: '%s' is not %.*s", option, arg, (int)all.n, all.p);
}

const char *
cmd_named(const char *option, const char *arg)
{
	if (*arg == '\0')
		cmd_usage("%s: an empty name; a file has a name", option);
	return arg;
}

double
cmd_double(const char *option, const char *arg, double least, double most)
{
	struct npu_err err;
	double v;

	if (num_double(arg, least, most, &v, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return v;
}

int32_t
cmd_interval_ms(const char *option, const char *arg, int32_t least)
{
	struct npu_err err;
	int32_t ms;

	if (num_duration_ms(arg, &ms, &err) < 0 || ms < least)
		cmd_usage("%s: '%s' is not a time such as 500ms, 10s or 2min, "
		    "from %dms to 24d", option, arg, (int)least);
	return ms;
}

int32_t
cmd_duration_ms(const char *option, const char *arg)
{
	struct npu_err err;
	int32_t ms;

	if (num_duration_ms(arg, &ms, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return ms;
}
