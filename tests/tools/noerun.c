// SPDX-License-Identifier: Apache-2.0
/*
 * noerun - a program that makes only calls of the vendor's header: init, load,
 * descriptors, job with config, load_tensor, infer_sync, get_tensor, clean,
 * unload, deinit.
 *
 *	noerun [-w] [-l WHAT] [-n TIMES] [-t MS] [-j THREADS] MODEL <INPUTS
 *	    >OUTPUTS
 *
 * Includes only lib/noe_abi.h and is linked with -lnoe: it runs on the emulator
 * under LD_LIBRARY_PATH, and would run on the vendor's library.  If a call
 * fails, prints its name and status on stderr, and exits with that status.  -n:
 * runs TIMES times.  -j: the same in THREADS threads at the same time; every
 * result must equal the first.  -w: at the end this thread must be the only
 * thread.  -l: what is not released: j, jobs; g, the graph; c, the context.
 * After a timeout (0x23) everything is released in order, as a program should.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "noe_abi.h"

#define MAX_PORTS 32

struct port {
	uint32_t size;
	char *data;
};

static context_handler_t *ctx;
static uint64_t graph;
static uint32_t n_in, n_out;
static struct port in[MAX_PORTS], out[MAX_PORTS];
static int timeout = 60000, times = 1;
static const char *left = "";

static void
check(noe_status_t st, const char *call)
{
	const char *text = "";

	if (st == NOE_STATUS_SUCCESS)
		return;
	if (ctx != NULL)
		noe_get_error_message(ctx, st, &text);
	fprintf(stderr, "noerun: %s: 0x%x (%s)\n", call, (unsigned)st, text);
	/* A graph may be loaded, and then exit() aborts (noe-abi 1.8). */
	fflush(stdout);
	_exit((int)st);
}

static void
describe(tensor_type_t type, struct port *ports, uint32_t *n)
{
	tensor_desc_t d;

	check(noe_get_tensor_count(ctx, graph, type, n), "get_tensor_count");
	if (*n > MAX_PORTS)
		_exit(99);
	for (uint32_t i = 0; i < *n; i++) {
		check(noe_get_tensor_descriptor(ctx, graph, type, i, &d),
		    "get_tensor_descriptor");
		ports[i].size = d.size;
		if ((ports[i].data = malloc(d.size)) == NULL)
			_exit(99);
	}
}

static void
leave(int status)
{
	check(noe_unload_graph(ctx, graph), "unload_graph");
	check(noe_deinit_context(ctx), "deinit_context");
	exit(status);
}

static void
run(struct port *results)
{
	job_config_npu_t npu = { 0 };
	job_config_t config = { &npu };
	noe_status_t st;
	uint64_t job;

	check(noe_create_job(ctx, graph, &job, &config), "create_job");
	for (uint32_t i = 0; i < n_in; i++)
		check(noe_load_tensor(ctx, job, i, in[i].data),
		    "load_tensor");
	st = noe_job_infer_sync(ctx, job, timeout);
	if (st == NOE_STATUS_ERROR_TIMEOUT) {
		check(noe_clean_job(ctx, job), "clean_job");
		leave(st);
	}
	check(st, "job_infer_sync");
	for (uint32_t i = 0; i < n_out; i++)
		check(noe_get_tensor(ctx, job, NOE_TENSOR_TYPE_OUTPUT, i,
		    results[i].data), "get_tensor");
	if (strchr(left, 'j') == NULL)
		check(noe_clean_job(ctx, job), "clean_job");
}

static void *
drive(void *unused)
{
	struct port mine[MAX_PORTS];

	(void)unused;
	for (uint32_t i = 0; i < n_out; i++)
		if ((mine[i].data = malloc(out[i].size)) == NULL)
			_exit(99);
	for (int k = 0; k < times; k++) {
		run(mine);
		for (uint32_t i = 0; i < n_out; i++) {
			if (memcmp(mine[i].data, out[i].data, out[i].size) !=
			    0) {
				fputs("noerun: another result\n", stderr);
				_exit(98);
			}
		}
	}
	for (uint32_t i = 0; i < n_out; i++)
		free(mine[i].data);
	return NULL;
}

static void
drive_threads(int n)
{
	pthread_t thread[64];

	for (int i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, drive, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

static void
load(const char *model)
{
	check(noe_init_context(&ctx), "init_context");
	check(noe_load_graph(ctx, model, &graph, NULL), "load_graph");
	describe(NOE_TENSOR_TYPE_INPUT, in, &n_in);
	describe(NOE_TENSOR_TYPE_OUTPUT, out, &n_out);
	for (uint32_t i = 0; i < n_in; i++)
		if (fread(in[i].data, 1, in[i].size, stdin) != in[i].size)
			_exit(96);
}

/* Counts the entries of /proc/self/task except . and .. */
static int
count_threads(void)
{
	DIR *d = opendir("/proc/self/task");
	int n = -2;

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return n;
}

int
main(int argc, char *argv[])
{
	int opt, threads = 0;
	bool watch = false;

	while ((opt = getopt(argc, argv, "j:l:n:t:w")) != -1) {
		if (opt == 'w')
			watch = true;
		else if (opt == 'j')
			threads = atoi(optarg) < 64 ? atoi(optarg) : 64;
		else if (opt == 'l')
			left = optarg;
		else if (opt == 'n')
			times = atoi(optarg);
		else if (opt == 't')
			timeout = atoi(optarg);
		else
			return 97;
	}
	if (optind + 1 != argc)
		return 97;
	load(argv[optind]);
	run(out);
	for (int k = 1; k < times && threads == 0; k++)
		run(out);
	drive_threads(threads);
	for (uint32_t i = 0; i < n_out; i++)
		fwrite(out[i].data, 1, out[i].size, stdout);
	if (strchr(left, 'g') == NULL)
		check(noe_unload_graph(ctx, graph), "unload_graph");
	if (strchr(left, 'c') == NULL)
		check(noe_deinit_context(ctx), "deinit_context");
	for (uint32_t i = 0; i < n_in; i++)
		free(in[i].data);
	for (uint32_t i = 0; i < n_out; i++)
		free(out[i].data);
	if (watch && count_threads() != 1) {
		fputs("noerun: threads are left\n", stderr);
		return 95;
	}
	return 0;
}
