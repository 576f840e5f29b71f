// SPDX-License-Identifier: Apache-2.0
/*
 * Uses that are rare in programs: calls in another order, other threads that
 * act during a call, and memory whose access by a call makes another call.
 * Where the vendor's library crashes or waits forever, the emulator answers.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi.h"

extern char **environ;

#define AN_HOUR "FAKEAIPU_DELAY_MS=3600000 NPU_EMU_INFER_MS=3600000"
#define EXCEPTION "FAKEAIPU_STATE=2 NPU_EMU_FAULT=infer:*:exception"
#define NO_GRID "FAKEAIPU_FAIL_NR=21 NPU_EMU_FAULT=create:1:grid"
#define STAGGERED "FAKEAIPU_DELAY_MS=1000 NPU_EMU_INFER_MS=1000 " \
	"NPU_EMU_FAULT=infer:2:delay=3600000"
#define LOST "NPU_EMU_FAULT=load:*:nodevice"

/* ---- A page that traps ---------------------------------------------- */

static struct world *here;
static char *page;
static void (*meanwhile)(struct world *w);
enum { PAGE = 65536 };		/* at least a page on any machine */

/* Called while the library copies; it has released its lock then. */
static void
touched(int sig)
{
	(void)sig;
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
	meanwhile(here);
}

/* Runs f() when the page is accessed. */
static void *
trap(struct world *w, void (*f)(struct world *))
{
	here = w;
	meanwhile = f;
	page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGSEGV, touched);
	return page;
}

static void
unload(struct world *w)
{
	must(w, call_unload_graph(w) == 0, "unload_graph");
}

static void
clean(struct world *w)
{
	must(w, call_clean_job(w) == 0, "clean_job");
}

static void
leave(struct world *w)
{
	(void)w;
	exit(5);
}

static int
batch_of(struct world *w, char *in, char *out)
{
	static char room[2][4096];
	char *ins[] = { in != NULL ? in : room[0], room[0] };
	char *outs[] = { out != NULL ? out : room[1], room[1] };

	must(w, call_create_batch_queue(w) == 0, "create_batch_queue");
	for (int i = 0; i < 2; i++)
		must(w, noe.add_batch(w->ctx, w->graph, w->queue, ins,
		    outs) == 0, "add_batch");
	return call_finish_batch(w);
}

static int
unloaded_by_input(struct world *w)
{
	return batch_of(w, trap(w, unload), NULL);
}

static int
unloaded_by_output(struct world *w)
{
	return batch_of(w, NULL, trap(w, unload));
}

static int
cleaned_by_load(struct world *w)
{
	w->data = trap(w, clean);
	must(w, call_load_tensor(w) == 0, "load_tensor");
	return call_load_tensor(w);
}

/* The library writes the count while it holds the lock; exit() does not wait
 * for the lock. */
static int
left_by_count(struct world *w)
{
	return noe.get_partition_count(w->ctx, trap(w, leave));
}

/* ---- Threads --------------------------------------------------------- */

/* Returns whether the first thread of the process sleeps. */
static bool
sleeps(void)
{
	char path[60], line[200] = "";
	const char *state = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/stat",
	    (long)getpid());
	if ((f = fopen(path, "r")) != NULL) {
		if (fgets(line, sizeof(line), f) != NULL)
			state = strrchr(line, ')');
		fclose(f);
	}
	return state != NULL && strncmp(state, ") S", 3) == 0;
}

/* Waits until the first thread waits in its call: it must sleep five times in a
 * row. */
static void
until_it_waits(void)
{
	for (int n = 0; n < 5; n = sleeps() ? n + 1 : 0)
		usleep(10000);
}

static void *
deinit_soon(void *arg)
{
	struct world *w = arg;

	until_it_waits();
	call_deinit_context(w);
	return NULL;
}

static void *
clean_soon(void *arg)
{
	struct world *w = arg;

	until_it_waits();
	call_clean_job(w);
	return NULL;
}

/* Makes one call while another thread runs f. */
static int
while_other(struct world *w, void *(*f)(void *), int (*call)(struct world *))
{
	pthread_t t;
	int st;

	if (pthread_create(&t, NULL, f, w) != 0)
		return -99;
	st = call(w);
	pthread_join(t, NULL);
	return st;
}

static int
deinit_while_infer(struct world *w)
{
	w->timeout = -1;
	return while_other(w, deinit_soon, call_job_infer_sync);
}

static int
deinit_while_status(struct world *w)
{
	w->timeout = -1;
	return while_other(w, deinit_soon, call_get_job_status);
}

/* An earlier job of the thread ends after the job that the call waits for was
 * removed. */
static void
two_jobs(struct world *w)
{
	must(w, create_another(w) == 0, "a second job");
	must(w, call_job_infer_async(w) == 0, "submit the first");
	w->job = w->job2;
	w->timeout = -1;
}

static int
clean_while_infer(struct world *w)
{
	two_jobs(w);
	return while_other(w, clean_soon, call_job_infer_sync);
}

static int
clean_while_status(struct world *w)
{
	two_jobs(w);
	must(w, call_job_infer_async(w) == 0, "submit the second");
	return while_other(w, clean_soon, call_get_job_status);
}

/* Which thread may collect the end of a job is decided at submission. */
static int
any_thread_no_more(struct world *w)
{
	noe_global_config_hw_t hw = { false, true };

	must(w, noe.config_global(w->ctx, NOE_CONFIG_TYPE_HW, &hw) == 0,
	    "config_global");
	must(w, call_job_infer_async(w) == 0, "job_infer_async");
	hw.poll_in_commit_thread = true;
	must(w, noe.config_global(w->ctx, NOE_CONFIG_TYPE_HW, &hw) == 0,
	    "config_global");
	return elsewhere(w, call_get_job_status);
}

/* Writes a model into a pipe after the context was closed. */
static void *
feed(void *arg)
{
	struct world *w = arg;
	char path[4200], room[65536];
	size_t n;
	FILE *from, *to;

	snprintf(path, sizeof(path), "%s/sound.cix", w->models);
	from = fopen(path, "rb");
	to = fopen(model_path(w, w->model), "wb");
	if (from == NULL || to == NULL)
		return NULL;
	call_deinit_context(w);
	while ((n = fread(room, 1, sizeof(room), from)) > 0)
		fwrite(room, 1, n, to);
	fclose(from);
	fclose(to);
	return NULL;
}

static int
deinit_while_load(struct world *w)
{
	static char name[40];
	int st;

	snprintf(name, sizeof(name), "fifo-%ld.cix", (long)getpid());
	w->model = name;
	if (mkfifo(model_path(w, name), 0600) != 0)
		return -99;
	st = while_other(w, feed, call_load_graph);
	unlink(model_path(w, name));
	return st;
}

/* ---- Other orders ----------------------------------------------------- */

static void
bound(struct world *w)
{
	must(w, call_debugger_bind_job(w) == 0, "debugger_bind_job");
}

static void
failed(struct world *w)
{
	must(w, call_create_job(w) == 0x33, "create_job fails");
}

static void
second_graph(struct world *w)
{
	must(w, call_load_graph(w) == 0, "a second graph");
}

static void
queue(struct world *w)
{
	must(w, call_create_batch_queue(w) == 0, "create_batch_queue");
}

static void
lost(struct world *w)
{
	must(w, call_load_tensor(w) == 0, "load_tensor");
}

static void
profile(struct world *w)
{
	w->index = NOE_IOCTL_SET_PROFILE;
}

static void
weights(struct world *w)
{
	w->gnpu.extra_weight_path = model_path(w, "sound");
}

static void
queue_of_none(struct world *w)
{
	w->queue = 99;
	w->data = NULL;
}

static void
dump(struct world *w)
{
	w->type = NOE_TENSOR_TYPE_INTER_DUMP;
}

static int
poison_then_count(struct world *w)
{
	must(w, call_load_graph(w) == 8, "load_graph answers 0x8");
	return call_get_tensor_count(w);
}

static int
load_huge(struct world *w)
{
	int fd = open(model_path(w, "huge"), O_WRONLY | O_CREAT, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)5 << 30) != 0)
		return -99;
	close(fd);
	w->model = "huge";
	return call_load_graph(w);
}

static int
no_outputs(struct world *w)
{
	static char room[4096];
	char *in[] = { room, room };

	queue(w);
	return noe.add_batch(w->ctx, w->graph, w->queue, in, NULL);
}

static int
frame_of(struct world *w, char *in, char *out)
{
	static char room[4096];
	char *ins[] = { in, room }, *outs[] = { out, room };

	queue(w);
	must(w, noe.add_batch(w->ctx, w->graph, w->queue, ins, outs) == 0,
	    "add_batch");
	return call_finish_batch(w);
}

static int input_null(struct world *w) { return frame_of(w, NULL, w->data); }
static int output_null(struct world *w) { return frame_of(w, w->data, NULL); }

static int
no_buffer(struct world *w)
{
	shared_tensor_info_t info = { NULL };

	return noe.specify_iobuf(w->ctx, w->job, &info);
}

/* A variable without "=", which a shell cannot make. */
static int
knob_alone(struct world *w)
{
	static char name[] = "NPU_EMU_NOISE", *only[] = { name, NULL };

	environ = only;
	return call_init_context(w);
}

static void
leave_now(struct world *w)
{
	second_graph(w);
	exit(5);
}

static int
leave_two(struct world *w)
{
	leave_now(w);
	return 0;
}

static const struct row rows[] = {
	{ "finish_batch: unloaded while an input is copied", GRAPH, NULL,
	    unloaded_by_input, BUT_EMULATOR(HANGS, 0xb), "copy", NULL },
	{ "finish_batch: unloaded while an output is copied", GRAPH, NULL,
	    unloaded_by_output, BUT_EMULATOR(HANGS, 0), "copy", NULL },
	{ "load_tensor: cleaned while it is copied", JOB, NULL,
	    cleaned_by_load, BUT_EMULATOR(HANGS, 0x10), NULL, NULL },
	{ "exit: in the middle of a call", CTX, NULL, left_by_count, 1005,
	    NULL, NULL },
	{ "exit: with two graphs loaded", GRAPH, NULL, leave_two, ABORTS,
	    NULL, NULL },

	{ "deinit_context: while a job is waited for", READY, NULL,
	    deinit_while_infer, BUT_EMULATOR(HANGS, 2), NULL,
	    AN_HOUR },
	{ "deinit_context: while a status is waited for", FLYING, NULL,
	    deinit_while_status, BUT_EMULATOR(HANGS, 2), NULL,
	    AN_HOUR },
	{ "deinit_context: while a graph is loaded", CTX, NULL,
	    deinit_while_load, BUT_EMULATOR(ABORTS, 2), NULL, NULL },
	{ "clean_job: while it is waited for", READY, NULL,
	    clean_while_infer, BUT_EMULATOR(CRASHES, 0x11), NULL,
	    STAGGERED },
	{ "clean_job: while its status is waited for", READY, NULL,
	    clean_while_status, BUT_EMULATOR(CRASHES, 0), NULL,
	    STAGGERED },
	{ "get_job_status: any thread, and then its own", READY, NULL,
	    any_thread_no_more, 0, NULL, NULL },

	{ "debugger_bind_job: a job whose create failed", GRAPH, failed,
	    call_debugger_bind_job, 0x14, NULL, NO_GRID },
	{ "debugger_bind_job: in flight", FLYING, NULL,
	    call_debugger_bind_job, 0x14, NULL, AN_HOUR },
	{ "debugger_bind_job: after an exception", TRIED, NULL,
	    call_debugger_bind_job, 0x14, NULL, EXCEPTION },
	{ "job_infer_sync: a bound job", READY, bound, call_job_infer_sync,
	    0x11, NULL, NULL },
	{ "get_tensor_count: a graph whose load answered 0x8", CTX, NULL,
	    poison_then_count, 0xb, "graph-for-cpu", NULL },
	{ "get_tensor: a dump", DONE, dump, call_get_tensor, 0,
	    "sound-kinds", NULL },
	{ "unload_graph: the second of two", GRAPH, second_graph,
	    call_unload_graph, 0, NULL, NULL },
	{ "unload_graph: with a queue", GRAPH, queue, call_unload_graph, 0,
	    NULL, NULL },
	{ "ioctl: a profile", CTX, profile, call_ioctl, 0, NULL, NULL },
	{ "load_graph_helper: an existing weight file", CTX, weights,
	    call_load_graph_helper, 0, NULL, NULL },
	{ "load_graph_helper: note subgraphs missing", CTX, NULL,
	    call_load_graph_helper, CRASHES, "no-subgraphs", NULL },
	{ "load_graph_helper: a model without a program", CTX, NULL,
	    call_load_graph_helper, BUT_EMULATOR(0, 0xc), "no-program",
	    NULL },
	{ "load_graph: 5 GiB", CTX, NULL, load_huge,
	    BUT_EMULATOR(HANGS, CRASHES), NULL, NULL },
	{ "init_context: after the device was lost", JOB, lost,
	    call_init_context, EMULATOR_ALONE(3), NULL, LOST },
	{ "load_graph: after the device was lost", JOB, lost,
	    call_load_graph, EMULATOR_ALONE(0x16), NULL, LOST },
	{ "load_graph_helper: after the device was lost", JOB, lost,
	    call_load_graph_helper, EMULATOR_ALONE(0x16), NULL, LOST },
	{ "load_tensor: after the device was lost", JOB, lost,
	    call_load_tensor, EMULATOR_ALONE(0), NULL, LOST },
	{ "init_context: a variable without a value", NOTHING, NULL, knob_alone,
	    EMULATOR_ALONE(6), NULL, NULL },

	{ "specify_iobuf: no buffer", JOB, NULL, no_buffer, CRASHES, NULL,
	    NULL },
	{ "add_batch: outputs NULL", GRAPH, NULL, no_outputs, CRASHES, NULL,
	    NULL },
	{ "finish_batch: an input is NULL", GRAPH, NULL, input_null,
	    1, NULL, NULL },
	{ "finish_batch: an output is NULL", GRAPH, NULL, output_null,
	    1, NULL, NULL },
	{ "finish_batch: unknown queue, config NULL", GRAPH, queue_of_none,
	    call_finish_batch, 1, NULL, NULL },
	{ "finish_batch: the driver refuses the job", GRAPH, NULL, output_null,
	    0x37, NULL,
	    "FAKEAIPU_FAIL_NR=6 NPU_EMU_FAULT=infer:1:schedule" },
};

TABLE(odd_rows, rows);
