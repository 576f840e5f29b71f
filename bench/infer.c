// SPDX-License-Identifier: Apache-2.0
/*
 * infer LIBRARY MODEL - measures how much longer npu_run() takes than the bare
 * library calls, on an emulator that computes nothing (NPU_EMU_COMPUTE=none).
 * Goal: at most 0.15 ms more for each inference.
 */
#include <dlfcn.h>
#include <string.h>

#include "bench.h"
#include "noe_abi.h"
#include "npu.h"

enum { RUNS = 2001 };

#define CALLS(X) X(init_context) X(load_graph) X(create_job) X(load_tensor) \
	X(job_infer_sync) X(get_tensor) X(clean_job) X(unload_graph) \
	X(deinit_context)

static struct {
#define X(name) __typeof__(noe_##name) *name;
	CALLS(X)
#undef X
} noe;

static context_handler_t *ctx;
static uint64_t graph;

static void
must(int status, const char *what)
{
	if (status == 0)
		return;
	fprintf(stderr, "infer: %s: 0x%x\n", what, (unsigned)status);
	exit(1);
}

static void
open_bare(const char *library, const char *model)
{
	void *dl = dlopen(library, RTLD_NOW | RTLD_LOCAL), *f;

	must(dl == NULL, library);
#define X(name) f = dlsym(dl, "noe_" #name); must(f == NULL, #name); \
	memcpy(&noe.name, &f, sizeof(f));
	CALLS(X)
#undef X
	must(noe.init_context(&ctx), "init_context");
	must(noe.load_graph(ctx, model, &graph, NULL), "load_graph");
}

static void
run_bare(const void *in, void *out)
{
	job_config_npu_t npu = { 0 };
	job_config_t config = { &npu };
	uint64_t job;

	must(noe.create_job(ctx, graph, &job, &config), "create_job");
	must(noe.load_tensor(ctx, job, 0, in), "load_tensor");
	must(noe.job_infer_sync(ctx, job, 10000), "job_infer_sync");
	must(noe.get_tensor(ctx, job, NOE_TENSOR_TYPE_OUTPUT, 0, out),
	    "get_tensor");
	must(noe.clean_job(ctx, job), "clean_job");
}

int
main(int argc, char *argv[])
{
	static double ours[RUNS], peer[RUNS];
	struct npu_options opt = { .device = NPU_DEVICE_EMU };
	struct npu_err err;
	struct npu *npu;
	char figures[80];
	double a, b, begin;
	void *in, *out;

	if (argc != 3)
		return 2;
	setenv("NPU_EMU_COMPUTE", "none", 1);
	opt.library = argv[1];
	if (npu_open(&npu, argv[2], &opt, &err) < 0) {
		fprintf(stderr, "infer: %s\n", err.msg);
		return 1;
	}
	open_bare(argv[1], argv[2]);
	in = calloc(1, npu_input_size(npu));
	out = calloc(1, npu_output_size(npu));
	for (int i = 0; i < RUNS; i++) {
		begin = now_ms();
		run_bare(in, out);
		peer[i] = now_ms() - begin;
		begin = now_ms();
		must(npu_run(npu, in, out, &err), "npu_run");
		ours[i] = now_ms() - begin;
	}
	noe.unload_graph(ctx, graph);
	noe.deinit_context(ctx);
	npu_close(npu);
	free(in);
	free(out);
	a = median(ours, RUNS);
	b = median(peer, RUNS);
	snprintf(figures, sizeof(figures), "%.4f ms, bare %.4f ms, %+.4f ms",
	    a, b, a - b);
	printf("one inference, median of %d:\n", RUNS);
	return !verdict("npu_run", figures, "<= +0.15 ms", a - b <= 0.15);
}
