// SPDX-License-Identifier: Apache-2.0
/* Symbols, noise, threads, and calls that few programs use: noe-abi 1, 3, 4.15,
 * 5. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi.h"

static int
all_there(struct world *w)
{
	static const char *const more[] = {
		"aipu_printf", "aipu_debugger_get_core_info",
		"aipu_debugger_get_job_info", "aipu_debugger_malloc",
		"aipu_debugger_free",
	};

#define X(name) must(w, noe.name != NULL, "noe_" #name " is exported");
	NOE_CALLS(X)
#undef X
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		must(w, dlsym(noe.so, more[i]) != NULL, more[i]);
	return 0;
}

/*
 * The vendor's header declares these, but its library lacks them: noe-abi 3.2.
 */
static int
none_there(struct world *w)
{
	static const char *const absent[] = {
		"bind_job_core", "free", "get_device_info",
		"get_device_status", "get_job_info", "get_log_level",
		"get_profiler", "get_tensor_attr_by_name",
		"get_tensor_data_by_index", "get_tensor_data_by_name",
		"job_concel", "job_infer_wait", "job_set_prior", "malloc",
		"save_log", "set_input_tensor_data_by_index",
		"set_input_tensor_data_by_name", "set_job_attr",
		"set_log_level", "set_sharedbuff",
	};
	char name[64];

	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
		/* 3.x has this function (noe-abi 10), which identifies 3.x. */
		if (noe.opaque && strcmp(absent[i], "get_device_status") == 0)
			continue;
		snprintf(name, sizeof(name), "noe_%s", absent[i]);
		must(w, dlsym(noe.so, name) == NULL, absent[i]);
	}
	return 0;
}

/* The library prints the warning on stdout through the process's own stdio. */
static int
warns(struct world *w)
{
	w->type = (tensor_type_t)8;
	call_get_tensor_count(w);
	fflush(stdout);
	must(w, lseek(1, 0, SEEK_END) > 0, "something on stdout");
	return 0;
}

enum { THREADS = 8, ROUNDS = 50 };

struct driver {
	pthread_t thread;
	struct world w;
	unsigned char seed;
	const char *wrong;
};

static void
one_round(struct driver *d, int round)
{
	unsigned char in[64], out[64];
	struct world *w = &d->w;

	for (int i = 0; i < 64; i++)
		in[i] = (unsigned char)(d->seed * 31 + round + i);
	w->config.conf_j_npu = &w->npu;
	must(w, call_create_job(w) == 0, "create_job");
	must(w, noe.load_tensor(w->ctx, w->job, 0, in) == 0, "load_tensor");
	must(w, call_job_infer_sync(w) == 0, "job_infer_sync");
	must(w, noe.get_tensor(w->ctx, w->job, NOE_TENSOR_TYPE_OUTPUT, 0,
	    out) == 0, "get_tensor");
	must(w, memcmp(in, out, sizeof(in)) == 0, "the result");
	must(w, call_clean_job(w) == 0, "clean_job");
}

static void *
drive(void *arg)
{
	struct driver *d = arg;

	for (int i = 0; i < ROUNDS && d->w.wrong == NULL; i++)
		one_round(d, i);
	return NULL;
}

static int
eight_threads(struct world *w)
{
	static struct driver d[THREADS];

	for (int i = 0; i < THREADS; i++) {
		d[i].w = *w;
		d[i].seed = (unsigned char)i;
		pthread_create(&d[i].thread, NULL, drive, &d[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(d[i].thread, NULL);
		must(w, d[i].w.wrong == NULL, d[i].w.wrong);
	}
	return 0;
}

/* Two threads use one job: a call during another is refused, and the two do not
 * get mixed up. */
static int
submitted_elsewhere(struct world *w)
{
	must(w, elsewhere(w, call_job_infer_async) == 0, "submitted");
	return call_job_infer_sync(w);
}

static void dump_input(struct world *w) { w->index = 0x10; w->data = NULL; }
static void no_bits(struct world *w) { w->index = 0; w->data = NULL; }

static void
hardware_bit(struct world *w)
{
	w->index = NOE_CONFIG_TYPE_HW;
}

static void
dump_to(struct world *w, const char *folder)
{
	static job_config_dump_t dump = { NULL, "p", "o", "m" };

	dump.dump_dir = folder;
	w->index = 1;
	w->data = &dump;
}

static void dump_here(struct world *w) { dump_to(w, "."); }
static void dump_unnamed(struct world *w) { dump_to(w, NULL); }
static void dump_absent(struct world *w) { dump_to(w, "/none/here"); }

static void
simulation_absent(struct world *w)
{
	dump_absent(w);
	w->index = NOE_CONFIG_TYPE_SIMULATION;
}

static void
dump_input_of_none(struct world *w)
{
	dump_input(w);
	w->job = 0;
}

/* Binds the job to a partition, tests the status, and runs it. */
static int
bound_and_run(struct world *w)
{
	must(w, call_debugger_bind_job(w) == 0, "debugger_bind_job");
	must(w, status_now(w) == 0 && w->status == 0, "bound: no status");
	must(w, call_debugger_run_job(w) == 0, "debugger_run_job");
	must(w, status_now(w) == 0, "get_job_status");
	return w->status;
}

static void bind_to_1(struct world *w) { w->index = 1; }

/* Declared in another header of the vendor's; only debuggers call these. */
typedef int debugger_call(const context_handler_t *, uint64_t, void *);

static debugger_call *
debugger(const char *name)
{
	debugger_call *f;

	*(void **)&f = dlsym(noe.so, name);
	return f;
}

static int
core_info(struct world *w)
{
	return debugger("aipu_debugger_get_core_info")(w->ctx, w->index,
	    w->data);
}

static int
job_info(struct world *w)
{
	return debugger("aipu_debugger_get_job_info")(w->ctx, w->job,
	    w->data);
}

static int
debugger_malloc(struct world *w)
{
	return debugger("aipu_debugger_malloc")(w->ctx, 64, w->data);
}

static int
debugger_free(struct world *w)
{
	return debugger("aipu_debugger_free")(w->ctx, (uintptr_t)w->data,
	    NULL);
}

static int
debugger_two(struct world *w)
{
	void *first = NULL, *second = NULL;

	w->data = &first;
	must(w, debugger_malloc(w) == 0, "the first");
	w->data = &second;
	must(w, debugger_malloc(w) == 0, "the second");
	w->data = first;
	must(w, debugger_free(w) == 0, "free the first");
	w->data = second;
	return debugger_free(w);
}

static int
debugger_memory(struct world *w)
{
	debugger_call *get = debugger("aipu_debugger_malloc");
	debugger_call *put = debugger("aipu_debugger_free");
	void *p = NULL;

	must(w, get(w->ctx, 0, &p) == 0x15, "size 0");
	must(w, get(w->ctx, 64, NULL) == 1, "nowhere");
	must(w, get(w->ctx, 64, &p) == 0 && p != NULL, "64 bytes");
	memset(p, 1, 64);
	must(w, put(w->ctx, (uintptr_t)NULL, NULL) == 1, "free NULL");
	must(w, put(w->ctx, (uintptr_t)p, NULL) == 0, "free");
	return put(w->ctx, (uintptr_t)p, NULL);
}

static int
print_nothing(struct world *w)
{
	int (*print)(char *, char *);

	*(void **)&print = dlsym(noe.so, "aipu_printf");
	return print(w->data, NULL);
}

#define BOTH(call) \
	{ #call ": ctx NULL", JOB, no_ctx, call_##call, 1, NULL, NULL }, \
	{ #call ": unknown handle", JOB, stale_ctx, call_##call, 2, NULL, \
	    NULL }

#define DEBUGGER(call, f) \
	{ "aipu_debugger_" #call ": ctx NULL", JOB, no_ctx, f, 1, NULL, \
	    NULL }, \
	{ "aipu_debugger_" #call ": unknown handle", JOB, stale_ctx, f, 2, \
	    NULL, NULL }

static const struct row rows[] = {
	{ "exports: all 36 of 2.0.2", NOTHING, NULL, all_there, 0, NULL,
	    NULL },
	{ "exports: not one of the 20 functions that only the header declares",
	    NOTHING, NULL, none_there, 0, NULL, NULL },
	{ "noise: a warning goes to stdout", GRAPH, NULL, warns, 0, NULL,
	    "NPU_EMU_NOISE=1" },
	{ "threads: eight drive separate jobs of one graph", GRAPH, NULL,
	    eight_threads, 0, "copy", NULL },
	{ "threads: a job in flight elsewhere", READY, NULL,
	    submitted_elsewhere, 0x14, NULL,
	    "FAKEAIPU_DELAY_MS=3600000 NPU_EMU_INFER_MS=3600000" },

	{ "config_job: a dump bit, config NULL", JOB, dump_input,
	    call_config_job, 0, NULL, NULL },
	{ "config_job: dumps to a folder", JOB, dump_here, call_config_job,
	    0, NULL, NULL },
	{ "config_job: dumps to no folder", JOB, dump_unnamed,
	    call_config_job, 0, NULL, NULL },
	{ "config_job: dumps to a folder that does not exist", JOB,
	    dump_absent, call_config_job, 6, NULL, NULL },
	{ "config_job: simulation does not look for the folder", JOB,
	    simulation_absent, call_config_job, 0, NULL, NULL },
	{ "config_job: no bits", JOB, no_bits, call_config_job, 6, NULL,
	    NULL },
	{ "config_job: a hardware bit", JOB, hardware_bit, call_config_job, 6,
	    NULL, NULL },
	{ "config_job: job 0", JOB, dump_input_of_none, call_config_job,
	    0x10, NULL, NULL },
	BOTH(config_job),
	{ "specify_iobuf: config NULL", JOB, no_data, call_specify_iobuf,
	    CRASHES, NULL, NULL },
	{ "specify_iobuf: job 0", JOB, no_job, call_specify_iobuf, 0x10, NULL,
	    NULL },
	BOTH(specify_iobuf),
	{ "debugger_bind_job: job 0", JOB, no_job, call_debugger_bind_job,
	    0x10, NULL, NULL },
	BOTH(debugger_bind_job),
	{ "debugger_bind_job: partition 1 of 1", JOB, bind_to_1,
	    call_debugger_bind_job, 0x1c, NULL, NULL },
	{ "debugger_run_job: bound, then done", READY, NULL, bound_and_run, 1,
	    NULL, NULL },
	{ "aipu_debugger_get_core_info: core 0", CTX, NULL, core_info, 0,
	    NULL, NULL },
	{ "aipu_debugger_get_core_info: NULL", CTX, no_data, core_info, 1,
	    NULL, NULL },
	{ "aipu_debugger_get_core_info: core 1", CTX, bind_to_1, core_info,
	    0x14, NULL, NULL },
	DEBUGGER(get_core_info, core_info),
	DEBUGGER(get_job_info, job_info),
	DEBUGGER(malloc, debugger_malloc),
	DEBUGGER(free, debugger_free),
	{ "aipu_debugger_get_job_info: a job", JOB, NULL, job_info, 0,
	    NULL, NULL },
	{ "aipu_debugger_get_job_info: job 0", JOB, no_job, job_info, 0x10,
	    NULL, NULL },
	{ "aipu_debugger_get_job_info: NULL", JOB, no_data, job_info, 1,
	    NULL, NULL },
	{ "aipu_debugger_free: twice", CTX, NULL, debugger_memory, 0x17,
	    NULL, NULL },
	{ "aipu_debugger_free: the first of two", CTX, NULL, debugger_two, 0,
	    NULL, NULL },
	{ "aipu_printf: nothing", NOTHING, NULL, print_nothing, 0, NULL,
	    NULL },
	{ "aipu_printf: NULL", NOTHING, no_data, print_nothing, 1, NULL,
	    NULL },
	{ "debugger_run_job: job 0", JOB, no_job, call_debugger_run_job,
	    0x10, NULL, NULL },
	{ "debugger_run_job: not bound", JOB, NULL, call_debugger_run_job,
	    0x14, NULL, NULL },
	BOTH(debugger_run_job),
};

TABLE(other_rows, rows);
