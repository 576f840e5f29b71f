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
jobs_take(struct bench_jobs *jobs, const char *arg)
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
keep(struct bench_side *side, int c, const char *arg)
{
	if (c == 'd')
		cmd_choice("-d", arg, cmd_devices);
	if (c == 'T')
		cmd_duration_ms("-T", arg);
	if (side->givens == SIDE_WORDS)
		cmd_usage("more than %d options for the device", SIDE_WORDS);
	side->given[side->givens].c = c;
	side->given[side->givens++].arg = arg;
}

bool
side_option(struct bench_side *side, int c, const char *arg)
{
	switch (c) {
	case 'd':
	case 'L':
	case 'T':
	case OPT_NODE:
	case OPT_REUSE_JOB:
		keep(side, c, arg);
		return true;
	case 'j':
		jobs_take(&side->jobs, arg);
		return true;
	case OPT_SCENARIO:
		side->scenario = cmd_choice("--scenario", arg,
		    bench_scenarios);
		return true;
	}
	return false;
}

void
side_enter(const struct bench_side *side)
{
	for (unsigned i = 0; i < side->envs; i++)
		if (putenv(side->env[i]) != 0)
			cmd_die("out of memory");
	for (unsigned i = 0; i < side->givens; i++) {
		int c = side->given[i].c;
		const char *arg = side->given[i].arg;

		if (c == 'T')
			cmd_device.timeout_ms = cmd_duration_ms("-T", arg);
		else if (c == OPT_REUSE_JOB)
			cmd_device.reuse_job = true;
		else
			cmd_device_option(c, arg);
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
split(char *words, char *argv[SIDE_WORDS + 1])
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
take_words(struct bench_side *side, int argc, char *argv[])
{
	int c;

	optind = 0;		/* getopt_long() begins anew */
	while ((c = cmd_option(argc, argv)) != -1)
		if (!side_option(side, c, optarg))
			cmd_usage("--ab: --%s is not for one side alone",
			    cmd_option_name(c));
	for (int i = optind; i < argc; i++) {
		if (is_env(argv[i]))
			side->env[side->envs++] = argv[i];
		else
			side->model[side->models++] = argv[i];
	}
}

bool
side_read(struct bench_side *side, char name, const char *words,
    const struct bench_side *common)
{
	char *argv[SIDE_WORDS + 1];
	bool own;

	/* The common options first, so that those of this side go before. */
	*side = *common;
	side->words = cmd_copy(words);
	side->name = name;
	side->models = side->jobs.n = 0;
	take_words(side, split(side->words, argv), argv);
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
add_config(struct bench_members *m, const struct bench_side *side, unsigned c,
    bool together)
{
	enum { DEFAULT_JOBS = 3 };	/* as npu-run's */
	unsigned jobs = side->jobs.n == 0 ? 1 : side->jobs.n;
	enum bench_scenario scenario = scenario_of(side);
	struct bench_load load = { .scenario = scenario,
	    .inflight = side->jobs.n > 0 ? side->jobs.job[c % jobs] :
	    scenario == SINGLE_STREAM ? 1 : DEFAULT_JOBS };
	unsigned first = together ? 0 : c / jobs;
	unsigned last = together ? side->models : first + 1;

	for (unsigned i = first; i < last; i++) {
		load.model = side->model[i];
		m->member[m->n++] = (struct bench_member){ .load = load,
		    .config = c, .side = side };
	}
}

void
members_of(struct bench_members *m, const struct bench_side *side,
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
	m->member = cmd_alloc(most * sizeof(*m->member));
	m->n = 0;
	m->configs = configs;
	for (unsigned c = 0; c < configs; c++)
		for (unsigned i = 0; i < sides; i++)
			add_config(m, &side[i], c, together);
}

const struct bench_member *
members_find(const struct bench_members *m, unsigned config, char side,
    unsigned *n)
{
	const struct bench_member *first = NULL;

	*n = 0;
	for (unsigned i = 0; i < m->n; i++) {
		if (m->member[i].config != config ||
		    m->member[i].side->name != side)
			continue;
		if (first == NULL)
			first = &m->member[i];
		++*n;
	}
	return first;
}
