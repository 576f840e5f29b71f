// SPDX-License-Identifier: Apache-2.0
/* option.c - options from one table; help and version. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cmd.h"
#include "near.h"

/* ":ab:c" of the table; the leading ':' tells a missing argument apart. */
static const char *
short_letters(void)
{
	static char s[130];
	size_t n = 0;

	if (s[0] != '\0')
		return s;
	s[n++] = ':';
	for (const struct option *o = program.options; o->name; o++) {
		if (o->val <= ' ' || o->val > '~' || n + 4 > sizeof(s))
			continue;
		s[n++] = (char)o->val;
		for (int i = 0; i < o->has_arg; i++)
			s[n++] = ':';
	}
	s[n] = '\0';
	return s;
}

/* The long option that word[0..n) was probably meant to be, or NULL. */
static const char *
nearest(const char *word, size_t n)
{
	struct near near;

	near_begin(&near, word, n);
	for (const struct option *o = program.options; o->name; o++)
		near_try(&near, o->name);
	return near.best;
}

static _Noreturn void
unknown_long(const char *word)
{
	size_t n = strcspn(word, "=");
	const char *near = nearest(word + 2, n - 2);

	if (near != NULL)
		cmd_usage("unknown option '%.*s'; did you mean '--%s'?",
		    (int)n, word, near);
	cmd_usage("unknown option '%.*s'", (int)n, word);
}

static const struct option *
by_val(int val)
{
	for (const struct option *o = program.options; o->name; o++)
		if (o->val == val)
			return o;
	return NULL;
}

/* A refused option: c is what getopt_long() answered, word what it read. */
static _Noreturn void
wrong_option(int c, const char *word)
{
	const struct option *o = by_val(optopt);

	if (c == '?' && optopt == 0)
		unknown_long(word);
	if (o == NULL)
		cmd_usage("unknown option '-%c'", optopt);
	if (c == ':')
		cmd_usage("option '--%s' needs an argument", o->name);
	cmd_usage("option '--%s' takes no argument", o->name);
}

/* Usage, options and the environment in force; to stdout. */
static _Noreturn void
help(void)
{
	const char *value;

	printf("Examples:\n%s\nUsage: %s\n\n%s", program.examples,
	    program.synopsis, program.help);
	if (program.env != NULL)
		printf("\nEnvironment, and what is in force:\n");
	for (const struct cmd_env *e = program.env; e && e->name; e++) {
		value = getenv(e->name);
		if (value != NULL)
			printf("  %s=%s\n      %s\n", e->name, value,
			    e->meaning);
		else
			printf("  %s (not set)\n      %s\n", e->name,
			    e->meaning);
	}
	printf("\nExit status: 0 done, 1 failed, 2 usage, "
	    "3 no usable device; see %s(1).\n", program.name);
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

int
cmd_option(int argc, char *argv[])
{
	int c, index = -1;
	const char *word;

	opterr = 0;
	c = getopt_long(argc, argv, short_letters(), program.options, &index);
	if (c == -1)
		return -1;
	/* A long option's word is before its argument, if that is apart. */
	word = argv[optind - 1];
	if (index >= 0 && optarg != NULL && optarg == word)
		word = argv[optind - 2];
	if (c == '?' || c == ':')
		wrong_option(c, word);
	/* getopt_long() takes abbreviations; later options would break them. */
	if (index >= 0 && strcspn(word + 2, "=") !=
	    strlen(program.options[index].name))
		unknown_long(word);
	if (c == 'h')
		help();
	if (c == 'V')
		version();
	return c;
}
