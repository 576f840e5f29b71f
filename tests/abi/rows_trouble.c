// SPDX-License-Identifier: Apache-2.0
/* Jobs after trouble, and exits while a graph is loaded: noe-abi 4.11, 1.8. */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi.h"

static void get_output(struct world *w) { w->type = NOE_TENSOR_TYPE_OUTPUT; }
static void brief(struct world *w) { w->timeout = 50; }
static void wait_for_ever(struct world *w) { w->timeout = -1; }

static int
status_is(struct world *w, int expected)
{
	int st = status_now(w);

	must(w, (int)w->status == expected, "the status");
	return st;
}

static int is_running(struct world *w) { return status_is(w, 99); }
static int is_exception(struct world *w) { return status_is(w, 2); }
static int is_coredump(struct world *w) { return status_is(w, 3); }

static int
exception_twice(struct world *w)
{
	must(w, is_exception(w) == 0, "the first time");
	return is_exception(w);
}

static int
clean_and_create(struct world *w)
{
	must(w, call_clean_job(w) == 0, "clean_job");
	must(w, call_create_job(w) == 0, "create_job");
	unsetenv("FAKEAIPU_STATE");
	return call_job_infer_sync(w);
}

/* After the timeout the device continues, and the job ends. */
static int
late(struct world *w)
{
	int st = call_get_job_status(w);

	must(w, w->status == NOE_JOB_STATUS_DONE, "done");
	return st;
}

static int
late_result(struct world *w)
{
	must(w, late(w) == 0, "get_job_status");
	w->type = NOE_TENSOR_TYPE_OUTPUT;
	return call_get_tensor(w);
}

static int
late_and_again(struct world *w)
{
	must(w, late(w) == 0, "get_job_status");
	must(w, call_load_tensor(w) == 0, "load_tensor");
	return call_job_infer_sync(w);
}

static int
run_again(struct world *w)
{
	unsetenv("FAKEAIPU_STATE");
	return call_job_infer_sync(w);
}

static int
async_exception(struct world *w)
{
	int st = call_get_job_status(w);

	must(w, w->status == NOE_JOB_STATUS_EXCEPTION, "exception");
	return st;
}

static int
retry(struct world *w)
{
	must(w, call_job_infer_sync(w) == 0x37, "the first is refused");
	unsetenv("FAKEAIPU_FAIL_NR");
	return call_job_infer_sync(w);
}

static int
idle_after_refusal(struct world *w)
{
	must(w, call_job_infer_sync(w) == 0x37, "the first is refused");
	return status_is(w, 3);
}

static int
load_after_refusal(struct world *w)
{
	must(w, call_job_infer_sync(w) == 0x37, "the first is refused");
	return call_load_tensor(w);
}

/* The second of three jobs hangs, and the others are not affected. */
static int
only_one_hangs(struct world *w)
{
	must(w, call_job_infer_sync(w) == 0, "the first");
	must(w, create_another(w) == 0, "a second job");
	w->job = w->job2;
	w->timeout = 50;
	return call_job_infer_sync(w);
}

static int
leave(struct world *w)
{
	(void)w;
	exit(5);
}

static int
leave_at_once(struct world *w)
{
	(void)w;
	_exit(5);
}

static int
leave_after_unload(struct world *w)
{
	must(w, call_unload_graph(w) == 0, "unload_graph");
	exit(5);
}

static int
leave_after_deinit(struct world *w)
{
	must(w, call_deinit_context(w) == 0, "deinit_context");
	exit(5);
}

static int
leave_poisoned(struct world *w)
{
	must(w, call_load_graph(w) == 8, "load_graph answers 0x8");
	exit(5);
}

static int
leave_other_context(struct world *w)
{
	context_handler_t *first = w->ctx;

	must(w, call_init_context(w) == 0, "a second context");
	must(w, noe.deinit_context(first) == 0, "deinit_context");
	exit(5);
}

/* The library stays loaded, and its exit handler still runs. */
static int
leave_closed(struct world *w)
{
	(void)w;
	dlclose(noe.so);
	exit(5);
}

#define EXCEPTION "FAKEAIPU_STATE=2 NPU_EMU_FAULT=infer:1:exception"
#define COREDUMP "FAKEAIPU_STATE=3 NPU_EMU_FAULT=infer:1:coredump"
#define HANG "FAKEAIPU_HANG=1 NPU_EMU_FAULT=infer:1:timeout"
#define SLOW "FAKEAIPU_DELAY_MS=400 NPU_EMU_INFER_MS=400"
#define REFUSED "FAKEAIPU_FAIL_NR=6 NPU_EMU_FAULT=infer:1:schedule"

static const struct row rows[] = {
	{ "job_infer_sync: the device hangs", READY, brief,
	    call_job_infer_sync, 0x23, NULL, HANG },
	{ "get_job_status: after a timeout", LATE, NULL, is_running, 0x23,
	    NULL, HANG },
	{ "load_tensor: after a timeout", LATE, NULL, call_load_tensor, 0x14,
	    NULL, HANG },
	{ "get_tensor: after a timeout", LATE, get_output, call_get_tensor,
	    0x14, NULL, HANG },
	{ "job_infer_sync: after a timeout", LATE, NULL,
	    call_job_infer_sync, 0x14, NULL, HANG },
	{ "job_infer_async: after a timeout", LATE, NULL,
	    call_job_infer_async, 0x14, NULL, HANG },
	{ "clean_job: after a timeout", LATE, NULL, call_clean_job, 0, NULL,
	    HANG },
	{ "unload_graph: after a timeout", LATE, NULL, call_unload_graph, 0,
	    NULL, HANG },
	{ "deinit_context: after a timeout", LATE, NULL,
	    call_deinit_context, 0, NULL, HANG },
	{ "get_job_status: late, done after all", LATE, NULL, late, 0, NULL,
	    SLOW },
	{ "get_tensor: late, the result is there", LATE, NULL, late_result,
	    0, NULL, SLOW },
	{ "job_infer_sync: late, the job is usable again", LATE, NULL,
	    late_and_again, 0, NULL, SLOW },
	{ "job_infer_sync: only the second job hangs", READY, NULL,
	    only_one_hangs, 0x23, NULL,
	    "FAKEAIPU_HANG_AFTER=1 NPU_EMU_FAULT=infer:2:timeout" },

	{ "job_infer_sync: exception", READY, NULL, call_job_infer_sync,
	    0x11, NULL, EXCEPTION },
	{ "get_job_status: an exception, asynchronous", FLYING, NULL,
	    async_exception, 0, NULL, EXCEPTION },
	{ "get_job_status: after an exception", TRIED, NULL, is_exception, 0,
	    NULL, EXCEPTION },
	{ "get_job_status: after an exception, twice", TRIED, NULL,
	    exception_twice, 0, NULL, EXCEPTION },
	{ "get_job_status: after an exception, -1", TRIED, wait_for_ever,
	    call_get_job_status, HANGS, NULL, EXCEPTION },
	{ "job_infer_sync: after an exception", TRIED, NULL,
	    call_job_infer_sync, 0x14, NULL, EXCEPTION },
	{ "job_infer_async: after an exception", TRIED, NULL,
	    call_job_infer_async, 0x14, NULL, EXCEPTION },
	{ "clean_job: after an exception", TRIED, NULL, call_clean_job, 0,
	    NULL, EXCEPTION },
	{ "create_job: again after an exception", TRIED, NULL,
	    clean_and_create, 0, NULL, EXCEPTION },

	{ "job_infer_sync: coredump", READY, NULL, call_job_infer_sync, 0x11,
	    NULL, COREDUMP },
	{ "get_job_status: after a coredump", TRIED, NULL, is_coredump, 0,
	    NULL, COREDUMP },
	{ "job_infer_sync: again after a coredump", TRIED, NULL, run_again, 0,
	    NULL, COREDUMP },

	{ "job_infer_sync: not scheduled", READY, NULL, call_job_infer_sync,
	    0x37, NULL, REFUSED },
	{ "job_infer_async: not scheduled", READY, NULL,
	    call_job_infer_async, 0x37, NULL, REFUSED },
	{ "job_infer_sync: retried after 0x37", READY, NULL, retry, 0, NULL,
	    REFUSED },
	{ "get_job_status: idle after 0x37", READY, NULL, idle_after_refusal,
	    0, NULL, REFUSED },
	{ "load_tensor: after 0x37", READY, NULL, load_after_refusal, 0, NULL,
	    REFUSED },
	{ "job_infer_sync: status query fails", READY, NULL,
	    call_job_infer_sync, 4, NULL,
	    "FAKEAIPU_FAIL_NR=7 NPU_EMU_FAULT=infer:1:abnormal" },

	{ "exit: with a graph loaded", GRAPH, NULL, leave, ABORTS, NULL,
	    NULL },
	{ "exit: with a job", DONE, NULL, leave, ABORTS, NULL, NULL },
	{ "exit: with a context only", CTX, NULL, leave, 1005, NULL, NULL },
	{ "exit: after unload_graph", DONE, NULL, leave_after_unload, 1005,
	    NULL, NULL },
	{ "exit: after deinit_context", DONE, NULL, leave_after_deinit, 1005,
	    NULL, NULL },
	{ "exit: after load_graph's 0x8", CTX, NULL, leave_poisoned, CRASHES,
	    "graph-for-cpu", NULL },
	{ "exit: with another context's graph unloaded", DONE, NULL,
	    leave_other_context, 1005, NULL, NULL },
	{ "exit: with a graph loaded, after dlclose", GRAPH, NULL,
	    leave_closed, ABORTS, NULL, NULL },
	{ "exit: _exit() with a graph loaded", GRAPH, NULL, leave_at_once,
	    1005, NULL, NULL },
};

TABLE(trouble_rows, rows);
