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
			cmd_usage("-j: '%s' is more than %d numbers", arg,
			    BENCH_JOBS);
		jobs->job[jobs->n++] = (unsigned)n;
	}
}

void
jobs_parse(struct bench_jobs *jobs, const char *arg)
{
	char *copy = cmd_copy(arg), *rest = copy, *one, *to;
	int64_t first, last;

	jobs->n = 0;
	while ((one = strsep(&rest, ",")) != NULL) {
		to = strchr(one, '-');
		if (to != NULL)
			*to++ = '\0';
		first = cmd_int("-j", one, 1, NPU_QUEUE_MAX);
		last = to == NULL ? first :
		    cmd_int("-j", to, first, NPU_QUEUE_MAX);
		add_jobs(jobs, arg, first, last);
	}
	free(copy);
}

/* Kept, since it is for the processes of this side; but looked at here, so that
 * a wrong one is found before anything is measured. */
static void
add_device_option(struct bench_side *side, int opt, const char *arg)
{
	if (opt == 'd')
		cmd_choice("-d", arg, cmd_devices);
	if (opt == 'T')
		cmd_duration_ms("-T", arg);
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
	case OPT_NODE:
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

void
side_apply(const struct bench_side *side)
{
	for (unsigned i = 0; i < side->envs; i++)
		if (putenv(side->env[i]) != 0)
			cmd_die("out of memory");
	for (unsigned i = 0; i < side->options; i++) {
		int opt = side->option[i].opt;
		const char *arg = side->option[i].arg;

		if (opt == 'T')
			cmd_device.timeout_ms = cmd_duration_ms("-T", arg);
		else if (opt == OPT_REUSE_JOB)
			cmd_device.reuse_job = true;
		else
			cmd_device_option(opt, arg);
	}
}

/* ---- The words of --ab --------------------------------------------------- */

/* "NAME=value", where NAME could be that of a variable. */
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
	char *rest = words, *word;
	int n = 0;

	argv[n++] = (char *)(uintptr_t)program.name;
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

	optind = 0;		/* getopt_long() begins anew */
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

	/* The common options first, so that those of this side go before. */
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

/* ---- Configurations ------------------------------------------------------ */

/* What a list of numbers in flight means where nothing was said. */
static enum bench_scenario
scenario_of(const struct bench_side *side)
{
	bool several = false;

	for (unsigned i = 0; i < side->jobs.n; i++)
		several |= side->jobs.job[i] > 1;
	if (side->scenario == SINGLE_STREAM && several)
		cmd_usage("--scenario=single-stream has 1 in flight; with more "
		    "it is offline");
	if (side->scenario >= 0)
		return (enum bench_scenario)side->scenario;
	return several ? OFFLINE : SINGLE_STREAM;
}

static unsigned
configs_of(const struct bench_side *side, bool together)
{
	unsigned jobs = side->jobs.n == 0 ? 1 : side->jobs.n;

	return together ? jobs : jobs * side->models;
}

/* The loads of configuration c on one side. */
static void
add_config(struct sweep *sweep, const struct bench_side *side, unsigned config,
    bool together)
{
	enum { DEFAULT_JOBS = 3 };	/* as npu-run's */
	unsigned jobs = side->jobs.n == 0 ? 1 : side->jobs.n;
	enum bench_scenario scenario = scenario_of(side);
	struct bench_load load = { .scenario = scenario,
	    .inflight = side->jobs.n > 0 ? side->jobs.job[config % jobs] :
	    scenario == SINGLE_STREAM ? 1 : DEFAULT_JOBS };
	unsigned first = together ? 0 : config / jobs;
	unsigned last = together ? side->models : first + 1;

	for (unsigned i = first; i < last; i++) {
		load.model = side->model[i];
		sweep->entry[sweep->n++] = (struct sweep_entry){ .load = load,
		    .config = config, .side = side };
	}
}

void
sweep_make(struct sweep *sweep, const struct bench_side *side,
    unsigned sides, bool together)
{
	unsigned configs = configs_of(&side[0], together), most = 0;

	for (unsigned i = 0; i < sides; i++) {
		if (configs_of(&side[i], together) != configs)
			cmd_usage("--ab: A has %u configurations and B %u; "
			    "each is compared with its like", configs,
			    configs_of(&side[i], together));
		most += configs * (together ? side[i].models : 1);
	}
	sweep->entry = cmd_alloc(most * sizeof(*sweep->entry));
	sweep->n = 0;
	sweep->configs = configs;
	for (unsigned config = 0; config < configs; config++)
		for (unsigned i = 0; i < sides; i++)
			add_config(sweep, &side[i], config, together);
}

const struct sweep_entry *
sweep_find(const struct sweep *sweep, unsigned config, char side,
    unsigned *n)
{
	const struct sweep_entry *first = NULL;

	*n = 0;
	for (unsigned i = 0; i < sweep->n; i++) {
		if (sweep->entry[i].config != config ||
		    sweep->entry[i].side->name != side)
			continue;
		if (first == NULL)
			first = &sweep->entry[i];
		++*n;
	}
	return first;
}
