// SPDX-License-Identifier: Apache-2.0
/*
 * queue LIBRARY MODEL - measures the throughput of npu_queue on the emulator,
 * with the published times of the three models: the device's time, and the
 * host's time for create, load, get and clean together.  Raw means one
 * inference after the other and nothing else.  Goals for 200 frames: >= 97 % of
 * raw from the end of the third frame to the end of the last; >= 96 % from the
 * first put to the last result.
 *
 * It also measures how much longer the queue takes than the bare calls, if the
 * emulator takes no time.  Goal: <= 0.15 ms for each frame.
 *
 * The emulator reads its times once; therefore each measurement is a process.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "noe_abi.h"
#include "npu.h"

enum { FRAMES = 200, SERIAL = 40, DEPTH = 3, RUNS = 2001 };

static const char *library, *model;
static struct npu *npu;
static struct npu_queue *q;
static struct npu_err err;
static void *in, *out;

static void
must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "queue: %s: %s\n", what, err.msg);
	_exit(2);		/* exit() aborts if a model is loaded */
}

static void
open_queue(unsigned depth)
{
	struct npu_options opt = { .device = NPU_DEVICE_EMU };

	opt.library = library;
	setenv("NPU_EMU_COMPUTE", "none", 1);
	must(npu_open(&npu, model, &opt, &err) == 0, model);
	must(npu_queue_open(&q, npu, depth, &err) == 0, "npu_queue_open");
	in = calloc(1, npu_input_size(npu));
	out = calloc(1, npu_output_size(npu));
	must(in != NULL && out != NULL, "out of memory");
}

static void
close_queue(void)
{
	npu_queue_close(q);
	npu_close(npu);
	free(in);
	free(out);
}

/* ---- Throughput ---------------------------------------------------------- */

/* The device runs one model at a time, with all its cores.  Most of the host's
 * time is for making and freeing buffers, and does not depend on the input's
 * size. */
static void
set_times(double infer, double host)
{
	static const struct {
		const char *name;
		double share;
	} calls[] = {
		{ "CREATE", 0.45 }, { "LOAD", 0.05 }, { "GET", 0.05 },
		{ "CLEAN", 0.45 },
	};
	char name[40], ms[40];

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		snprintf(name, sizeof(name), "NPU_EMU_%s_MS", calls[i].name);
		snprintf(ms, sizeof(ms), "%.4f", host * calls[i].share);
		setenv(name, ms, 1);
	}
	snprintf(ms, sizeof(ms), "%.4f", infer);
	setenv("NPU_EMU_INFER_MS", ms, 1);
	setenv("NPU_EMU_CORES", "1", 1);
}

struct figures {
	double steady, whole;	/* ms per frame */
	double cpu;		/* the thread's, ms per frame */
};

static double
thread_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void
stream(unsigned frames, struct figures *f)
{
	double begin = now_ms(), cpu = thread_ms(), filled = 0;
	unsigned put = 0;

	for (unsigned got = 0; got < frames; got++) {
		while (put < frames && !npu_queue_full(q)) {
			must(npu_queue_put(q, in, &err) == 0, "put");
			put++;
		}
		must(npu_queue_get(q, out, &err) == 0, "get");
		if (got + 1 == DEPTH)
			filled = now_ms();
	}
	f->steady = (now_ms() - filled) / (frames - DEPTH);
	f->whole = (now_ms() - begin) / frames;
	f->cpu = (thread_ms() - cpu) / frames;
}

/* Measures in a process of its own. */
static struct figures
measure(double infer, double host, unsigned depth, unsigned frames)
{
	struct figures f = { 0 };
	int fd[2], status = 0;
	pid_t pid;

	must(pipe(fd) == 0, "pipe");
	fflush(stdout);
	if ((pid = fork()) == 0) {
		set_times(infer, host);
		open_queue(depth);
		stream(frames, &f);
		close_queue();
		_exit(write(fd[1], &f, sizeof(f)) != (ssize_t)sizeof(f));
	}
	close(fd[1]);
	if (pid < 0 || read(fd[0], &f, sizeof(f)) != (ssize_t)sizeof(f))
		f = (struct figures){ 1e9, 1e9, 1e9 };
	close(fd[0]);
	waitpid(pid, &status, 0);
	return f;
}

static bool
throughput(const char *name, double infer, double host)
{
	struct figures one = measure(infer, host, 1, SERIAL);
	struct figures f = measure(infer, host, DEPTH, FRAMES);
	char text[160], what[40];
	bool met;

	snprintf(what, sizeof(what), "%s, %d in flight", name, DEPTH);
	snprintf(text, sizeof(text), "%.2f/s of %.2f, %.1f %%", 1e3 / f.steady,
	    1e3 / infer, 100 * infer / f.steady);
	met = verdict(what, text, ">= 97 %", infer / f.steady >= 0.97);
	snprintf(text, sizeof(text), "%.2f/s, %.1f %%; one by one %.2f/s",
	    1e3 / f.whole, 100 * infer / f.whole, 1e3 / one.whole);
	met &= verdict("  with fill and drain", text, ">= 96 %",
	    infer / f.whole >= 0.96);
	snprintf(text, sizeof(text), "%.4f ms a frame, the emulator's calls "
	    "included", f.cpu);
	figure("  processor time of the thread", text);
	return met;
}

/* ---- Our own time ------------------------------------------------------- */

#define CALLS(X) X(init_context) X(load_graph) X(create_job) X(load_tensor) \
	X(job_infer_async) X(get_job_status) X(get_tensor) X(clean_job) \
	X(unload_graph) X(deinit_context)

static struct {
#define X(name) __typeof__(noe_##name) *name;
	CALLS(X)
#undef X
} noe;

static context_handler_t *ctx;
static uint64_t graph;

static void
open_bare(void)
{
	void *dl = dlopen(library, RTLD_NOW | RTLD_LOCAL), *f;

	must(dl != NULL, library);
#define X(name) f = dlsym(dl, "noe_" #name); must(f != NULL, #name); \
	memcpy(&noe.name, &f, sizeof(f));
	CALLS(X)
#undef X
	must(noe.init_context(&ctx) == 0, "init_context");
	must(noe.load_graph(ctx, model, &graph, NULL) == 0, "load_graph");
}

/* Runs as many frames as the queue has in flight, in the queue's order. */
static void
bare_frames(void)
{
	job_config_npu_t config_npu = { 0 };
	job_config_t config = { &config_npu };
	uint64_t job[DEPTH];
	job_status_t state;

	for (int i = 0; i < DEPTH; i++)
		must(noe.create_job(ctx, graph, &job[i], &config) == 0 &&
		    noe.load_tensor(ctx, job[i], 0, in) == 0 &&
		    noe.job_infer_async(ctx, job[i], NULL) == 0, "submit");
	for (int i = 0; i < DEPTH; i++)
		must(noe.get_job_status(ctx, job[i], &state, 100) == 0 &&
		    noe.get_tensor(ctx, job[i], NOE_TENSOR_TYPE_OUTPUT, 0,
		    out) == 0 && noe.clean_job(ctx, job[i]) == 0, "get");
}

static bool
own_time(void)
{
	static double ours[RUNS], bare[RUNS];
	double a, b, begin;
	struct figures f;
	char text[120];

	open_queue(DEPTH);
	open_bare();
	for (int i = 0; i < RUNS; i++) {
		begin = now_ms();
		bare_frames();
		bare[i] = (now_ms() - begin) / DEPTH;
		begin = now_ms();
		stream(DEPTH, &f);
		ours[i] = (now_ms() - begin) / DEPTH;
	}
	noe.unload_graph(ctx, graph);
	noe.deinit_context(ctx);
	close_queue();
	a = median(ours, RUNS);
	b = median(bare, RUNS);
	snprintf(text, sizeof(text), "%.4f ms, bare %.4f ms, %+.4f ms", a, b,
	    a - b);
	return verdict("npu_queue, one frame", text, "<= +0.15 ms",
	    a - b <= 0.15);
}

int
main(int argc, char *argv[])
{
	bool met = true;

	if (argc != 3)
		return 2;
	library = argv[1];
	model = argv[2];
	printf("jobs in flight, %d frames:\n", FRAMES);
	met &= throughput("CLIP visual", 14.11, 7.65);
	met &= throughput("YOLOv8n", 15.14, 6.08);
	met &= throughput("CLIP text", 15.52, 1.95);
	met &= own_time();
	return !met;
}
