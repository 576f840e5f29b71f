// SPDX-License-Identifier: Apache-2.0
/*
 * noelives - runs two threads.  Each opens the device, runs a job and closes
 * the device, many times: often one thread closes the device as the last user
 * while the other opens it.
 *
 *	noelives MODEL TIMES
 *
 * Like noerun, it includes only lib/noe_abi.h.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "noe_abi.h"

static const char *model;
static int times;

static void
check(noe_status_t st, const char *call)
{
	if (st == NOE_STATUS_SUCCESS)
		return;
	fprintf(stderr, "noelives: %s: 0x%x\n", call, (unsigned)st);
	_exit(1);	/* exit() aborts with a graph loaded (noe-abi 1.8) */
}

static void
live_once(void)
{
	job_config_npu_t npu = { 0 };
	job_config_t config = { &npu };
	context_handler_t *ctx;
	uint64_t graph, job;

	check(noe_init_context(&ctx), "init_context");
	check(noe_load_graph(ctx, model, &graph, NULL), "load_graph");
	check(noe_create_job(ctx, graph, &job, &config), "create_job");
	check(noe_job_infer_sync(ctx, job, 60000), "job_infer_sync");
	check(noe_clean_job(ctx, job), "clean_job");
	check(noe_unload_graph(ctx, graph), "unload_graph");
	check(noe_deinit_context(ctx), "deinit_context");
}

static void *
live(void *unused)
{
	(void)unused;
	for (int i = 0; i < times; i++)
		live_once();
	return NULL;
}

int
main(int argc, char *argv[])
{
	pthread_t other;

	if (argc != 3)
		return 2;
	model = argv[1];
	times = atoi(argv[2]);
	if (pthread_create(&other, NULL, live, NULL) != 0)
		return 2;
	live(NULL);
	pthread_join(other, NULL);
	return 0;
}
