// SPDX-License-Identifier: Apache-2.0
#include "cmd.h"
#include "sweep.h"

/*
 * Derives the scenario from the numbers in flight if --scenario is not given.
 */
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

/* Adds the loads of one configuration on one side. */
static void
add_config(struct sweep *sweep, const struct bench_side *side, unsigned config,
    bool together)
{
	enum { DEFAULT_JOBS = 3 };	/* the same as in npu-run */
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
