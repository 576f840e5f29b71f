// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "options.h"
#include "sides.h"

/* ---- Options of one side ------------------------------------------------- */

static void
add_jobs(struct bench_jobs *jobs, const char *arg, int64_t first, int64_t last)
{
	for (int64_t n = first; n <= last; n++) {
		if (jobs->n == BENCH_JOBS)
			cmd_usage("--jobs: '%s' is more than %d numbers", arg,
			    BENCH_JOBS);
		jobs->job[jobs->n++] = (unsigned)n;
	}
}

/* Parses -j: "1,2,4" or "1-4"; or a usage error. */
static void
jobs_parse(struct bench_jobs *jobs, const char *arg)
{
	char *copy = cmd_copy(arg), *rest = copy, *one, *to;
	int64_t first, last;

	jobs->n = 0;
	while ((one = strsep(&rest, ",")) != NULL) {
		to = strchr(one, '-');
		if (to != NULL)
			*to++ = '\0';
		first = cmd_int("--jobs", one, 1, NPU_QUEUE_MAX);
		last = to == NULL ? first :
		    cmd_int("--jobs", to, first, NPU_QUEUE_MAX);
		add_jobs(jobs, arg, first, last);
	}
	free(copy);
}

/* Stores a variable for this side's workers.  It is also parsed here, to find
 * an error before a measurement. */
static void
add_device_option(struct bench_side *side, int opt, const char *arg)
{
	if (opt == 'd')
		cmd_choice("--device", arg, cmd_devices);
	if (opt == 'T')
		cmd_duration_ms("--timeout", arg);
	if (side->options == SIDE_WORDS)
		cmd_usage("more than %d options for the device", SIDE_WORDS);
	side->option[side->options].opt = opt;
	side->option[side->options++].arg = arg;
}

bool
side_parse_option(struct bench_side *side, int opt, const char *arg)
{
	switch (opt) {
	case 'd':
	case 'L':
	case 'T':
	case OPT_CACHE:
	case OPT_DIM:
	case OPT_FALLBACK:
	case OPT_NODE:
	case OPT_PROVIDER:
	case OPT_REUSE_JOB:
		add_device_option(side, opt, arg);
		return true;
	case 'j':
		jobs_parse(&side->jobs, arg);
		return true;
	case OPT_SCENARIO:
		side->scenario = cmd_choice("--scenario", arg,
		    bench_scenarios);
		return true;
	}
	return false;
}

/* ---- The value of --ab --------------------------------------------------- */

/* True if word is "NAME=value", where NAME can be a variable's name. */
static bool
is_env(const char *word)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t n = strspn(word, letters);

	return n > 0 && word[n] == '=' && *word > '9';
}

static int
split_words(char *words, char *argv[SIDE_WORDS + 1])
{
	static char option[] = "--ab";	/* in place of argv[0] */
	char *rest = words, *word;
	int n = 0;

	argv[n++] = option;
	while ((word = strsep(&rest, " \t\n")) != NULL) {
		if (*word == '\0')
			continue;
		if (n == SIDE_WORDS)
			cmd_usage("--ab: more than %d words", SIDE_WORDS - 1);
		argv[n++] = word;
	}
	argv[n] = NULL;
	return n;
}

static void
parse_words(struct bench_side *side, int argc, char *argv[])
{
	int opt;

	optind = 0;		/* makes getopt_long() begin again */
	while ((opt = cmd_option(argc, argv)) != -1)
		if (!side_parse_option(side, opt, optarg))
			cmd_usage("--ab: --%s is not for one side alone",
			    cmd_option_name(opt));
	for (int i = optind; i < argc; i++) {
		if (is_env(argv[i]))
			side->env[side->envs++] = argv[i];
		else
			side->model[side->models++] = argv[i];
	}
}

bool
side_parse(struct bench_side *side, char name, const char *words,
    const struct bench_side *common)
{
	char *argv[SIDE_WORDS + 1];
	bool own;

	/* Common options come first: the side's options override them. */
	*side = *common;
	side->words = cmd_copy(words);
	side->name = name;
	side->models = side->jobs.n = 0;
	parse_words(side, split_words(side->words, argv), argv);
	own = side->models > 0;
	if (!own) {
		memcpy(side->model, common->model, sizeof(side->model));
		side->models = common->models;
	}
	if (side->jobs.n == 0)
		side->jobs = common->jobs;
	return own;
}
